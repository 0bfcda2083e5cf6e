// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline stencil25Main
#include "../../../examples/stencil25.cu"
#undef main

static measure::Launch cells(unsigned x, unsigned y, unsigned z,
                             unsigned foldZ) {
  return {dim3(ceilDiv(Large::width, x), ceilDiv(Large::height, y),
               ceilDiv(Large::depth, z * foldZ)),
          dim3(x, y, z)};
}

MEASURE {
  const Weights weights = {{0.5, 0.25, -0.125, 0.0625, -0.03125}};
  measure::Array<double> in(session, Large::cells), out(session, Large::cells);
  for (dim3 block :
       {dim3(32, 32, 1), dim3(32, 8, 4), dim3(32, 2, 16), dim3(256, 1, 4),
        dim3(64, 4, 4), dim3(16, 2, 32), dim3(8, 8, 16), dim3(32, 4, 2)}) {
    session.run(KERNEL(star<Large, 1, 1>), cells(block.x, block.y, block.z, 1),
                in, out, weights);
    session.run(KERNEL(star<Large, 1, 2>), cells(block.x, block.y, block.z, 2),
                in, out, weights);
  }
}
