// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/PtxText.h"
#include "gtest/gtest.h"

using namespace auspex;

namespace {

TEST(PtxText, TakesStatementsApart) {
  PtxText text("{\n\t.reg .pred p; // a predicate\n"
               "setp.ne.b32 p, $0, 0;\n"
               "@!p ld.global.v2.f32 {$1, ${2:r}}, [$3 + 8]; }");
  ASSERT_EQ(text.statements().size(), 3u);
  EXPECT_FALSE(text.statements()[0].isInstruction());
  const PtxStatement &set = text.statements()[1];
  EXPECT_EQ(set.name, "setp");
  EXPECT_TRUE(set.predicate.empty());
  EXPECT_EQ(set.operands.size(), 3u);
  EXPECT_TRUE(set.isInstruction());
  const PtxStatement &load = text.statements()[2];
  EXPECT_EQ(load.predicate, "!p");
  EXPECT_EQ(load.name, "ld");
  EXPECT_TRUE(load.has("global"));
  EXPECT_EQ(load.type(), "f32");
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(ptxElements(load.operands[0]),
            (llvm::SmallVector<llvm::StringRef, 4>{"$1", "$2"}));
  EXPECT_EQ(ptxElements("$5").size(), 1u);
}

TEST(PtxText, LabelsAreStatements) {
  PtxText text("$$L_loop: L2: @p bra.uni $$L_loop;");
  ASSERT_EQ(text.statements().size(), 3u);
  EXPECT_EQ(text.statements()[0].label, "$L_loop");
  EXPECT_EQ(text.statements()[1].label, "L2");
  EXPECT_FALSE(text.statements()[1].isInstruction());
  EXPECT_EQ(text.statements()[2].name, "bra");
  EXPECT_EQ(text.statements()[2].operands.front(), "$L_loop");
}

TEST(PtxText, ReadsAddresses) {
  EXPECT_EQ(parsePtxAddress("[$3]")->base, "$3");
  EXPECT_EQ(parsePtxAddress("[$3]")->displacement, 0);
  EXPECT_EQ(parsePtxAddress("[$3 + 0x10]")->displacement, 16);
  EXPECT_EQ(parsePtxAddress("[$3+-4]")->displacement, -4);
  EXPECT_FALSE(parsePtxAddress("[$3+$4]"));
}

} // namespace
