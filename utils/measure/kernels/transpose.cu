// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline transposeMain
#include "../../../examples/transpose.cu"
#undef main

MEASURE {
  measure::Array<float> in(session, width * height);
  measure::Array<float> out(session, width * height);
  measure::Launch launch{dim3(width / tile, height / tile),
                         dim3(tile, rowsPerPass)};
  session.run(KERNEL(transposeNaive), launch, in, out);
  session.run(KERNEL(transposeTiled), launch, in, out);
  session.run(KERNEL(transposePadded), launch, in, out);
}
