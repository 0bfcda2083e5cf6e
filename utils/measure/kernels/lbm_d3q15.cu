// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline lbmMain
#include "../../../examples/lbm_d3q15.cu"
#undef main

MEASURE {
  const Fluid fluid = {{0.02, 0.01, 0}, 1.25, 4};
  constexpr size_t size = size_t(populationCount) * Large::cells;
  measure::Array<double> populations(session, size);
  measure::Array<double> newPopulations(session, size);
  measure::Array<double> phase(session, Large::cells);
  measure::Array<double> newPhase(session, Large::cells);
  for (dim3 block : {dim3(4, 32, 4), dim3(8, 1, 64), dim3(16, 8, 4),
                     dim3(64, 1, 8), dim3(64, 8, 1), dim3(256, 2, 1)})
    session.run(
        KERNEL(trackInterface<Large>),
        {dim3(ceilDiv(Large::width, block.x), ceilDiv(Large::height, block.y),
              ceilDiv(Large::depth, block.z)),
         block},
        populations, phase, newPopulations, newPhase, fluid);
}
