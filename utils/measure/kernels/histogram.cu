// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What contention costs: one colour and random ones, in grids of other sizes,
// by which a run in the emulator finds them.
#include "../measure.h"

#define main inline histogramMain
#include "../../../examples/histogram.cu"
#undef main

#include <random>

MEASURE {
  const int n = 1 << 22;
  measure::Array<unsigned> counts(session, counters);
  std::vector<unsigned> pixels(session.launches() ? n : 0, 0x28140a05u);
  for (unsigned blocks : {512, 1024}) {
    measure::Array<unsigned> picture(session, pixels);
    measure::Launch launch{dim3(blocks), dim3(256)};
    session.run(KERNEL(histogramGlobal), launch, picture, ARG(n), counts);
    session.run(KERNEL(histogramShared), launch, picture, ARG(n), counts);
    session.run(KERNEL(histogramInTurns), launch, picture, ARG(n), counts);
    std::mt19937 random(3);
    for (unsigned &pixel : pixels)
      pixel = static_cast<unsigned>(random());
  }
}
