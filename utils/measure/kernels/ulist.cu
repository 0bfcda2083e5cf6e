// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measure.h"

#define main inline ulistMain
#include "../../../examples/papers/ulist.cu"
#undef main

#include <cstring>

// All combinations from this one on.
template <unsigned switches = 0>
static void measureFrom(measure::Session &session, const Points &points,
                        const measure::Array<int> &list, int neighbours,
                        const measure::Array<float> &potential, int boxes) {
  if constexpr (isCombination(switches)) {
    std::string name = "uList<" + std::to_string(switches) + ">";
    session.run(
        name.c_str(), &uList<switches>,
        {dim3(boxes), dim3(boxPoints / (switches & with::ujam ? 2 : 1))},
        points, list, ARG(neighbours), potential);
  }
  if constexpr (switches + 1 < 2 * with::rsqrt)
    measureFrom<switches + 1>(session, points, list, neighbours, potential,
                              boxes);
}

MEASURE {
  const int boxes = 4096, neighbours = 27;
  std::vector<int> nearest;
  for (int box = 0; box < boxes; ++box)
    for (int n = 0; n < neighbours; ++n)
      nearest.push_back((box + boxes + n - neighbours / 2) % boxes);
  const int count = boxes * boxPoints;
  measure::Array<float> x(session, fill<float>(count, 1)),
      y(session, fill<float>(count, 2)), z(session, fill<float>(count, 3)),
      weight(session, fill<float>(count, 4)), potential(session, count);
  std::vector<float> ofPacked = fill<float>(4 * count, 5);
  std::vector<float4> points(count);
  std::memcpy(points.data(), ofPacked.data(), count * sizeof(float4));
  measure::Array<float4> packed(session, points);
  measure::Array<int> list(session, nearest);
  measureFrom(session, {x.get(), y.get(), z.get(), weight.get(), packed.get()},
              list, neighbours, potential, boxes);
}
