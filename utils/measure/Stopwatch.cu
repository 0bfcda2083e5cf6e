// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace measure;

static constexpr double WarmUpInMs = 50, LeastInMs = 100, MostInMs = 2000;
static constexpr size_t FewestSamples = 7;
static constexpr double Tolerance = 0.005;
static constexpr int FlushThreads = 256;

// Reading leaves nothing behind that the next kernel would have to write back.
__global__ void readOther(const float4 *other, size_t size, float *sum) {
  float total = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < size;
       i += gridDim.x * size_t(blockDim.x))
    total += other[i].x;
  if (total != 0)
    *sum = total;
}

Stopwatch::Stopwatch(const Session &session, const Nvml &nvml)
    : nvml(nvml), flushBlocks(8 * session.device().multiProcessorCount),
      flushed(3 * std::max(session.device().l2CacheSize, 1 << 22) /
              sizeof(float4)),
      other(session, flushed), sum(session, 1) {
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
}

Stopwatch::~Stopwatch() {
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

Stopwatch::Sample Stopwatch::sample(const std::function<void()> &launch,
                                    int inARow) const {
  if (inARow == 0)
    readOther<<<flushBlocks, FlushThreads>>>(other.get(), flushed, sum.get());
  check(cudaEventRecord(start), "cudaEventRecord");
  for (int i = 0; i < std::max(inARow, 1); ++i)
    launch();
  check(cudaEventRecord(stop), "cudaEventRecord");
  Sample result;
  // All of it is queued: the GPU is at work now.
  result.clocks = nvml.clocks();
  check(cudaEventSynchronize(stop), "the kernel");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
  result.inMs = ms / std::max(inARow, 1);
  return result;
}

/// What a share of the values does not exceed.
template <class T> static T quantile(std::vector<T> values, double share) {
  auto at =
      values.begin() + static_cast<long>(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Whether the median is known: its standard error, by the quartiles.
static bool isEnough(const std::vector<double> &times) {
  if (times.size() < FewestSamples)
    return false;
  double spread = quantile(times, 0.75) - quantile(times, 0.25);
  return spread / std::sqrt(times.size()) <= Tolerance * quantile(times, 0.5);
}

Timing Stopwatch::time(const std::function<void()> &launch, int inARow,
                       const std::function<void()> &afterSample) {
  using Clock = std::chrono::steady_clock;
  auto begin = Clock::now();
  auto passed = [&] {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin)
        .count();
  };
  do
    sample(launch, inARow);
  while (passed() < WarmUpInMs);

  std::vector<double> times;
  std::vector<unsigned> core, memory;
  begin = Clock::now();
  while (passed() < MostInMs || times.empty()) {
    Sample result = sample(launch, inARow);
    times.push_back(result.inMs);
    if (result.clocks) {
      core.push_back(result.clocks->core);
      memory.push_back(result.clocks->memory);
    }
    afterSample();
    if (passed() >= LeastInMs && isEnough(times))
      break;
  }
  Timing timing{quantile(times, 0.5), quantile(times, 0.1),
                quantile(times, 0.9), times.size(), std::nullopt};
  if (!core.empty())
    timing.clocks = {quantile(core, 0.5), quantile(memory, 0.5)};
  return timing;
}
