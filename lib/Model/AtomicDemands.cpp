// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/AtomicDemands.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace auspex;

static constexpr double Warp = LaunchShape::WarpSize;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Whether every lane of a warp has the same address, and the compiler can see
/// it.
static bool isUniform(const Access &access) {
  bool uniform = access.offset.isKnown();
  access.offset.expr.forEachSymbol(
      [&](llvm::StringRef name) { uniform &= !name.starts_with("tid."); });
  return uniform;
}

/// Whether the assembler adds up the lanes of a warp before one of them updates
/// the word.
static bool isAggregated(const Access &access) {
  return access.isReduction && access.bytesPerLane == 4 && isUniform(access) &&
         (access.operation == "add" || access.operation == "sub");
}

/// Whether the unit has no such operation, so that a loop tries compare-and-
/// swap until it succeeds.
static bool isLoop(const Access &access) {
  constexpr unsigned Word = 4, Wide = 8;
  if (access.operation == "cas" || access.operation == "xchg")
    return access.bytesPerLane < Word || access.bytesPerLane > Wide;
  return access.bytesPerLane != Word ||
         llvm::StringRef(access.operation).starts_with("f");
}

void SharedAtomicDemand::add(const SharedAtomicDemand &other, double times) {
  requests += times * other.requests;
  faoJobs += times * other.faoJobs;
  casJobs += times * other.casJobs;
  popcIncJobs += times * other.popcIncJobs;
  passes += times * other.passes;
  popcIncPasses += times * other.popcIncPasses;
}

SharedAtomicDemand SharedAtomicDemand::withoutCollisions() const {
  SharedAtomicDemand ideal = *this;
  ideal.casJobs = std::min(casJobs, requests - faoJobs - popcIncJobs);
  ideal.passes = ideal.faoJobs + ideal.casJobs;
  ideal.popcIncPasses = popcIncJobs;
  return ideal;
}

SharedAtomicDemand auspex::sharedAtomicDemand(const Access &access,
                                              const RequestCounts &counts,
                                              const GPU &gpu) {
  constexpr unsigned FirstWithPopcInc = 80;
  SharedAtomicDemand demand;
  if (counts.requests <= 0)
    return demand;
  demand.requests = counts.requests;
  if (isLoop(access)) {
    // k lanes on one word make k rounds; in each one succeeds.
    double rounds = std::max(1.0, counts.sameAddress / counts.requests);
    demand.casJobs = counts.requests * rounds;
    demand.passes =
        std::max(demand.casJobs, counts.lanesOnBank * (rounds + 1) / 2);
  } else if (access.operation == "cas") {
    demand.casJobs = counts.requests;
    demand.passes = counts.lanesOnBank;
  } else if (access.isIncrement && access.isReduction &&
             gpu.arch >= FirstWithPopcInc) {
    demand.popcIncJobs = counts.requests;
    demand.popcIncPasses = counts.bankPasses;
  } else {
    demand.faoJobs = counts.requests;
    demand.passes = isAggregated(access) ? counts.requests : counts.lanesOnBank;
  }
  return demand;
}

//===----------------------------------------------------------------------===//
// Addresses that come from data
//===----------------------------------------------------------------------===//

namespace {
/// A polynomial up to the power of a warp's lanes: how many ways there are to
/// have so many balls, each way over the factorials of the balls in a bin.
using Ways = std::array<double, LaunchShape::WarpSize + 1>;
} // namespace

static Ways times(const Ways &a, const Ways &b, unsigned balls) {
  Ways product{};
  for (unsigned i = 0; i <= balls; ++i)
    for (unsigned j = 0; i + j <= balls; ++j)
      product[i + j] += a[i] * b[j];
  return product;
}

/// The mean of the most balls in a bin, \p balls of them thrown at \p bins
/// bins: the probability of at most m is balls! / bins^balls times the
/// coefficient of x^balls in (1 + x + ... + x^m / m!)^bins.
static double meanMost(unsigned balls, double bins) {
  double mean = 0;
  for (unsigned most = 0; most < balls; ++most) {
    // Scaled by bins^-1 a ball, so that nothing overflows.
    Ways base{}, power{};
    double term = 1;
    for (unsigned i = 0; i <= most; ++i, term /= bins * i)
      base[i] = term;
    power[0] = 1;
    for (auto left = static_cast<uint64_t>(bins); left; left /= 2) {
      if (left % 2)
        power = times(power, base, balls);
      base = times(base, base, balls);
    }
    double probability = power[balls];
    for (unsigned i = 2; i <= balls; ++i)
      probability *= i;
    mean += 1 - std::min(1.0, probability);
    constexpr double Certain = 1e-9;
    if (1 - probability < Certain)
      break;
  }
  return mean;
}

RequestCounts auspex::spreadEvenly(const RequestCounts &counts, double words) {
  RequestCounts spread = counts;
  if (counts.requests <= 0)
    return spread;
  // Of the numbers of lanes next to the mean, by their shares.
  double lanes = std::clamp(counts.lanes / counts.requests, 1.0, Warp);
  auto low = static_cast<unsigned>(lanes);
  double share = lanes - low;
  auto mean = [&](double bins) {
    double most = meanMost(low, bins);
    return share > 0 ? most + share * (meanMost(low + 1, bins) - most) : most;
  };
  words = std::max(1.0, std::floor(words));
  constexpr double Banks = 32;
  spread.lanesOnBank = counts.requests * mean(std::min(words, Banks));
  spread.sameAddress = counts.requests * mean(words);
  // Words of their own are few enough to differ as good as always.
  spread.bankPasses = words <= Banks ? counts.requests : spread.lanesOnBank;
  return spread;
}

RequestCounts auspex::expectedCounts(const BoundKernel &kernel,
                                     const Access &access, bool isKnown,
                                     const RequestCounts &counts) {
  if (isKnown)
    return counts;
  double bytes = static_cast<double>(kernel.summary->staticSharedInBytes);
  if (const auto &dynamic = kernel.launch.dynamicShared)
    bytes += static_cast<double>(dynamic->value);
  return spreadEvenly(counts, bytes / std::max(1u, access.bytesPerLane));
}

SharedAtomicDemand auspex::expectedSharedAtomics(const BoundKernel &kernel,
                                                 const GPU &gpu) {
  SharedAtomicDemand demand;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (access.kind == AccessKind::Atomic &&
        access.space == MemorySpace::Shared)
      demand.add(sharedAtomicDemand(access,
                                    expectedCounts(kernel, access,
                                                   bound.isKnown, bound.counts),
                                    gpu),
                 1 / std::max(1.0, kernel.warps()));
  return demand;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

llvm::SmallVector<double, 64>
auspex::sharedAtomicCycles(const SharedAtomicDemand &demand, const GPU &gpu,
                           unsigned customers) {
  llvm::SmallVector<double, 64> cycles(customers, 0);
  auto add = [&](const std::optional<AtomicTimes> &times, double jobs,
                 double passes, double casShare) {
    double e = jobs > 0 ? std::clamp(passes / jobs, 1.0, Warp) : 1;
    for (unsigned n = 1; jobs > 0 && n <= customers; ++n)
      cycles[n - 1] += times ? jobs * times->cycles(n, e, casShare) / n
                             : std::max(jobs, passes);
  };
  double jobs = demand.faoJobs + demand.casJobs;
  add(gpu.sharedAtomicTimes, jobs, demand.passes,
      jobs > 0 ? demand.casJobs / jobs : 0);
  add(gpu.sharedPopcIncTimes, demand.popcIncJobs, demand.popcIncPasses, 0);
  // Mixtures with CAS take longer each beyond 32 jobs, and so may a measured
  // table say by chance; a queue that grew would then slow the others down.
  for (unsigned n = 1; n < customers; ++n)
    cycles[n] = std::min(cycles[n], cycles[n - 1]);
  return cycles;
}

std::optional<SharedAtomicsInput>
auspex::sharedAtomicsInput(const SharedAtomicDemand &demand, const GPU &gpu,
                           double warps, double resident, double smCycles) {
  SharedAtomicsInput input;
  input.faoJobs = demand.faoJobs * warps;
  input.casJobs = demand.casJobs * warps;
  input.popcIncJobs = demand.popcIncJobs * warps;
  double jobs = demand.faoJobs + demand.casJobs;
  auto mean = [](double passes, double jobs) {
    return jobs > 0 ? std::clamp(passes / jobs, 1.0, Warp) : 1;
  };
  input.meanPasses = mean(demand.passes, jobs);
  input.popcIncPasses = mean(demand.popcIncPasses, demand.popcIncJobs);
  input.queueLength = resident;
  input.smCycles = smCycles;
  input.times = gpu.sharedAtomicTimes;
  input.popcIncTimes = gpu.sharedPopcIncTimes;
  bool hasTables = (jobs <= 0 || input.times) &&
                   (demand.popcIncJobs <= 0 || input.popcIncTimes);
  if (demand.requests <= 0 || !hasTables || smCycles <= 0)
    return std::nullopt;
  return input;
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

namespace {
/// Atomics of one access: how many go to each of its addresses.
struct AtomicTarget {
  llvm::StringRef base;
  std::optional<Interval> extent;
  double steps = 0;

  bool overlaps(const AtomicTarget &other) const {
    if (base != other.base)
      return false;
    return !extent || !other.extent ||
           (extent->low <= other.extent->high &&
            other.extent->low <= extent->high);
  }
};
} // namespace

static double stepsOnOneAddress(const Access &access, const BoundAccess &bound,
                                Scenario scenario) {
  const RequestCounts &counts = bound.counts;
  double updates = isAggregated(access) ? counts.requests : counts.lanes;
  if (bound.extent) {
    double bytes = static_cast<double>(bound.extent->high) -
                   static_cast<double>(bound.extent->low) + 1;
    return updates / std::max(1.0, bytes / access.bytesPerLane);
  }
  return bound.isKnown || scenario == Scenario::Low ? 0 : updates;
}

double auspex::globalAtomicSteps(const BoundKernel &kernel) {
  llvm::SmallVector<AtomicTarget, 8> targets;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (access.kind == AccessKind::Atomic &&
        access.space == MemorySpace::Global && bound.counts.requests > 0)
      targets.push_back({access.base, bound.extent,
                         stepsOnOneAddress(access, bound, kernel.scenario)});
  double most = 0;
  for (const AtomicTarget &target : targets) {
    double steps = 0;
    for (const AtomicTarget &other : targets)
      if (target.overlaps(other))
        steps += other.steps;
    most = std::max(most, steps);
  }
  return most;
}
