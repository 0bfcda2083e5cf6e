// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/RemarkPages.h"

#include "auspex/Model/Remark.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

using namespace auspex;
using llvm::StringRef;

namespace {

std::string printed(StringRef markdown) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePage(markdown, os);
  return text;
}

TEST(RemarkPages, EveryRemarkHasOne) {
  for (const RemarkInfo &remark : remarkInfos())
    EXPECT_TRUE(remarkPage(remark.id))
        << "docs/remarks/" << remark.id.str() << ".md is missing";
}

TEST(RemarkPages, EveryPageHasARemark) {
  for (const EmbeddedFile &page : remarkPages()) {
    StringRef id = page.fileName;
    ASSERT_TRUE(id.consume_back(".md")) << id.str();
    const RemarkInfo *remark = findRemark(id);
    EXPECT_TRUE(remark && remark->id == id)
        << id.str() << " is not in Remarks.def";
  }
}

TEST(RemarkPages, BeginWithTheNameAndWhatItSays) {
  for (const RemarkInfo &remark : remarkInfos()) {
    StringRef page = remarkPage(remark.id).value_or("");
    EXPECT_TRUE(page.starts_with(("# " + remark.id + "\n\n").str()))
        << remark.id.str();
    // Lines may break anywhere.
    std::string head =
        llvm::join(llvm::split(page.split("\n## ").first, '\n'), " ");
    EXPECT_TRUE(StringRef(head).rtrim().ends_with_insensitive(
        (" " + remark.doc + ".").str()))
        << head;
  }
}

TEST(RemarkPages, HaveTheSameSections) {
  for (const EmbeddedFile &page : remarkPages()) {
    llvm::SmallVector<StringRef, 0> lines, sections;
    page.text.split(lines, '\n');
    for (StringRef line : lines)
      if (line.consume_front("## "))
        sections.push_back(line);
    EXPECT_EQ(llvm::join(sections, ", "),
              "What it means, Example, What to do, How to silence")
        << page.fileName.str();
  }
}

TEST(RemarkPages, FitATerminal) {
  for (const EmbeddedFile &page : remarkPages())
    for (StringRef line : llvm::split(page.text, '\n'))
      EXPECT_LE(line.size(), 80u) << page.fileName.str() << ": " << line.str();
}

TEST(RemarkPages, AreFoundByExactName) {
  EXPECT_TRUE(remarkPage("TailEffect"));
  EXPECT_FALSE(remarkPage("tailEffect"));
  EXPECT_FALSE(remarkPage("TailEffect.md"));
  EXPECT_FALSE(remarkPage(""));
}

TEST(RemarkPages, FindsRemarksWhateverTheirCase) {
  EXPECT_EQ(findRemark("taileffect"), findRemark("TailEffect"));
  EXPECT_EQ(findRemark("Tail"), nullptr);
  EXPECT_EQ(findRemark(""), nullptr);
}

TEST(WritePage, UnderlinesHeadings) {
  EXPECT_EQ(printed("# Id\n\nText.\n\n## What `it` means\n"),
            "Id\n==\n\nText.\n\nWhat it means\n-------------\n");
}

TEST(WritePage, IndentsCodeAndLeavesItAlone) {
  EXPECT_EQ(printed("```cuda\n# `a`[0](1)\n\n  b;\n```\nText.\n"),
            "    # `a`[0](1)\n\n      b;\nText.\n");
}

TEST(WritePage, TakesMarksOffWords) {
  EXPECT_EQ(printed("See [the `Id`](Id.md) and [x](y)."),
            "See the Id and x.\n");
  EXPECT_EQ(printed("`a[i](b)` and a[i] (b)"), "a[i](b) and a[i] (b)\n");
  EXPECT_EQ(printed("[open](end"), "[open](end\n");
}

} // namespace
