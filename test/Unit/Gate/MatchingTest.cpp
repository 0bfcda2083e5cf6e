// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Matching.h"

#include "Records.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace auspex;

// k(int), k(long), k(float*), t<float>(int), t<double>(int).
static constexpr const char *OfInt = "_Z1ki", *OfLong = "_Z1kl",
                            *OfPointer = "_Z1kPf", *OfFloat = "_Z1tIfEvi",
                            *OfDouble = "_Z1tIdEvi";

static std::string textOf(const RecordPair &pair) {
  auto side = [](const KernelRecord *record) {
    return record ? record->demangled + "/" +
                        std::to_string(record->launch.block->value.x)
                  : std::string("-");
  };
  return side(pair.base) + " : " + side(pair.head);
}

static std::vector<std::string> match(const std::vector<KernelRecord> &base,
                                      const std::vector<KernelRecord> &head) {
  std::vector<std::string> texts;
  for (const RecordPair &pair : matchRecords(base, head))
    texts.push_back(textOf(pair));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Matching, TheSameLaunchIsPairedFirst) {
  // The launch of 128 is new and stands before the other one.
  EXPECT_EQ(match({makeRecord(OfInt, 1, 256, 0)},
                  {makeRecord(OfInt, 1, 128, 0), makeRecord(OfInt, 1, 256, 1)}),
            (Texts{"- : k(int)/128", "k(int)/256 : k(int)/256"}));
}

TEST(Matching, AnotherSignatureIsTheSameKernel) {
  EXPECT_EQ(match({makeRecord(OfInt, 1)}, {makeRecord(OfLong, 1)}),
            (Texts{"k(int)/256 : k(long)/256"}));
  auto pairs = std::vector{makeRecord(OfInt, 1)};
  auto heads = std::vector{makeRecord(OfLong, 1, 128)};
  EXPECT_EQ(matchRecords(pairs, heads).front().differences(),
            (Texts{"signature k(int) -> k(long)", "block 256x1x1 -> 128x1x1"}));
}

TEST(Matching, PositionsTellLaunchesOfAKernelApart) {
  EXPECT_EQ(match({makeRecord(OfInt, 1, 64, 0), makeRecord(OfInt, 1, 256, 1)},
                  {makeRecord(OfInt, 1, 96, 0), makeRecord(OfInt, 1, 512, 1)}),
            (Texts{"k(int)/64 : k(int)/96", "k(int)/256 : k(int)/512"}));
}

TEST(Matching, OverloadsKeepTheirNames) {
  EXPECT_EQ(
      match({makeRecord(OfInt, 1, 256, 0), makeRecord(OfPointer, 1, 256, 1)},
            {makeRecord(OfInt, 1, 256, 1), makeRecord(OfPointer, 1, 256, 0)}),
      (Texts{"k(float*)/256 : k(float*)/256", "k(int)/256 : k(int)/256"}));
}

TEST(Matching, TemplateArgumentsMayChange) {
  EXPECT_EQ(match({makeRecord(OfFloat, 1)}, {makeRecord(OfDouble, 1)}).size(),
            1u);
  // An instance more is a new one.
  EXPECT_EQ(match({makeRecord(OfFloat, 1)},
                  {makeRecord(OfFloat, 1), makeRecord(OfDouble, 1)}),
            (Texts{"- : void t<double>(int)/256",
                   "void t<float>(int)/256 : void t<float>(int)/256"}));
}

// What moved into a namespace or out of one, unless two could be meant.
TEST(Matching, NamespacesMayChange) {
  static constexpr const char *OfA = "_ZN1a1kEi", *OfB = "_ZN1b1kEi",
                              *OfAnonymous = "_ZN12_GLOBAL__N_11kEi";
  EXPECT_EQ(match({makeRecord(OfInt, 1)}, {makeRecord(OfA, 1)}),
            (Texts{"k(int)/256 : a::k(int)/256"}));
  EXPECT_EQ(match({makeRecord(OfA, 1, 64, 0), makeRecord(OfA, 1, 128, 1)},
                  {makeRecord(OfAnonymous, 1, 32, 0),
                   makeRecord(OfAnonymous, 1, 96, 1)}),
            (Texts{"a::k(int)/64 : (anonymous namespace)::k(int)/32",
                   "a::k(int)/128 : (anonymous namespace)::k(int)/96"}));
  EXPECT_EQ(
      match({makeRecord(OfInt, 1)}, {makeRecord(OfA, 1), makeRecord(OfB, 1)}),
      (Texts{"- : a::k(int)/256", "- : b::k(int)/256", "k(int)/256 : -"}));
  EXPECT_EQ(
      match({makeRecord(OfA, 1), makeRecord(OfB, 1)}, {makeRecord(OfInt, 1)}),
      (Texts{"a::k(int)/256 : -", "b::k(int)/256 : -", "- : k(int)/256"}));
  // One that stayed where it was is not meant.
  EXPECT_EQ(
      match({makeRecord(OfA, 1), makeRecord(OfInt, 1)},
            {makeRecord(OfA, 1), makeRecord(OfB, 1)}),
      (Texts{"a::k(int)/256 : a::k(int)/256", "k(int)/256 : b::k(int)/256"}));
}

TEST(Matching, OtherKernelsAreNoPair) {
  EXPECT_EQ(match({makeRecord(OfInt, 1)}, {makeRecord(OfFloat, 1)}).size(), 2u);
  KernelRecord elsewhere = makeRecord(OfInt, 1);
  elsewhere.gpu = "L40";
  EXPECT_EQ(match({makeRecord(OfInt, 1)}, {elsewhere}).size(), 2u);
}

// Whatever the order of the records: the same pairs, each record in one of
// them, and none left on both sides that a pass would take.
TEST(Matching, AnyOrderGivesTheSamePairs) {
  std::mt19937 random(1);
  const char *names[] = {OfInt, OfLong, OfPointer, OfFloat, OfDouble};
  auto draw = [&] {
    std::vector<KernelRecord> records;
    unsigned count = random() % 8;
    for (unsigned i = 0; i < count; ++i) {
      records.push_back(
          makeRecord(names[random() % 5], 1, 32 << random() % 3, i));
      records.back().location.line = i;
    }
    return records;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<KernelRecord> base = draw(), head = draw();
    std::vector<std::string> first = match(base, head);
    std::shuffle(base.begin(), base.end(), random);
    std::shuffle(head.begin(), head.end(), random);
    EXPECT_EQ(match(base, head), first);
    size_t records = 0, baseAlone = 0, headAlone = 0;
    for (const RecordPair &pair : matchRecords(base, head)) {
      records += (pair.base != nullptr) + (pair.head != nullptr);
      bool isK = pair.any().qualifiedName() == "k";
      baseAlone += isK && !pair.head;
      headAlone += isK && !pair.base;
    }
    EXPECT_EQ(records, base.size() + head.size());
    EXPECT_TRUE(baseAlone == 0 || headAlone == 0);
  }
}
