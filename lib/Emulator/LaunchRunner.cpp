// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchRunner.h"

#include "ProfileBuilder.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <cmath>
#include <thread>

using namespace auspex;
using namespace auspex::emulator;

namespace {

/// Scatters numbers, the same in every run (Steele et al. 2014, splitmix64).
uint64_t scatter(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

/// Blocks that are looked at: all, or one of each of as many equal parts. Which
/// one, no pattern of the grid can meet.
bool isLookedAt(const LaunchRun &launch, int64_t block) {
  if (!launch.isSampled())
    return launch.options->profile;
  auto samples = static_cast<int64_t>(launch.options->sampleBlocks);
  int64_t blocks = launch.shape.grid.count();
  auto part =
      static_cast<int64_t>(static_cast<__int128>(block) * samples / blocks);
  auto begin = static_cast<int64_t>(
      (static_cast<__int128>(part) * blocks + samples - 1) / samples);
  auto end = static_cast<int64_t>(
      (static_cast<__int128>(part + 1) * blocks + samples - 1) / samples);
  return block ==
         begin + static_cast<int64_t>(scatter(part) %
                                      static_cast<uint64_t>(end - begin));
}

/// Runs blocks one after the other; where one seems to wait for others, these
/// run beside it.
class BlockRunner {
public:
  BlockRunner(ThreadContext &context, std::function<int64_t()> next,
              size_t most, bool allAtOnce)
      : context(context), next(std::move(next)), most(most),
        allAtOnce(allAtOnce) {}

  void run() {
    while (allAtOnce && admit())
      ;
    while (!context.launch->stopped) {
      if (resident.empty() && !admit())
        return;
      runResident();
    }
    for (auto &block : resident) {
      context.launch->addRunning(*block);
      context.freeBlocks.push_back(std::move(block));
    }
    context.endBlock();
  }

private:
  ThreadContext &context;
  std::function<int64_t()> next;
  size_t most;
  bool allAtOnce, isExhausted = false;
  std::vector<std::unique_ptr<BlockRun>> resident;
  static constexpr unsigned Patience = 8;

  bool admit() {
    if (isExhausted)
      return false;
    int64_t number = next();
    if (number < 0) {
      isExhausted = true;
      return false;
    }
    resident.push_back(context.takeBlock());
    resident.back()->begin(context, number);
    resident.back()->isProfiled = isLookedAt(*context.launch, number);
    return true;
  }

  void runResident() {
    bool mayYield = resident.size() > 1 || (most > 1 && !isExhausted);
    bool impatient = false;
    for (size_t i = 0; i < resident.size();) {
      BlockRun &block = *resident[i];
      context.profiling = block.isProfiled;
      block.swapSectors();
      bool isDone = block.run(mayYield) == BlockRun::Progress::Done;
      if (context.launch->stopped)
        return;
      if (isDone) {
        if (block.isProfiled && context.launch->isSampled())
          context.noteSample();
        context.endBlock();
        context.launch->noteDone(context.isFirst);
        context.freeBlocks.push_back(std::move(resident[i]));
        resident.erase(resident.begin() + i);
        continue;
      }
      impatient |= ++block.cutShort % Patience == 0;
      if (resident.size() > 1 || impatient)
        block.suspend();
      ++i;
    }
    if (impatient && resident.size() < most)
      admit();
  }
};

void runOnThreads(std::vector<std::unique_ptr<ThreadContext>> &contexts,
                  unsigned threads,
                  llvm::function_ref<void(ThreadContext &)> work) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back([&, i] { work(*contexts[i]); });
  work(*contexts[0]);
  for (std::thread &other : others)
    other.join();
}

/// Makes the threads number allocations alike: a kernel may have allocated.
void alignMemory(llvm::ArrayRef<std::unique_ptr<ThreadContext>> contexts) {
  contexts[0]->refreshMemory();
  for (const auto &context : contexts.drop_front())
    context->takeMemory(contexts[0]->memory);
}

/// What the threads found of the same wave, put together in the first.
void mergeWaves(std::vector<std::unique_ptr<ThreadContext>> &contexts,
                unsigned threads) {
  alignMemory(llvm::ArrayRef(contexts).take_front(threads));
  ThreadContext &first = *contexts[0];
  for (unsigned i = 1; i < threads; ++i)
    for (uint32_t allocation : contexts[i]->usedSectors) {
      SectorMap &map = *contexts[i]->sectors[allocation];
      first.sectorsOf(allocation)->wave.addAll(map.wave);
      map.wave.clear();
    }
  first.endWave();
}

} // namespace

/// Fills in what is constant for a launch.
static void fillPool(LaunchRun &launch) {
  const Code &code = *launch.code;
  launch.pool.resize(code.pool.size() + 64);
  char *pool = const_cast<char *>(launch.poolBegin());
  llvm::copy(code.pool, pool);
  for (const Code::KernelParameter &parameter : code.kernelParameters) {
    const char *from = launch.parameters + parameter.offset;
    auto address = reinterpret_cast<uint64_t>(from);
    char *to = pool + parameter.slot;
    if (parameter.width == Width::Mask) {
      uint32_t mask = *from & 1 ? FullMask : 0;
      std::memcpy(to, &mask, sizeof(mask));
      continue;
    }
    unsigned bytes = bytesPerLane(parameter.width);
    if (parameter.isAddress)
      from = reinterpret_cast<const char *>(&address);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      std::memcpy(to + lane * bytes, from, parameter.bytes);
  }
}

llvm::Expected<DynamicProfile>
LaunchRunner::run(ProgramCode &program, const Code &code,
                  const LaunchShape &shape, uint64_t dynamicSharedInBytes,
                  llvm::ArrayRef<char> parameters,
                  const EmulationOptions &options) {
  LaunchRun launch;
  launch.code = &code;
  launch.program = &program;
  launch.shape = shape;
  launch.options = &options;
  launch.shared = &program.sharedLayout(*code.function);
  launch.sharedInBytes = launch.shared->dynamicOffset + dynamicSharedInBytes;
  if (!dynamicSharedInBytes && !launch.shared->arrays.empty())
    launch.sharedInBytes = launch.shared->arrays.back().second;
  // Functions that are called have a stack, as has what grows.
  constexpr uint64_t CallStack = 65536;
  launch.localStride = (code.localInBytes + 63) & ~uint64_t(63);
  if (!code.calls.empty() || code.hasDynamicLocal)
    launch.localStride += CallStack;
  launch.localStride = std::max<uint64_t>(launch.localStride, 64);
  // Parameters are aligned as their types are, whatever the caller's buffer is.
  std::vector<std::max_align_t> aligned(
      parameters.size() / sizeof(std::max_align_t) + 1);
  std::copy(parameters.begin(), parameters.end(),
            reinterpret_cast<char *>(aligned.data()));
  launch.parameters = reinterpret_cast<const char *>(aligned.data());
  launch.parametersInBytes = parameters.size();
  launch.period = options.granularity.period();
  launch.id = launches++;
  if (options.timeLimitInSeconds > 0)
    launch.start = std::chrono::steady_clock::now();
  fillPool(launch);

  int64_t blocks = shape.grid.count();
  auto perWave = static_cast<int64_t>(
      std::clamp<uint64_t>(options.blocksPerWave, 1, blocks));
  if (options.isCooperative && perWave < blocks)
    return makeInputError({}, "a cooperative launch of " + llvm::Twine(blocks) +
                                  " blocks, of which only " +
                                  llvm::Twine(perWave) + " are resident");
  auto threads =
      static_cast<unsigned>(std::clamp<int64_t>(options.threads, 1, blocks));
  launch.isSingleThread = threads == 1;
  while (contexts.size() < threads)
    contexts.push_back(std::make_unique<ThreadContext>());
  for (unsigned i = 0; i < threads; ++i) {
    contexts[i]->beginLaunch(launch);
    contexts[i]->isFirst = i == 0;
  }

  int64_t waves = (blocks + perWave - 1) / perWave;
  auto resident = static_cast<size_t>(perWave);
  std::atomic<int64_t> nextWave{0};
  // Many small waves go to the threads whole, few large ones are shared.
  constexpr int64_t LargeWave = 16;
  if (threads == 1 ||
      (perWave < LargeWave * threads && waves > 1 && !options.isCooperative)) {
    runOnThreads(contexts, threads, [&](ThreadContext &context) {
      for (int64_t wave; (wave = nextWave++) < waves && !launch.stopped;) {
        int64_t next = wave * perWave;
        int64_t end = std::min(blocks, next + perWave);
        BlockRunner(
            context, [&] { return next < end ? next++ : -1; }, resident,
            options.isCooperative)
            .run();
        context.endWave();
      }
    });
  } else {
    for (int64_t wave = 0; wave < waves && !launch.stopped; ++wave) {
      std::atomic<int64_t> next{wave * perWave};
      int64_t end = std::min(blocks, (wave + 1) * perWave);
      size_t share = (resident + threads - 1) / threads;
      runOnThreads(contexts, threads, [&](ThreadContext &context) {
        size_t taken = 0;
        BlockRunner(
            context,
            [&]() -> int64_t {
              // All are resident from the start, so none may take them all.
              if (options.isCooperative && taken++ == share)
                return -1;
              int64_t number = next++;
              return number < end ? number : -1;
            },
            resident, options.isCooperative)
            .run();
      });
      mergeWaves(contexts, threads);
    }
  }

  alignMemory(llvm::ArrayRef(contexts).take_front(threads));
  bool isStopped =
      launch.fault && launch.fault->kind == EmulationFault::Kind::Stopped;
  DynamicProfile profile;
  if (!launch.fault || isStopped)
    profile =
        buildProfile(launch, llvm::ArrayRef(contexts).take_front(threads));
  for (unsigned i = 0; i < threads; ++i) {
    contexts[i]->endBlock();
    contexts[i]->endWave();
    contexts[i]->endLaunch();
  }
  if (isStopped) {
    llvm::sort(launch.running, [](const auto &a, const auto &b) {
      return std::tuple(a.block[2], a.block[1], a.block[0]) <
             std::tuple(b.block[2], b.block[1], b.block[0]);
    });
    launch.fault->running = std::move(launch.running);
    launch.fault->profile =
        std::make_shared<DynamicProfile>(std::move(profile));
  }
  if (launch.fault)
    return llvm::make_error<EmulationFault>(std::move(*launch.fault));
  return profile;
}
