// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline star2dMain
#include "../../../examples/star2d.cu"
#undef main

MEASURE {
  measure::Array<double> in(session, Large::cells), out(session, Large::cells);
  for (dim3 block : {dim3(2, 256), dim3(16, 32), dim3(32, 8), dim3(32, 16),
                     dim3(128, 4), dim3(256, 2), dim3(512, 1), dim3(1024, 1)})
    session.run(
        KERNEL(star<Large>),
        {dim3(ceilDiv(Large::width, block.x), ceilDiv(Large::height, block.y)),
         block},
        in, out);
}
