// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline matmulMain
#include "../../../examples/matmul.cu"
#undef main

MEASURE {
  for (int n : {512, 1024, 2048}) {
    measure::Array<float> a(session, n * n), b(session, n * n);
    measure::Array<float> c(session, n * n);
    auto launch = [&](unsigned x, unsigned y) {
      return measure::Launch{dim3(n / x, n / y), dim3(x, y)};
    };
    for (dim3 block : {dim3(8, 8), dim3(16, 16), dim3(32, 8), dim3(32, 32)})
      session.run(KERNEL(matmulNaive), launch(block.x, block.y), a, b, c,
                  ARG(n));
    session.run(KERNEL(matmulTiled<8>), launch(8, 8), a, b, c, ARG(n));
    session.run(KERNEL(matmulTiled<16>), launch(16, 16), a, b, c, ARG(n));
    session.run(KERNEL(matmulTiled<32>), launch(32, 32), a, b, c, ARG(n));
  }
}
