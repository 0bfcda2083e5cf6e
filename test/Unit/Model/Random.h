// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random inputs for property tests.
#ifndef AUSPEX_TEST_UNIT_MODEL_RANDOM_H
#define AUSPEX_TEST_UNIT_MODEL_RANDOM_H

#include <cmath>
#include <random>

namespace auspex::test {

/// Random numbers that are the same in every run.
class Random {
public:
  /// Between \p lo and \p hi, every order of magnitude as likely as another.
  double real(double lo, double hi) {
    return lo * std::exp(unit() * std::log(hi / lo));
  }
  double whole(double lo, double hi) { return std::floor(real(lo, hi + 1)); }
  /// Zero in one of four draws.
  double count(double hi) { return engine() % 4 ? real(1e-6, hi) : 0; }
  double unit() { return engine() / 4294967296.0; }

private:
  std::mt19937 engine{2009};
};

} // namespace auspex::test

#endif
