// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cache still holds when it is read again: windows from a fraction of
// L1, and of L2, to several times as much, pass after pass.
#include "../measure.h"

constexpr int threads = 512;
constexpr int mostOfSM = 768 * 1024 / sizeof(float4);

// Each block a window of its own.
__global__ void readWindow(const float4 *values, int window, int passes,
                           float *out) {
  const float4 *mine = values + size_t(blockIdx.x) * window;
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (int i = threadIdx.x; i < window; i += threads)
      sum += mine[i].x + mine[i].y + mine[i].z + mine[i].w;
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// The same past L1.
__global__ void readWindowOfL2(const float4 *values, int window, int passes,
                               float *out) {
  const float4 *mine = values + size_t(blockIdx.x) * window;
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (int i = threadIdx.x; i < window; i += threads) {
      float4 value = __ldcg(&mine[i]);
      sum += value.x + value.y + value.z + value.w;
    }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// All blocks the same window, a pass from each one's own place on: where L1 is
// too small, from L2.
__global__ void readApart(const float4 *values, int window, int share,
                          int passes, float *out) {
  float sum = 0;
  int first = blockIdx.x * share + threadIdx.x;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = first; i < window; i += threads)
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
    for (int i = threadIdx.x; i < first; i += threads)
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// The same at the same time.
__global__ void readTogether(const float4 *values, int window, int passes,
                             float *out) {
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (int i = threadIdx.x; i < window; i += threads)
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

static void measureL1(measure::Session &session, unsigned blocksPerSM) {
  unsigned blocks = session.device().multiProcessorCount * blocksPerSM;
  measure::Array<float4> values(
      session, size_t(session.device().multiProcessorCount) * mostOfSM);
  measure::Array<float> out(session, size_t(blocks) * threads);
  const int passes = 256;
  for (int kibOfSM : {32, 64, 96, 128, 160, 176, 192, 208, 224, 240, 256, 288,
                      320, 384, 512, 768}) {
    const int window =
        kibOfSM * 1024 / static_cast<int>(sizeof(float4) * blocksPerSM);
    session.run(KERNEL(readWindow), {dim3(blocks), dim3(threads)}, values,
                ARG(window), ARG(passes), out);
  }
}

static void measureOwn(measure::Session &session, const measure::Launch &launch,
                       const measure::Array<float4> &values, int window,
                       const measure::Array<float> &out) {
  const int passes = 64;
  session.run(KERNEL(readWindowOfL2), launch, values, ARG(window), ARG(passes),
              out);
}

static void measureL2(measure::Session &session) {
  unsigned blocks = session.device().multiProcessorCount * 2;
  measure::Array<float4> values(session, size_t(128) << 16);
  measure::Array<float> out(session, size_t(blocks) * threads);
  const int passes = 4;
  for (int mib :
       {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 64, 96, 128}) {
    // Whole rounds of a block, as many for each.
    const int share =
        (mib << 16) / static_cast<int>(blocks * threads) * threads;
    const int window = share * static_cast<int>(blocks);
    measure::Launch launch{dim3(blocks), dim3(threads)};
    if (share > 0) {
      measureOwn(session, launch, values, share, out);
      session.run(KERNEL(readApart), launch, values, ARG(window), ARG(share),
                  ARG(passes), out);
    }
    if (mib == 1 || mib == 8 || mib == 32 || mib == 128)
      session.run(KERNEL(readTogether), launch, values, ARG(window),
                  ARG(passes), out);
  }
}

MEASURE {
  for (unsigned blocksPerSM : {1, 2, 4})
    if (blocksPerSM * threads <=
        unsigned(session.device().maxThreadsPerMultiProcessor))
      measureL1(session, blocksPerSM);
  measureL2(session);
}
