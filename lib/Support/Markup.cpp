// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Markup.h"

using namespace auspex;

std::string auspex::markdownText(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (llvm::StringRef("\\`*_{}[]<>#|~").contains(c))
      escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string auspex::xmlText(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\n':
      result += "&#10;";
      break;
    default:
      result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  return result;
}
