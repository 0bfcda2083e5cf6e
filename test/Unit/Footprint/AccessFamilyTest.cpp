// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AccessFamily.h"
#include "BruteForce.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace auspex;
using namespace auspex::test;

namespace {

void addFirsts(const StridedAccess &access, size_t dimension, int64_t at,
               std::set<int64_t> &firsts) {
  if (dimension == access.dimensions.size()) {
    firsts.insert(at);
    return;
  }
  auto [stride, count] = access.dimensions[dimension];
  for (int64_t i = 0; i < count; ++i)
    addFirsts(access, dimension + 1, at + i * stride, firsts);
}

std::set<int64_t> firstsOf(const AddressSet &set) {
  std::set<int64_t> firsts;
  for (const StridedAccess &access : set)
    addFirsts(access, 0, access.first, firsts);
  return firsts;
}

/// A star of radius 4 in rows of 1000 bytes and planes of 100000.
std::vector<int64_t> star(int64_t fold) {
  std::set<int64_t> offsets;
  for (int64_t r = -4; r <= 4; ++r)
    for (int64_t f = 0; f < fold; ++f)
      for (int64_t pitch : {8, 1000, 100000})
        offsets.insert(f * 100000 + r * pitch);
  return {offsets.begin(), offsets.end()};
}

TEST(AccessFamily, AStarIsThreeArms) {
  AddressSet arms = coverOffsets(star(1), 8, {8, 1000, 100000});
  EXPECT_EQ(arms.size(), 3u);
  EXPECT_EQ(firstsOf(arms).size(), 25u);
  // The arms of both cells along z are one.
  EXPECT_EQ(coverOffsets(star(2), 8, {8, 1000, 100000, 200000}).size(), 3u);
}

TEST(AccessFamily, CoverIsExact) {
  RandomKernel make(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int64_t> strides(make.number(0, 3));
    for (int64_t &stride : strides)
      stride = make.number(1, 12) * 4;
    llvm::sort(strides);
    std::set<int64_t> offsets;
    for (int64_t i = make.number(1, 40); i > 0; --i)
      offsets.insert(make.number(-20, 20) * 4);
    std::vector<int64_t> sorted(offsets.begin(), offsets.end());
    ASSERT_EQ(firstsOf(coverOffsets(sorted, 4, strides)), offsets);
  }
}

/// What a family touches in some blocks is what its accesses touch.
TEST(AccessFamily, EqualsItsAccesses) {
  RandomKernel make(8);
  unsigned counted = 0;
  for (int round = 0; round < 2000; ++round) {
    LaunchShape shape = make.shape();
    std::vector<DomainLoop> loops = make.loops();
    Expr condition = make.condition(loops);
    auto domain = IterationDomain::create(shape, loops, condition);
    ASSERT_TRUE(domain);
    auto pattern = AccessPattern::create(
        std::make_shared<const AccessDomain>(
            std::make_shared<const IterationDomain>(std::move(*domain)), loops,
            condition),
        make.offset(loops), 1u << make.number(0, 4));
    if (!pattern)
      continue;
    std::vector<int64_t> constants;
    for (int64_t i = make.number(1, 12); i > 0; --i)
      constants.push_back(make.number(-12, 12) * 4 * make.number(1, 9));
    llvm::sort(constants);
    constexpr int64_t Sector = 32, Line = 128;
    AddressSet alone, together, each;
    bool isKnown = true;
    for (const BlockBox &blocks :
         blocksInOrder(shape.grid, make.number(0, 5), make.number(1, 20))) {
      isKnown &= pattern->movedBy(-pattern->first())
                     .append(blocks, pattern->iterations(), alone)
                     .has_value();
      for (int64_t constant : constants)
        isKnown &= pattern->movedBy(constant - pattern->first())
                       .append(blocks, pattern->iterations(), each)
                       .has_value();
    }
    if (!isKnown)
      continue;
    for (StridedAccess &access : alone)
      ASSERT_TRUE(normalize(access, Sector));
    AccessFamily family(pattern->sharedShape(), constants);
    ASSERT_EQ(family.size(), constants.size());
    ASSERT_TRUE(family.append(alone, Sector, together));
    ++counted;
    auto counts = countNormalized(together, {Ruler{Sector}, Ruler{Line}});
    ASSERT_EQ(counts[0], countUnits(each, Sector)) << "round " << round;
    ASSERT_EQ(counts[1], countUnits(each, Line)) << "round " << round;
  }
  EXPECT_GT(counted, 1500u);
}

} // namespace
