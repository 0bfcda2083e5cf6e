// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline reductionMain
#include "../../../examples/reduction.cu"
#undef main

MEASURE {
  const unsigned n = 1u << 26;
  measure::Array<int> in(session, n), out(session, n / 64);
  for (unsigned block : {128, 256, 512}) {
    measure::Launch launch = measure::cover(n, block);
    launch.shared = block * sizeof(int);
    session.run(KERNEL(reduceDivergent), launch, in, out);
    session.run(KERNEL(reduceStrided), launch, in, out);
    session.run(KERNEL(reduceSequential), launch, in, out);
    launch.grid = n / (2 * block);
    session.run(KERNEL(reduceAddOnLoad), launch, in, out);
    session.run(KERNEL(reduceUnrollWarp), launch, in, out);
  }
  session.run(KERNEL(reduceUnrolled<128>), measure::cover(n / 2, 128), in, out);
  session.run(KERNEL(reduceUnrolled<512>), measure::cover(n / 2, 512), in, out);
  for (unsigned blocksPerSM : {2, 8, 32})
    session.run(
        KERNEL(reduceGridStride<256>),
        {dim3(blocksPerSM * session.device().multiProcessorCount), dim3(256)},
        in, out, ARG(n));
}
