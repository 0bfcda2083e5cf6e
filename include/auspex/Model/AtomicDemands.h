// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What atomics ask of the units that do them one after the other: those on
/// shared memory of the SM's unit (docs/models/shared-atomics.md), those on
/// global memory of L2 at the address that most go to.
#ifndef AUSPEX_MODEL_ATOMICDEMANDS_H
#define AUSPEX_MODEL_ATOMICDEMANDS_H

#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/SharedAtomics.h"

namespace auspex {

/// Jobs of the unit for atomics on shared memory and their serial passes, of a
/// launch or of its mean warp.
struct SharedAtomicDemand {
  /// Atomic instructions of warps, before loops repeat them.
  double requests = 0;
  double faoJobs = 0, casJobs = 0, popcIncJobs = 0;
  /// Of FAO and CAS jobs together, and of POPC.INC jobs.
  double passes = 0, popcIncPasses = 0;

  void add(const SharedAtomicDemand &other, double times);
  /// As if every request took one pass, and no loop a second round.
  SharedAtomicDemand withoutCollisions() const;
  bool operator==(const SharedAtomicDemand &) const = default;
};

/// Whether the order in which the lanes of a warp do \p access makes no
/// difference, and one lane could do it for all: nothing reads what an update
/// leaves behind.
bool isReduction(const Access &access);

/// Whether the assembler joins what the lanes of a warp do before one of them
/// updates the word, as ptxas 13 does for 7.5, 8.0 and 9.0: lanes that add the
/// same are counted; sums, and what nothing reads, are reduced, of whole warps
/// alone where that takes shuffles.
bool joinsLanes(const Access &access, const RequestCounts &counts,
                const GPU &gpu);

/// Of a compare-and-swap that is tried again until it succeeds, what \p counts
/// has of the first round alone: a run sees all of them, a summary the first.
/// \p counts of any other access.
RequestCounts countsOfFirstRound(const BoundKernel &kernel,
                                 const Access &access,
                                 const RequestCounts &counts);

/// What \p gpu makes of the requests to shared memory of the atomic \p access
/// that \p counts are of, those of the first round.
SharedAtomicDemand sharedAtomicDemand(const Access &access,
                                      const RequestCounts &counts,
                                      const GPU &gpu);

/// How often warps of the launch try the compare-and-swap of the loop that
/// stands for the atomic \p access to shared memory, which has none of its own
/// in code; 0 for other accesses. Of the warps of a block that update a word
/// side by side one succeeds at a time.
double attemptsOfLoop(const BoundKernel &kernel, const Access &access,
                      const BoundAccess &bound, const GPU &gpu);

/// What a warp runs in such an attempt besides the compare-and-swap.
InstructionMix workOfAttempt(const Access &access);

/// Cycles of the unit for one warp, with 1 to \p customers warps there. Without
/// a table a pass takes one cycle.
llvm::SmallVector<double, 64>
sharedAtomicCycles(const SharedAtomicDemand &demand, const GPU &gpu,
                   unsigned customers);

/// Whether nothing says how far the addresses of \p access reach, so that its
/// updates are taken not to meet in any scenario but High.
bool isTakenNotToCollide(const BoundKernel &kernel, const Access &access,
                         const BoundAccess &bound);

/// What L2 does one after the other for the atomics of the launch, on the
/// address or in the part of it that most of them go to, in updates of an
/// integer on one address: an access is spread evenly over the words between
/// the lowest and the highest it touches, and those that overlap add up; a
/// compare-and-swap that others made fail is tried again. Where the address is
/// unknown, all go to one in the High scenario, none meet in others.
double globalAtomicSteps(const BoundKernel &kernel, const GPU &gpu);

/// The same where each access asks for what \p countsOf says instead.
using CountsOfAccess =
    llvm::function_ref<RequestCounts(const Access &, const BoundAccess &)>;
double globalAtomicSteps(const BoundKernel &kernel, const GPU &gpu,
                         CountsOfAccess countsOf);

/// The inputs of the model of atomics on shared memory for one SM that does
/// \p warps warps in \p smCycles, \p resident at a time. None without atomics
/// on shared memory, or without the tables.
std::optional<SharedAtomicsInput>
sharedAtomicsInput(const SharedAtomicDemand &demandOfWarp, const GPU &gpu,
                   double warps, double resident, double smCycles);

} // namespace auspex

#endif
