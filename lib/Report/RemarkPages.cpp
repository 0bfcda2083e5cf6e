// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/RemarkPages.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using llvm::StringRef;

std::optional<StringRef> auspex::remarkPage(StringRef id) {
  for (const EmbeddedFile &page : remarkPages())
    if (page.fileName.ends_with(".md") && page.fileName.drop_back(3) == id)
      return page.text;
  return std::nullopt;
}

/// A line of prose: `code` loses its ticks and [text](target) its target.
static std::string plainText(StringRef line) {
  std::string text;
  bool isCode = false;
  while (!line.empty()) {
    size_t textEnd = line.find("](");
    size_t targetEnd = line.find(')', textEnd);
    if (line[0] == '`') {
      isCode = !isCode;
    } else if (!isCode && line[0] == '[' && targetEnd != StringRef::npos) {
      text += plainText(line.substr(1, textEnd - 1));
      line = line.substr(targetEnd);
    } else {
      text += line[0];
    }
    line = line.drop_front();
  }
  return text;
}

static void writeHeading(StringRef line, llvm::raw_ostream &os) {
  char mark = line.starts_with("##") ? '-' : '=';
  std::string text = plainText(line.ltrim('#').trim());
  os << text << '\n' << std::string(text.size(), mark) << '\n';
}

void auspex::writePage(StringRef markdown, llvm::raw_ostream &os) {
  llvm::SmallVector<StringRef, 0> lines;
  markdown.rtrim().split(lines, '\n');
  bool isCode = false;
  for (StringRef line : lines)
    if (line.starts_with("```"))
      isCode = !isCode;
    else if (isCode)
      os << (line.empty() ? "" : "    ") << line << '\n';
    else if (line.starts_with("#"))
      writeHeading(line, os);
    else
      os << plainText(line) << '\n';
}
