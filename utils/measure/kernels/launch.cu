// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one kernel to the next in a stream, and from one block to the next on an
// SM: kernels that do nothing.
#include "../measure.h"

__global__ void nothing() {}

MEASURE {
  measure::Launch launch{dim3(1), dim3(32)};
  launch.inARow = 1000;
  session.run(KERNEL(nothing), launch);
  launch.grid = 8 * session.device().multiProcessorCount;
  session.run(KERNEL(nothing), launch);
  for (unsigned block : {32, 64, 128, 256, 512, 1024})
    session.run(KERNEL(nothing), {dim3(1 << 20), dim3(block)});
}
