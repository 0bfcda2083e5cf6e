// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms of an image, 256 bins for each of four channels: atomics on global
// memory, on shared memory, and on shared memory with the channels taken in
// turns. The pictures are of one colour (every lane hits one bin) and of random
// colours.
#include "check.h"

constexpr int channels = 4;
constexpr int bins = 256;
constexpr int counters = channels * bins;

// The value of a channel of a pixel packed into a word.
__device__ unsigned channelOf(unsigned pixel, unsigned channel) {
  return pixel >> (8 * channel) & 255;
}

// Four atomics on global memory a pixel. They are done in L2; with one colour
// all warps of the GPU wait for the same four words.
__global__ void histogramGlobal(const unsigned *pixels, int n,
                                unsigned *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned pixel = pixels[i];
    for (unsigned channel = 0; channel < channels; ++channel)
      atomicAdd(&counts[channel * bins + channelOf(pixel, channel)], 1u);
  }
}

// Atomics on shared memory, merged at the end. With one colour an atomic of a
// warp is 32 serial passes, with random colours about 3.5.
__global__ void histogramShared(const unsigned *pixels, int n,
                                unsigned *counts) {
  __shared__ unsigned local[counters];
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned pixel = pixels[i];
    for (unsigned channel = 0; channel < channels; ++channel)
      atomicAdd(&local[channel * bins + channelOf(pixel, channel)], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&counts[i], local[i]);
}

// Neighbouring threads start with different channels: with one colour the 32
// lanes fall on four words, 8 passes where they lie in different banks.
__global__ void histogramInTurns(const unsigned *pixels, int n,
                                 unsigned *counts) {
  __shared__ unsigned local[counters];
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned pixel = pixels[i];
    for (unsigned turn = 0; turn < channels; ++turn) {
      unsigned channel = (turn + threadIdx.x) % channels;
      atomicAdd(&local[channel * bins + channelOf(pixel, channel)], 1u);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < counters; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&counts[i], local[i]);
}

constexpr int size = 1 << 20;

// Runs the three kernels on one picture.
static bool runOn(const char *picture, const std::vector<unsigned> &pixels) {
  std::vector<unsigned> expected(counters, 0);
  for (unsigned pixel : pixels)
    for (int channel = 0; channel < channels; ++channel)
      ++expected[channel * bins + (pixel >> (8 * channel) & 255)];

  DeviceArray<unsigned> device(pixels), counts(counters);
  const int threads = 256;
  const int blocks = 512;
  std::printf("%s:\n", picture);

  Stopwatch globalWatch;
  histogramGlobal<<<blocks, threads>>>(device.get(), size, counts.get());
  globalWatch.report("global atomics");
  bool passed = compare("global", counts.copyBack(), expected);

  counts.clear();
  Stopwatch sharedWatch;
  histogramShared<<<blocks, threads>>>(device.get(), size, counts.get());
  sharedWatch.report("shared atomics");
  passed &= compare("shared", counts.copyBack(), expected);

  counts.clear();
  Stopwatch turnsWatch;
  histogramInTurns<<<blocks, threads>>>(device.get(), size, counts.get());
  turnsWatch.report("shared, channels in turns");
  return passed & compare("in turns", counts.copyBack(), expected);
}

int main() {
  requireDevice();
  // Another value in each channel, so that the four bins are in four banks.
  std::vector<unsigned> oneColour(size, 0x28140a05u);
  std::vector<unsigned> random(size);
  Random source(3);
  for (unsigned &pixel : random)
    pixel = source.below(65536) << 16 | source.below(65536);
  bool passed = runOn("one colour", oneColour);
  passed &= runOn("random colours", random);
  return finish(passed);
}
