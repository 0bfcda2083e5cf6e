// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/AtomicDemands.h"

#include "OperationalStations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

static constexpr double Warp = LaunchShape::WarpSize;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Whether every lane of a warp has the same address, and the compiler can see
/// it.
static bool isUniform(const Access &access) {
  return access.offset.isKnown() && !access.offset.expr.usesAny(isThreadIndex);
}

static bool isFloat(const Access &access) {
  return llvm::StringRef(access.operation).starts_with("f");
}

static bool isOneOf(llvm::StringRef operation,
                    std::initializer_list<llvm::StringRef> operations) {
  return llvm::is_contained(operations, operation);
}

bool auspex::isReduction(const Access &access) {
  return access.isReduction &&
         isOneOf(access.operation, {"add", "sub", "min", "max", "umin", "umax",
                                    "and", "or", "xor", "fadd"});
}

bool auspex::joinsLanes(const Access &access, const RequestCounts &counts,
                        const GPU &gpu) {
  constexpr unsigned Word = 4, Wide = 8, FirstWithReduction = 80;
  if (!isUniform(access) || isFloat(access))
    return false;
  bool isSum = isOneOf(access.operation, {"add", "sub"});
  if (isSum && access.hasOneOperand)
    return access.bytesPerLane == Word || access.bytesPerLane == Wide;
  bool isWholeWarp = counts.lanes > (Warp - 1) * counts.requests;
  return access.bytesPerLane == Word && (isSum || isReduction(access)) &&
         (isWholeWarp ||
          (access.isReduction && gpu.arch >= FirstWithReduction));
}

RequestCounts auspex::countsOfFirstRound(const BoundKernel &kernel,
                                         const Access &access,
                                         const RequestCounts &counts) {
  if (!access.isRetried || !kernel.isFromRun || counts.requests <= 0)
    return counts;
  // k lanes on one word make rounds of k, k - 1, ... 1 lanes.
  double mean = std::max(1.0, counts.sameAddress / counts.requests);
  double rounds = 2 * mean - 1;
  RequestCounts first;
  first.add(counts, 1 / rounds);
  for (auto field : {&RequestCounts::lanes, &RequestCounts::sameAddress,
                     &RequestCounts::lanesOnBank})
    first.*field = counts.*field / mean;
  return first;
}

/// Whether the unit has no such operation, so that a loop tries compare-and-
/// swap until it succeeds; or the kernel has such a loop.
static bool isLoop(const Access &access) {
  constexpr unsigned Word = 4, Wide = 8;
  if (access.isRetried)
    return true;
  if (access.operation == "cas" || access.operation == "xchg")
    return access.bytesPerLane < Word || access.bytesPerLane > Wide;
  return access.bytesPerLane != Word || isFloat(access);
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
  bool isOneUpdate = joinsLanes(access, counts, gpu);
  if (isLoop(access) && isOneUpdate) {
    demand.casJobs = demand.passes = counts.requests;
  } else if (isLoop(access)) {
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
    demand.passes = isOneUpdate ? counts.requests : counts.lanesOnBank;
  }
  return demand;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Of the warps of a block, those that update a word of \p access side by side,
/// as far as the words are known.
static double warpsOnWord(const BoundKernel &kernel, const Access &access,
                          const BoundAccess &bound) {
  double together = kernel.blocks[access.block].warpsPerRunner;
  if (!bound.extent || together <= 0)
    return 1;
  double warps = kernel.shape.warpsPerBlock() / together;
  const RequestCounts &counts = bound.counts;
  double words = std::max(1.0, bytesOf(*bound.extent) / access.bytesPerLane);
  double lanesOnWord = warps * counts.lanes / counts.requests / words;
  double ofWarp = std::max(1.0, counts.sameAddress / counts.requests);
  return std::clamp(lanesOnWord / ofWarp, 1.0, std::max(1.0, warps));
}

double auspex::attemptsOfLoop(const BoundKernel &kernel, const Access &access,
                              const BoundAccess &bound, const GPU &gpu) {
  const RequestCounts &counts = bound.counts;
  if (!isLoop(access) || access.isRetried || counts.requests <= 0)
    return 0;
  double rounds = joinsLanes(access, counts, gpu) ? 1 : counts.sameAddress;
  // With w warps at it a success takes w attempts at first, and fewer the more
  // of them are through.
  return std::max(counts.requests, rounds) *
         (warpsOnWord(kernel, access, bound) + 1) / 2;
}

InstructionMix auspex::workOfAttempt(const Access &access) {
  using enum InstructionClass;
  constexpr unsigned Half = 2, Wide = 8;
  InstructionMix work;
  work[LoadShared] = work[Compare] = work[Control] = 1;
  work[!isFloat(access)              ? IntAdd
       : access.bytesPerLane == Wide ? Fp64
       : access.bytesPerLane == Half ? Fp16
                                     : Fp32] = 1;
  return work;
}

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

/// Of integers on one address, as many as an update of floating-point numbers
/// on one address stands for.
static double stepsOfUpdate(const Access &access, const GPU &gpu) {
  std::optional<double> integers = gpu.find(Q::GlobalAtomicRate),
                        floats = gpu.find(Q::GlobalFloatAtomicRate);
  return isFloat(access) && integers && floats ? *integers / *floats : 1;
}

/// As many as a sector stands for of which lanes update words apart.
static double stepsOfSector(const Access &access, const GPU &gpu) {
  constexpr unsigned Double = 8;
  std::optional<double> addresses = gpu.find(Q::GlobalAtomicRate),
                        sectors = gpu.find(Q::GlobalAtomicSectorRate);
  if (!addresses || !sectors)
    return 0;
  bool isDouble = access.operation == "fadd" && access.bytesPerLane == Double;
  return *addresses /
         (isDouble ? gpu.valueOr(Q::GlobalDoubleAtomicSectorRate, *sectors / 2)
                   : *sectors);
}

/// The bytes that the access may touch, if that is known: as its addresses say,
/// or of data that are expected to pick from all of an object.
static std::optional<double> reachOf(const BoundKernel &kernel,
                                     const BoundAccess &bound) {
  if (bound.extent)
    return bytesOf(*bound.extent);
  if (kernel.scenario != Scenario::Expected || bound.object < 0 ||
      static_cast<size_t>(bound.object) >= kernel.objects.size())
    return std::nullopt;
  return kernel.objects[bound.object].sizeInBytes;
}

bool auspex::isTakenNotToCollide(const BoundKernel &kernel,
                                 const Access &access,
                                 const BoundAccess &bound) {
  return access.kind == AccessKind::Atomic &&
         access.space == MemorySpace::Global && bound.counts.requests > 0 &&
         kernel.scenario != Scenario::High && !reachOf(kernel, bound);
}

/// How many steps on its word an update takes that compare-and-swap tries until
/// no other thread was faster. All resident warps want one of \p words at the
/// same time, and each time one of them succeeds the others have failed: what
/// they found is known to them a round trip later, and they ask again.
static double stepsOfRetries(const BoundKernel &kernel,
                             const RequestCounts &counts, double words,
                             const GPU &gpu) {
  // Of a step, what a lane takes that fails: 262144 threads that add to one
  // word took an RTX 3080 3.09 s at 1440 MHz (HeCBench's atomicCAS in
  // gpuFLOPBench).
  constexpr double Failed = 0.21;
  double updates = counts.lanes / words;
  double resident =
      std::min<double>(kernel.shape.grid.count(),
                       kernel.occupancy.activeBlocksPerSM * gpu[Q::SMCount]) *
      kernel.shape.warpsPerBlock();
  double share = std::min(1.0, counts.requests / kernel.warps());
  double lanes = counts.lanes / counts.requests;
  double most = std::min(updates, resident * share * lanes / words);
  if (most <= 1)
    return 1;
  // The last ones have fewer others, and of a warp half are done in the mean.
  double ofWarp = std::max(1.0, counts.sameAddress / counts.requests);
  double others =
      most * (1 - most / (2 * updates)) * (ofWarp + 1) / (2 * ofWarp) - 1;
  double roundTrip = latencyOfGlobalAtomic(gpu) *
                     gpu.valueOr(Q::GlobalAtomicRate, 0) * (1 - 1 / updates);
  return std::max(1 + Failed * std::max(0.0, others), roundTrip);
}

/// On the address, or in the part of L2, that most of the access go to.
static double stepsOf(const BoundKernel &kernel, const Access &access,
                      const BoundAccess &bound, const RequestCounts &counts,
                      const GPU &gpu) {
  // As counts of cells from a word to 1 MiB on an H200 say.
  constexpr double PartInBytes = 512;
  bool isJoined = joinsLanes(access, counts, gpu);
  double updates =
      (isJoined ? counts.requests : counts.lanes) * stepsOfUpdate(access, gpu);
  // Lanes that share words take as long as if they had their own.
  double ofLanes = counts.lanes * access.bytesPerLane / gpu[Q::Sector];
  double inSectors =
      (isJoined ? counts.requests : std::max(counts.sectors, ofLanes)) *
      stepsOfSector(access, gpu);
  auto tries = [&](double words) {
    return access.isRetried ? stepsOfRetries(kernel, counts, words, gpu) : 1;
  };
  if (!bound.isKnown && kernel.scenario == Scenario::High)
    return tries(1) * updates;
  std::optional<double> bytes = reachOf(kernel, bound);
  if (!bytes)
    return 0;
  double words = std::max(1.0, *bytes / access.bytesPerLane);
  return tries(words) *
         std::max(updates / words,
                  inSectors / std::max(1.0, *bytes / PartInBytes));
}

double auspex::globalAtomicSteps(const BoundKernel &kernel, const GPU &gpu) {
  return globalAtomicSteps(
      kernel, gpu,
      [](const Access &, const BoundAccess &bound) { return bound.counts; });
}

double auspex::globalAtomicSteps(const BoundKernel &kernel, const GPU &gpu,
                                 CountsOfAccess countsOf) {
  llvm::SmallVector<AtomicTarget, 8> targets;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (access.kind != AccessKind::Atomic ||
        access.space != MemorySpace::Global)
      continue;
    RequestCounts counts =
        countsOfFirstRound(kernel, access, countsOf(access, bound));
    if (counts.requests > 0)
      targets.push_back({access.base, bound.extent,
                         stepsOf(kernel, access, bound, counts, gpu)});
  }
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
