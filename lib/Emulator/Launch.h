// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch that runs: its blocks of threads, and what each thread of the host
/// counts.
#ifndef AUSPEX_LIB_EMULATOR_LAUNCH_H
#define AUSPEX_LIB_EMULATOR_LAUNCH_H

#include "AccessState.h"
#include "Warp.h"
#include "auspex/Emulator/Emulator.h"

#include <chrono>
#include <mutex>
#include <tuple>

namespace auspex::emulator {

class ProgramCode;
struct SharedLayout;
struct LaunchRun;

/// Executions of a basic block.
struct BlockCounter {
  /// By the number of active lanes.
  std::array<uint64_t, Lanes + 1> byLanes{};
  uint64_t divergent = 0;
  /// Runs of edges that come to this block, the header of a loop, from outside.
  uint64_t loopEntries = 0;
};

/// A barrier of a block of threads.
struct BarrierState {
  /// Threads that have come, by those that wait and those that only arrive.
  uint32_t arrived = 0;
  /// Threads to come; 0 for all of the block that still run.
  uint32_t expected = 0;
  uint32_t votes = 0;
  bool all = true, any = false;
  /// Of the last round.
  uint32_t lastVotes = 0, lastAll = 0, lastAny = 0;
};

/// A block of threads that runs.
struct BlockRun {
  static constexpr unsigned Barriers = 16;

  ThreadContext *context = nullptr;
  int64_t number = 0;
  std::array<int64_t, 3> index{};
  /// Shared memory begins at a multiple of 1024 and does not cross one of 4 GB,
  /// so that 32 bits of an address tell it.
  char *shared = nullptr;
  bool isProfiled = true;
  std::vector<std::unique_ptr<Warp>> warps;
  unsigned numWarps = 0;
  std::array<BarrierState, Barriers> barriers;
  uint32_t usedBarriers = 0;
  unsigned finished = 0;
  /// Turns in which all warps were cut short.
  unsigned cutShort = 0;

  enum class Progress { Done, CutShort };

  ~BlockRun();
  void begin(ThreadContext &context, int64_t number);
  /// Runs until all warps are done or, if it may yield, all others are too and
  /// those had their turn.
  Progress run(bool mayYield);
  /// Other blocks run in between: what this one touched is kept apart.
  void suspend();
  void swapSectors();

  /// Where its warps are that have not come to their end.
  EmulationFault::RunningBlock place() const;

  /// A group of lanes came to barrier \p number; wakes those that wait there if
  /// it was the last.
  void checkBarrier(unsigned number);
  void checkBarriers();

private:
  void *sharedMemory = nullptr;
  uint64_t sharedCapacity = 0;
  Dim3 shapeOfWarps{0, 0, 0}, gridOfWarps{0, 0, 0};
  unsigned numPrepared = 0;
  /// By the beginning of the allocation: others come and go meanwhile.
  std::vector<std::pair<const char *, BitSet>> sectors;

  void reserveShared(uint64_t bytes);
  void prepareWarp(Warp &warp, const LaunchShape &shape);
  /// No warp can go on.
  void faultAtBarrier();
};

/// What a block that was looked at did by one access: requests first, then what
/// is estimated from them.
enum SampledCount { Requests, Sectors, BankPasses, SameAddress, NewSectors };
using SampledCounts = std::array<uint64_t, NewSectors + 1>;

/// What a thread of the host keeps from launch to launch.
struct ThreadContext {
  ThreadContext();
  ~ThreadContext();

  LaunchRun *launch = nullptr;
  bool profiling = true;
  /// Of the threads of a launch.
  bool isFirst = true;
  std::vector<BlockCounter> blocks;
  /// By Operation::index.
  std::vector<AccessState> accesses;
  uint64_t calleeWarpInstructions = 0, calleeThreadInstructions = 0;
  /// Of those that came to their end.
  uint64_t mostInstructionsOfWarp = 0;
  /// By allocation of the snapshot.
  std::vector<std::unique_ptr<SectorMap>> sectors;
  std::vector<uint32_t> usedSectors;
  std::vector<std::unique_ptr<BlockRun>> freeBlocks;
  /// Readings of the clock.
  uint64_t clock = 0;

  DeviceMemory::Snapshot memory;
  /// The memory that [\p low, \p high) lies in.
  MemoryRange findRange(const Warp &warp, uint64_t low, uint64_t high);
  SectorMap *sectorsOf(uint32_t allocation);
  /// Counts the sectors that the block touched for the wave, those of the wave
  /// for the launch.
  void endBlock();
  void endWave();
  void endLaunch();
  void beginLaunch(LaunchRun &run);
  /// Looks at what is allocated if that has changed.
  void refreshMemory();
  /// What is still there keeps its counts.
  void takeMemory(DeviceMemory::Snapshot now);
  std::unique_ptr<BlockRun> takeBlock();

  /// By block that was looked at, where not all are, and access of the kernel.
  std::vector<std::vector<SampledCounts>> samples;
  /// Keeps apart what was counted since the last time.
  void noteSample();

private:
  std::vector<SampledCounts> sampledSoFar;
  std::tuple<unsigned, unsigned, unsigned, L1Rule> granularityKey;
};

/// What a launch is, for all threads.
struct LaunchRun {
  const Code *code = nullptr;
  ProgramCode *program = nullptr;
  LaunchShape shape;
  const EmulationOptions *options = nullptr;
  const SharedLayout *shared = nullptr;
  uint64_t sharedInBytes = 0;
  uint64_t reservedSharedOffset() const {
    return (sharedInBytes + 255) & ~uint64_t(255);
  }
  uint64_t localStride = 0;
  const char *parameters = nullptr;
  uint64_t parametersInBytes = 0;
  /// The constants and the parameters; aligned as slots are.
  std::vector<char> pool;
  const char *poolBegin() const {
    auto address = reinterpret_cast<uintptr_t>(pool.data());
    return reinterpret_cast<const char *>((address + 63) & ~uintptr_t(63));
  }
  uint64_t period = 128;
  bool isSingleThread = true;
  /// For grid synchronisation.
  alignas(64) uint32_t gridWorkspace[16] = {};
  uint64_t id = 0;
  std::chrono::steady_clock::time_point start;

  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::optional<EmulationFault> fault;
  /// When it was stopped.
  std::vector<EmulationFault::RunningBlock> running;
  void addRunning(const BlockRun &block);

  std::atomic<int64_t> blocksDone{0};
  /// A block has come to its end; \p tells: and that is to be told.
  void noteDone(bool tells) {
    int64_t done = blocksDone.fetch_add(1, std::memory_order_relaxed) + 1;
    if (tells && options->progress)
      options->progress(done);
  }

  void setFault(EmulationFault fault);
  /// Whoever has one block of a wave is an SM.
  uint64_t numSms() const {
    return std::max<uint64_t>(1, options->blocksPerWave);
  }
  /// Whether somebody asked to stop, or time is up.
  bool shouldStop();
  /// Whether only some blocks' addresses are looked at.
  bool isSampled() const {
    return options->profile && options->sampleBlocks > 0 &&
           options->sampleBlocks < static_cast<uint64_t>(shape.grid.count());
  }
};

SourceLocation locationOf(const llvm::Instruction *instruction);

} // namespace auspex::emulator

#endif
