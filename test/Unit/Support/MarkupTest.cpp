// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Markup.h"

#include "gtest/gtest.h"

using namespace auspex;

TEST(Markup, ProseStaysOnItsLineOfMarkdown) {
  EXPECT_EQ(markdownText("a_b | <c>\nd"), "a\\_b \\| \\<c\\> d");
}

TEST(Markup, TextOfXmlHasNoSignsOfIt) {
  EXPECT_EQ(xmlText("a<b> & \"c\"\n\x01\t\xc3\xa9"),
            "a&lt;b&gt; &amp; &quot;c&quot;&#10;??\xc3\xa9");
}
