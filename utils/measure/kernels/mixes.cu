// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of DRAM for so many arrays that are read and so many that are
// written, with loads enough under way that no latency limits it.
#include "../measure.h"

/// Arrays of \p count vectors, one after the other.
template <int reads, int writes>
__global__ void mix(const float4 *in, float4 *out, int count, float never) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    float4 sum = {never, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < reads; ++k) {
      float4 value = in[size_t(k) * count + i];
      sum.x += value.x, sum.y += value.y, sum.z += value.z, sum.w += value.w;
    }
#pragma unroll
    for (int k = 0; k < writes; ++k)
      out[size_t(k) * count + i] = sum;
    if (writes == 0 && sum.x == 1)
      out[i] = sum;
  }
}

template <int reads, int writes>
static void measureMix(measure::Session &session,
                       const measure::Array<float4> &in,
                       const measure::Array<float4> &out, size_t vectors) {
  const int count = static_cast<int>(vectors / (reads + writes));
  const float never = 0;
  std::string name =
      "mix<" + std::to_string(reads) + ", " + std::to_string(writes) + '>';
  for (unsigned blocksPerSM : {2, 8}) {
    unsigned blocks = session.device().multiProcessorCount * blocksPerSM;
    session.run(name.c_str(), &mix<reads, writes>, {dim3(blocks), dim3(256)},
                in, out, ARG(count), never);
  }
}

MEASURE {
  constexpr size_t vectors = size_t(1) << 26;
  measure::Array<float4> in(session, vectors), out(session, vectors);
  measureMix<1, 0>(session, in, out, vectors);
  measureMix<4, 0>(session, in, out, vectors);
  measureMix<8, 1>(session, in, out, vectors);
  measureMix<4, 1>(session, in, out, vectors);
  measureMix<3, 1>(session, in, out, vectors);
  measureMix<2, 1>(session, in, out, vectors);
  measureMix<1, 1>(session, in, out, vectors);
  measureMix<4, 4>(session, in, out, vectors);
  measureMix<1, 2>(session, in, out, vectors);
  measureMix<0, 1>(session, in, out, vectors);
  measureMix<0, 4>(session, in, out, vectors);
}
