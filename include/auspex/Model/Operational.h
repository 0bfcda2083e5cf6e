// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The default model: the warps of an SM as customers of a closed queueing
/// network whose stations are the SM's pipes, its memories, L2 and DRAM
/// (docs/models/operational.md).
///
/// The input is what one warp of the launch asks for on average, as plain
/// numbers, so that a what-if is the same input with one number changed.
#ifndef AUSPEX_MODEL_OPERATIONAL_H
#define AUSPEX_MODEL_OPERATIONAL_H

#include "auspex/Model/AtomicDemands.h"
#include "auspex/Model/MemoryTraffic.h"
#include "auspex/Model/Prediction.h"

namespace auspex {

struct OperationalInput {
  // The launch.
  double blocks = 1;
  unsigned warpsPerBlock = 1;
  /// Resident blocks an SM at most.
  unsigned activeBlocksPerSM = 1;
  /// Warps an SM can hold, for the occupancy what-if.
  unsigned maxWarpsPerSM = 64;

  // One warp's life, means over the launch.
  InstructionMix instructions;
  /// Instructions on its chain of dependences.
  InstructionMix path;
  /// The same of the block that has most to do, if that is much more than
  /// others have; else empty.
  InstructionMix longestPath;
  /// Of path, floating-point arithmetic of 32 and 64 bits that reads three
  /// different registers.
  InstructionMix threeOperands;
  /// Of instructions, integer work that the pipe of multiply-adds does
  /// (MachineCode).
  InstructionMix asMultiplyAdds;
  /// The share of a block's warps that are at work side by side (BoundKernel).
  double shareAtWork = 1;
  /// Of the loads on the chain, those with data from DRAM, and those with data
  /// from L2 but none from DRAM: the slowest of the loads that overlap counts.
  struct Waits {
    double dram = 0, l2 = 0;
    bool operator==(const Waits &) const = default;
  };
  Waits globalWaits, localWaits;
  /// Lanes that are active in an instruction.
  double activeLanes = 32;
  /// Passes through the banks of shared memory, and the fewest possible.
  double sharedPasses = 0, fewestSharedPasses = 0;
  double sharedRequests = 0;
  SharedAtomicDemand sharedAtomics;
  /// Of instructions and path, what loops that stand for atomics on shared
  /// memory repeat because lanes or warps meet at a word.
  InstructionMix atomicRetries;
  /// Steps of L2 at the address of global memory that most atomics of the
  /// launch go to, over all warps.
  double globalAtomicSteps = 0;
  /// Sectors of global memory that requests touch, request by request, in
  /// bytes, and the fewest possible.
  double requestedLoadInBytes = 0, requestedStoreInBytes = 0;
  double fewestLoadInBytes = 0, fewestStoreInBytes = 0;
  /// Sectors of global memory that a warp stores a part of, and their lines: a
  /// packet to L2 each.
  double partialStores = 0;
  /// Words that lanes want of constant memory, each once a load, where their
  /// places are not known when the kernel is compiled.
  double constantWords = 0;
  /// Cycles of L1 that these requests take.
  double l1Cycles = 0;
  /// Cycles of work, where what a block of threads does one after the other
  /// does not overlap.
  double phaseCycles = 0;
  /// Of this work, and of the waits for global and local memory, the share of
  /// phases that fill shared memory with what they load.
  double fillingWork = 0, fillingWaits = 0;
  /// Bytes between L1 and L2, and between L2 and DRAM.
  double l2LoadInBytes = 0, l2StoreInBytes = 0;
  double dramLoadInBytes = 0, dramStoreInBytes = 0;
  /// As in ObjectTraffic.
  double dramIdleInBytes = 0;

  /// Takes out the instructions of a class, from all mixes.
  void clear(InstructionClass id) {
    for (InstructionMix *mix :
         {&instructions, &path, &longestPath, &threeOperands, &asMultiplyAdds})
      (*mix)[id] = 0;
  }

  bool operator==(const OperationalInput &) const = default;
};

/// What the model computes of an input.
struct OperationalResult {
  double timeInUs = 0;
  /// Of a full wave, per warp: stations, then delays.
  std::vector<Station> stations;
  /// SM cycles of one warp's life in a full wave.
  double cycleTime = 0;
  unsigned activeSMs = 1;
  unsigned residentWarps = 1;
  double fullWaves = 0;
  /// What all blocks would take at the pace of full waves, of what they take:
  /// less than 1 where the last wave is not full.
  double shareAtPace = 1;
  double launchOverheadInUs = 0;
  /// The block that has most to do takes longer than all waves.
  bool isOfLongestBlock = false;
};

/// Takes the means of the bound kernel and its traffic.
OperationalInput operationalInput(const BoundKernel &kernel,
                                  const MemoryTraffic &traffic, const GPU &gpu);

/// Takes out of \p input what \p kernel has in local memory: its instructions,
/// their cycles in L1 and their bytes.
void removeLocalMemory(OperationalInput &input, const BoundKernel &kernel,
                       const GPU &gpu);

OperationalResult evaluateOperational(const OperationalInput &input,
                                      const GPU &gpu);

/// The what-ifs of models/operational, all of them, zeros too. A gain is never
/// negative and never more than the time.
std::vector<Benefit> operationalBenefits(const OperationalInput &input,
                                         const GPU &gpu, double timeInUs);

/// The station or delay that takes the largest share of the time: a station
/// while it is busy, a delay as its part of a warp's life. At a share of 1 the
/// launch is as fast as that one allows.
struct Limiter {
  std::string name;
  double share = 0;
};
Limiter operationalLimiter(const OperationalResult &result);

/// The least time each station alone would take, in us.
NamedValues operationalBounds(const OperationalInput &input, const GPU &gpu);

NamedValues listValues(const OperationalInput &input);

} // namespace auspex

#endif
