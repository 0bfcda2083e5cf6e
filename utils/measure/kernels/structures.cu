// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of structures, a structure a thread, field by field: what becomes of
// parts of sectors, on their way to L2 and to DRAM.
#include "../measure.h"

/// The first fields of structures of so many words.
template <int words, int fields>
__global__ void storeFields(float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
#pragma unroll
  for (int field = 0; field < fields; ++field)
    out[size_t(words) * i + field] = float(i + field);
}

template <int words, int fields>
__global__ void loadFields(const float *in, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
#pragma unroll
  for (int field = 0; field < fields; ++field)
    sum += in[size_t(words) * i + field];
  out[i] = sum;
}

template <int words, int fields>
static void
measureFields(measure::Session &session, const measure::Array<float> &in,
              const measure::Array<float> &out, size_t bytes, int inARow) {
  const int count = static_cast<int>(bytes / sizeof(float) / words);
  measure::Launch launch = measure::cover(count, 256);
  launch.inARow = inARow;
  std::string instance =
      '<' + std::to_string(words) + ", " + std::to_string(fields) + '>';
  session.run(("storeFields" + instance).c_str(), &storeFields<words, fields>,
              launch, out, ARG(count));
  session.run(("loadFields" + instance).c_str(), &loadFields<words, fields>,
              launch, in, out, ARG(count));
}

/// In L2, many times in a row, and far beyond it.
template <int words>
static void measureStructure(measure::Session &session,
                             const measure::Array<float> &in,
                             const measure::Array<float> &out) {
  for (auto [bytes, inARow] :
       {std::pair(size_t(1) << 23, 16), std::pair(size_t(1) << 28, 0)}) {
    measureFields<words, 1>(session, in, out, bytes, inARow);
    if constexpr (words > 1 && words <= 8)
      measureFields<words, words>(session, in, out, bytes, inARow);
  }
}

MEASURE {
  constexpr size_t values = (size_t(1) << 28) / sizeof(float);
  measure::Array<float> in(session, values), out(session, values);
  measureStructure<1>(session, in, out);
  measureStructure<2>(session, in, out);
  measureStructure<3>(session, in, out);
  measureStructure<4>(session, in, out);
  measureStructure<5>(session, in, out);
  measureStructure<8>(session, in, out);
  measureStructure<16>(session, in, out);
  measureStructure<32>(session, in, out);
}
