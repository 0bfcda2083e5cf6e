// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/IgnoreComments.h"

#include "gtest/gtest.h"

using namespace auspex;

static std::string read(llvm::StringRef text) {
  std::string result;
  for (const IgnoreComment &comment : findIgnoreComments(text))
    result += std::to_string(comment.line) + ">" +
              std::to_string(comment.target) + " " + comment.id + "(" +
              comment.reason + ") ";
  return result;
}

TEST(IgnoreComments, BehindCodeTheyAreForTheirLine) {
  EXPECT_EQ(read("a;\nb; // auspex: ignore(TailEffect) once"),
            "2>2 TailEffect(once) ");
  EXPECT_EQ(read("b; /* auspex: ignore(TailEffect) once */ c;"),
            "1>1 TailEffect(once) ");
}

TEST(IgnoreComments, AloneTheyAreForTheNextLineOfCode) {
  EXPECT_EQ(read("  // auspex: ignore(A,B ) why\n\n  // more\nb;\n"),
            "1>4 A(why) 1>4 B(why) ");
}

TEST(IgnoreComments, WhatIsNoneIsNotRead) {
  EXPECT_EQ(read("auspex: ignore(A) no comment"), "");
  EXPECT_EQ(read("// auspex ignore(A) why"), "");
  EXPECT_EQ(read("#pragma auspex launch(grid:1)"), "");
  EXPECT_EQ(read(""), "");
}

TEST(IgnoreComments, WhatIsIncompleteIsKeptForTheComplaint) {
  EXPECT_EQ(read("b; // auspex: ignore(A)"), "1>1 A() ");
  EXPECT_EQ(read("b; // auspex: ignore"), "1>1 () ");
}
