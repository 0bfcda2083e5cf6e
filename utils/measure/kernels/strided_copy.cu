// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline stridedCopyMain
#include "../../../examples/strided_copy.cu"
#undef main

MEASURE {
  constexpr int most = 33;
  constexpr size_t bytes = size_t(1) << 24;
  measure::Array<float> in(session, most * bytes / sizeof(float));
  measure::Array<float> out(session, bytes / sizeof(float));
  double *in8 = reinterpret_cast<double *>(in.get());
  double *out8 = reinterpret_cast<double *>(out.get());
  float4 *in16 = reinterpret_cast<float4 *>(in.get());
  float4 *out16 = reinterpret_cast<float4 *>(out.get());
  for (int stride : {1, 2, 3, 4, 7, 8, 16, 32, most}) {
    session.run(KERNEL(strided::copy<float>), measure::cover(bytes / 4, 256),
                in, out, ARG(stride));
    session.run(KERNEL(strided::copy<double>), measure::cover(bytes / 8, 256),
                in8, out8, ARG(stride));
    session.run(KERNEL(strided::copy<float4>), measure::cover(bytes / 16, 256),
                in16, out16, ARG(stride));
  }
}
