// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "auspex/Kernel/FloatOrder.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace auspex;

namespace {

TEST(FloatOrder, PlacesAreOrderedAsNumbersAre) {
  using Limits = std::numeric_limits<double>;
  double ascending[] = {-Limits::infinity(),
                        -Limits::max(),
                        -1.5,
                        -1,
                        -Limits::min(),
                        0,
                        1e-30,
                        0.1,
                        1,
                        1 + 1e-12,
                        1e300,
                        Limits::infinity()};
  for (size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(floatPlace(ascending[i - 1]), floatPlace(ascending[i]))
        << ascending[i];
  EXPECT_EQ(floatPlace(-0.0), 0);
  EXPECT_EQ(floatPlace(0.0), 0);
}

// All floats are told apart, and the distance of two places is a number.
TEST(FloatOrder, NeighbouringFloatsDiffer) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 10000; ++i) {
    auto number = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(number) || std::isinf(number))
      continue;
    float next = std::nextafter(number, std::numeric_limits<float>::infinity());
    EXPECT_LT(floatPlace(number), floatPlace(next));
    int64_t distance = 0;
    EXPECT_FALSE(__builtin_sub_overflow(floatPlace(number), floatPlace(-1e308),
                                        &distance));
  }
}

} // namespace
