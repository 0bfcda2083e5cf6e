// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline saxpyMain
#include "../../../examples/saxpy.cu"
#undef main

MEASURE {
  const float a = 2.5f;
  for (int n : {1 << 20, 1 << 24, 1 << 26}) {
    measure::Array<float> x(session, n), y(session, n);
    for (int block : {64, 256, 1024})
      session.run(KERNEL(saxpy), measure::cover(n, block), ARG(n), a, x, y);
  }
}
