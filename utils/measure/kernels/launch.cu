// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one kernel to the next in a stream: kernels that do nothing.
#include "../measure.h"

__global__ void nothing() {}

MEASURE {
  measure::Launch launch{dim3(1), dim3(32)};
  launch.inARow = 1000;
  session.run(KERNEL(nothing), launch);
  launch.grid = 8 * session.device().multiProcessorCount;
  session.run(KERNEL(nothing), launch);
}
