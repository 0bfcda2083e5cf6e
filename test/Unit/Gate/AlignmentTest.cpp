// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alignment.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace auspex;

/// "ab-b" for pairs: both sides, letter by letter, '-' for none.
static std::string alignTexts(llvm::StringRef base, llvm::StringRef head) {
  std::string text;
  auto distance = [&](size_t a, size_t b) {
    return std::min(1.0, std::abs(base[a] - head[b]) / 10.0);
  };
  for (AlignedPair pair : align(base.size(), head.size(), distance)) {
    text += pair.base == AlignedPair::None ? '-' : base[pair.base];
    text += pair.head == AlignedPair::None ? '-' : head[pair.head];
    text += ' ';
  }
  return text;
}

TEST(Alignment, WhatIsEqualIsPaired) {
  EXPECT_EQ(alignTexts("abc", "abc"), "aa bb cc ");
  EXPECT_EQ(alignTexts("", ""), "");
}

TEST(Alignment, AnInsertionLeavesTheRestInPlace) {
  EXPECT_EQ(alignTexts("aaz", "azaz"), "aa -z aa zz ");
  EXPECT_EQ(alignTexts("aza", "aa"), "aa z- aa ");
}

TEST(Alignment, WhatChangedALittleIsPaired) {
  EXPECT_EQ(alignTexts("amz", "anz"), "aa mn zz ");
}

TEST(Alignment, WhatMovedIsPaired) {
  EXPECT_EQ(alignTexts("aiqz", "iqza"), "ii qq zz aa ");
}

TEST(Alignment, ManyThatAreNewTakeNoTime) {
  constexpr size_t Many = 500000;
  EXPECT_EQ(align(0, Many, [](size_t, size_t) { return 0.0; }).size(), Many);
}

TEST(Alignment, EveryItemIsThereOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    size_t n = random() % 9, m = random() % 9;
    std::vector<int> base(n), head(m);
    for (int &value : base)
      value = random() % 5;
    for (int &value : head)
      value = random() % 5;
    std::vector<int> seenBase(n), seenHead(m);
    for (AlignedPair pair : align(n, m, [&](size_t a, size_t b) {
           return std::abs(base[a] - head[b]) / 3.0;
         })) {
      if (pair.base != AlignedPair::None)
        ++seenBase[pair.base];
      if (pair.head != AlignedPair::None)
        ++seenHead[pair.head];
    }
    EXPECT_EQ(seenBase, std::vector<int>(n, 1));
    EXPECT_EQ(seenHead, std::vector<int>(m, 1));
  }
}
