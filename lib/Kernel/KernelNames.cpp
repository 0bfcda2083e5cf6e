// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/KernelNames.h"

#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <cstdlib>

using namespace auspex;
using llvm::StringRef;

llvm::StringRef auspex::sourceName(StringRef mangled) {
  return mangled.take_front(
      std::min(mangled.find("__intern__"), mangled.find("__static__")));
}

std::string auspex::qualifiedName(StringRef mangled) {
  llvm::ItaniumPartialDemangler demangler;
  std::string name = sourceName(mangled).str();
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return name;
  char *text = demangler.getFunctionName(nullptr, nullptr);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

std::string auspex::variableName(StringRef base) {
  std::string name = llvm::demangle(base.ltrim('@'));
  size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// One spelling for what means the same: no spaces but between words, no
/// suffix after a number ("k<256u>").
static std::string normalized(StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string result;
  bool inNumber = false;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    char last = result.empty() ? ' ' : result.back();
    if (llvm::isSpace(c)) {
      size_t next = name.find_if_not(llvm::isSpace, i);
      if (next != StringRef::npos && isWord(last) && isWord(name[next]))
        result += ' ';
      i = std::min(next, name.size()) - 1;
      inNumber = false;
      continue;
    }
    if (inNumber && StringRef("uUlL").contains(c))
      continue;
    inNumber = llvm::isDigit(c) && (inNumber || !isWord(last));
    result += c;
  }
  return result;
}

StringRef auspex::withoutTemplateArguments(StringRef name) {
  if (!name.ends_with(">"))
    return name;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (depth == 0)
      return name.take_front(i);
  }
  return name;
}

size_t auspex::lastComponent(StringRef name) {
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    depth += StringRef("<({").contains(name[i]);
    depth -= StringRef(">)}").contains(name[i]);
    if (depth == 0 && name.substr(i, 2) == "::")
      start = i + 2;
  }
  return start;
}

/// \p name, which starts with \p scope, as code in that scope writes it.
static std::string withinScope(StringRef name, StringRef scope) {
  std::string result;
  bool startsName = true;
  while (!name.empty()) {
    if (startsName && !scope.empty() && name.consume_front(scope))
      continue;
    char c = name.front();
    startsName = !llvm::isAlnum(c) && c != '_' && c != ':';
    result += c;
    name = name.drop_front();
  }
  return result;
}

bool auspex::isCalled(StringRef name, StringRef mangled, StringRef spelling) {
  if (name == mangled)
    return true;
  mangled = sourceName(mangled);
  if (name == mangled)
    return true;
  std::string wanted = normalized(name);
  if (wanted.empty())
    return false;
  if (wanted == normalized(llvm::demangle(mangled)))
    return true;
  auto fits = [&](StringRef name) {
    std::string qualified = normalized(name);
    StringRef plain = withoutTemplateArguments(qualified);
    size_t base = lastComponent(plain);
    return wanted == qualified || wanted == plain ||
           wanted == StringRef(qualified).drop_front(base) ||
           wanted == plain.drop_front(base) ||
           wanted == withinScope(qualified, plain.take_front(base));
  };
  return fits(qualifiedName(mangled)) || (!spelling.empty() && fits(spelling));
}

bool auspex::isCalled(StringRef name, const KernelSummary &summary) {
  return isCalled(name, summary.name, summary.spelling);
}
