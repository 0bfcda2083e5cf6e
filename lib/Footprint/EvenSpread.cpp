// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/RequestCounts.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace auspex;

/// Coefficients up to the power of a warp's lanes.
using Polynomial = std::array<double, LaunchShape::WarpSize + 1>;

/// \p base, which is 1 at 0 and has powers up to \p degree, to the power of \p
/// exponent, up to \p most: by Miller's recurrence, all terms of which are
/// positive for large exponents; small ones multiply.
static Polynomial power(const Polynomial &base, unsigned degree,
                        double exponent, unsigned most) {
  Polynomial result{1};
  if (exponent >= most) {
    for (unsigned k = 1; k <= most; ++k) {
      for (unsigned i = 1; i <= std::min(k, degree); ++i)
        result[k] += (exponent * i - k + i) * base[i] * result[k - i];
      result[k] /= k;
    }
    return result;
  }
  for (double times = 0; times < exponent; ++times)
    for (unsigned k = most; k > 0; --k)
      for (unsigned i = 1; i <= std::min(k, degree); ++i)
        result[k] += base[i] * result[k - i];
  return result;
}

/// The mean of the most balls in a bin, \p balls of them thrown at \p bins
/// bins: the probability of at most m is balls! / bins^balls times the
/// coefficient of x^balls in (1 + x + ... + x^m / m!)^bins.
static double meanMost(unsigned balls, double bins) {
  double mean = 0;
  for (unsigned most = 0; most < balls; ++most) {
    // Over bins^-1 a ball, so that nothing overflows.
    Polynomial base{};
    double term = 1;
    for (unsigned i = 0; i <= most; ++i, term /= bins * i)
      base[i] = term;
    double probability = power(base, most, bins, balls)[balls];
    for (unsigned i = 2; i <= balls; ++i)
      probability *= i;
    mean += 1 - std::clamp(probability, 0.0, 1.0);
    constexpr double Certain = 1e-9;
    if (1 - probability < Certain)
      break;
  }
  return mean;
}

double auspex::placesPicked(double places, double lanes) {
  return places * (1 - std::pow(1 - 1 / places, lanes));
}

RequestCounts auspex::spreadEvenly(const RequestCounts &counts, double words) {
  RequestCounts spread = counts;
  if (counts.requests <= 0)
    return spread;
  // Of the numbers of lanes next to the mean, by their shares.
  constexpr double Warp = LaunchShape::WarpSize, Banks = 32;
  double lanes = std::clamp(counts.lanes / counts.requests, 1.0, Warp);
  auto low = static_cast<unsigned>(lanes);
  double share = lanes - low;
  auto mean = [&](double bins) {
    double most = meanMost(low, bins);
    return share > 0 ? most + share * (meanMost(low + 1, bins) - most) : most;
  };
  words = std::max(1.0, std::floor(words));
  spread.lanesOnBank = counts.requests * mean(std::min(words, Banks));
  spread.sameAddress = counts.requests * mean(words);
  // Words of their own are few enough to differ as good as always.
  spread.bankPasses =
      std::max(counts.fewestBankPasses,
               words <= Banks ? counts.requests : spread.lanesOnBank);
  spread.l1Cycles = spread.bankPasses;
  return spread;
}
