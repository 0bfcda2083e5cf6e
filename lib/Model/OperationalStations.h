// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the life of a warp asks of the parts of an SM and of the GPU, by the
/// operational model's input: the stations and delays of its network.
#ifndef AUSPEX_LIB_MODEL_OPERATIONALSTATIONS_H
#define AUSPEX_LIB_MODEL_OPERATIONALSTATIONS_H

#include "auspex/Model/Operational.h"

namespace auspex {

/// How busy the GPU is during a wave of \p blocks. The network is that of the
/// fullest SM.
struct SMLoad {
  /// Of a wave of \p blocks.
  SMLoad(double blocks, const GPU &gpu, double startTogether = 1);

  unsigned activeSMs = 1;
  /// Blocks on the fullest SM.
  unsigned blocksPerSM = 1;
  /// SMs as full as the fullest that the wave would fill: what shares L2 and
  /// DRAM. A fraction where the others have a block less.
  double sharers = 1;
  /// The share of the waves alike whose blocks start together on all SMs, as
  /// those of the first one do. Others start when there is place for them.
  double startTogether = 1;

  /// Warps on the fullest SM, of a launch like \p input.
  unsigned warpsOf(const OperationalInput &input) const;
};

/// DRAM bandwidth for a mix of so many reads and writes, in GB/s. What turning
/// the bus around costs is known for as many reads as writes, and falls off to
/// both sides, reads alone and writes alone.
double dramBandwidth(const GPU &gpu, double loads, double stores);

/// What the block that has most to do takes at least, from its start to its
/// end, with all it loads in L1; 0 where blocks are alike.
double cyclesOfLongestBlock(const OperationalInput &input, const GPU &gpu);

/// A station or delay of the network: what one warp's life asks of it.
struct NetworkPart {
  /// Where a station is: in each sub-partition of an SM, once in the SM, or
  /// once in the GPU. A delay is nowhere: warps wait through it side by side.
  enum class Place { Partition, SM, WholeGPU, Delay };

  static constexpr llvm::StringLiteral DependenceLatency = "dependence latency",
                                       MemoryLatency = "memory latency",
                                       Barriers = "barriers",
                                       BarrierUnit = "barrier unit",
                                       Turnover = "block start and end",
                                       IssueSlots = "issue slots",
                                       SpecialFunctions =
                                           "special function units";

  llvm::StringRef name;
  double cycles = 0;
  Place place = Place::SM;
  /// Of a station in each sub-partition, how many there are if a warp has to
  /// pass it; 0 if it is there while it passes another one, and of what only
  /// limits how often something happens.
  double partitions = 1;
  /// All SMs share it, wherever warps queue for it.
  bool isShared = false;
  /// Where it depends on how many warps are there: cycles with 1, 2, ... all
  /// warps of the SM; the last one is \p cycles.
  llvm::SmallVector<double, 0> cyclesByLoad = {};
  /// Of a delay: as many cycles more for each warp that an SM completes in a
  /// cycle.
  double cyclesByRate = 0;
  /// The share of the cycles that warps stay for (QueueingStation).
  double stayedFor = 1;
  /// Warps leave what they ask of it in a queue, and the schedulers go on.
  bool hasQueue = false;

  bool isDelay() const { return place == Place::Delay; }
};

using NetworkParts = llvm::SmallVector<NetworkPart, 24>;

/// All parts with a demand.
NetworkParts networkParts(const OperationalInput &input, const GPU &gpu,
                          const SMLoad &load);

/// Cycles that a warp waits for memory: near for loads and atomics of shared
/// and constant memory, far for the rest, and for stores to shared memory of
/// what came from there.
struct MemoryWaits {
  double far = 0, near = 0;
};
MemoryWaits waitsForMemory(const OperationalInput &input, const GPU &gpu);

/// What L1 delivers in a cycle where nothing collides.
double l1BytesPerCycle(const GPU &gpu);

/// Cycles that the load/store units take to give L1 and shared memory the
/// addresses of a warp.
double cyclesPerRequest(const GPU &gpu);

/// Cycles of a pass through the banks of shared memory, a word from each; those
/// of L1 are the same ones.
double cyclesPerPass(const GPU &gpu);

/// Cycles of shared memory for requests that take so many passes through its
/// banks, on average.
double sharedCycles(double passes, double requests, const GPU &gpu);

/// Cycles of L1 that a request takes at least: the address of each lane comes
/// in, and the bytes of each go out, whatever lanes share.
double leastL1Cycles(unsigned bytesPerLane, const GPU &gpu);

/// Cycles until a warp knows what an atomic on global memory has found; that of
/// a load from L2 where a description leaves it out.
double latencyOfGlobalAtomic(const GPU &gpu);

/// Cycles of L1 for the requests of an access to global memory, over the
/// launch: no request takes less than its lanes and their bytes do.
double l1CyclesOf(const Access &access, const RequestCounts &counts,
                  const GPU &gpu);

/// Cycles of the slowest of an SM's pipes, issue slots and ways to memory for
/// \p mix, of which \p asMultiplyAdds are multiply-adds, and whose requests
/// take L1 and shared memory \p l1Cycles.
double slowestInSM(const InstructionMix &mix,
                   const InstructionMix &asMultiplyAdds, double l1Cycles,
                   const GPU &gpu);

} // namespace auspex

#endif
