// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline vectoraddMain
#include "../../../examples/vectoradd.cu"
#undef main

MEASURE {
  constexpr int n = 1 << 26;
  measure::Array<float> a(session, n), b(session, n), result(session, n);
  for (int block : {32, 64, 128, 256, 512, 1024})
    session.run(KERNEL(vectorAdd), measure::cover(n, block), a, b, result);
}
