// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline nbodyMain
#include "../../../examples/nbody.cu"
#undef main

MEASURE {
  for (int n : {16384, 65536}) {
    measure::Array<float4> bodies(session, n), acceleration(session, n);
    session.run(KERNEL(nbody::accelerate), measure::cover(n, nbody::tile),
                bodies, acceleration, ARG(n));
  }
}
