// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline divergentMain
#include "../../../examples/divergent.cu"
#undef main

#include <random>

MEASURE {
  constexpr int n = 1 << 24;
  const size_t size = session.launches() ? n : 0;
  measure::Array<float> values(session, std::vector<float>(size, 1.5f));
  std::vector<int> kinds(size);
  std::mt19937 random(9);
  for (int &kind : kinds)
    kind = static_cast<int>(random() % 8);
  measure::Array<int> kind(session, kinds);
  for (int block : {128, 512}) {
    measure::Launch launch = measure::cover(n, block);
    session.run(KERNEL(divergeByLane), launch, values);
    session.run(KERNEL(divergeByWarp), launch, values);
    session.run(KERNEL(divergeByData), launch, values, kind);
  }
}
