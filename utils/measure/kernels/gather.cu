// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline gatherMain
#include "../../../examples/gather.cu"
#undef main

#include <algorithm>
#include <random>

MEASURE {
  const int n = 1 << 24;
  std::vector<int> order(session.launches() ? n : 0);
  std::iota(order.begin(), order.end(), 0);
  measure::Array<float> x(session, n), y(session, n);
  {
    measure::Array<int> index(session, order);
    session.run(KERNEL(gather), measure::cover(n, 128), x, index, y, ARG(n));
  }
  std::shuffle(order.begin(), order.end(), std::mt19937(11));
  measure::Array<int> index(session, order);
  session.run(KERNEL(gather), measure::cover(n, 256), x, index, y, ARG(n));
}
