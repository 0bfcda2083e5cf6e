// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SummarySymbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;

static constexpr StringRef launchSymbols[] = {
    "tid.x",  "tid.y",  "tid.z",  "ctaid.x",  "ctaid.y",  "ctaid.z",
    "ntid.x", "ntid.y", "ntid.z", "nctaid.x", "nctaid.y", "nctaid.z"};

/// The number behind \p prefix: "i7" is 7. Leading zeros would make two names
/// of one.
static std::optional<uint64_t> consumeNumber(StringRef &text) {
  uint64_t number;
  if (text.empty() || !llvm::isDigit(text[0]) ||
      (text[0] == '0' && text.size() > 1 && llvm::isDigit(text[1])) ||
      text.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// argK or argK.B.
bool SummarySymbols::isArgument(StringRef name) const {
  if (!name.consume_front("arg"))
    return false;
  std::optional<uint64_t> index = consumeNumber(name);
  if (!index || *index >= arguments)
    return false;
  return name.empty() ||
         (name.consume_front(".") && consumeNumber(name) && name.empty());
}

/// @name.B.
bool SummarySymbols::isInVariable(StringRef name) const {
  auto [variable, byte] = name.rsplit('.');
  return variable.consume_front("@") && variables.contains(variable) &&
         consumeNumber(byte) && byte.empty();
}

bool SummarySymbols::isKnown(StringRef name) const {
  if (llvm::is_contained(launchSymbols, name) || data.contains(name) ||
      isArgument(name) || isInVariable(name))
    return true;
  if (!name.consume_front("i"))
    return false;
  std::optional<uint64_t> index = consumeNumber(name);
  return index && *index < loops && name.empty();
}

std::vector<std::string> SummarySymbols::names() const {
  std::vector<std::string> names(std::begin(launchSymbols),
                                 std::end(launchSymbols));
  for (size_t i = 0; i < arguments; ++i)
    names.push_back("arg" + std::to_string(i));
  for (StringRef name : variables.keys())
    names.push_back(("@" + name + ".0").str());
  for (size_t i = 0; i < loops; ++i)
    names.push_back("i" + std::to_string(i));
  for (StringRef name : data.keys())
    names.push_back(name.str());
  llvm::sort(names);
  return names;
}

std::string SummarySymbols::addDataSymbol(StringRef name) {
  llvm::Expected<Expr> expr = Expr::parse(name);
  if (!expr) {
    llvm::consumeError(expr.takeError());
    return "'" + name.str() + "' cannot be the name of a symbol";
  }
  if (expr->asSymbol() != name)
    return "'" + name.str() + "' cannot be the name of a symbol";
  if (isKnown(name))
    return "the symbol '" + name.str() + "' exists already";
  data.insert(name);
  return "";
}

std::string SummarySymbols::check(const Expr &expr) const {
  std::string unknown;
  expr.forEachSymbol([&](StringRef name) {
    if (unknown.empty() && !isKnown(name))
      unknown = name.str();
  });
  if (unknown.empty())
    return "";
  return "the kernel has no symbol '" + unknown + "'" +
         didYouMean(unknown, names());
}

std::string SummarySymbols::checkBase(StringRef base) const {
  if (auto [first, rest] = base.split('|'); !first.empty() && !rest.empty()) {
    std::string problem = checkBase(first);
    return problem.empty() ? checkBase(rest) : problem;
  }
  StringRef holder = base;
  holder.consume_back(PointeeMark);
  if (base.empty() || holder.starts_with("@") || holder.starts_with("%") ||
      isArgument(holder))
    return "";
  return "'" + base.str() +
         "' is not an object: an argument of the kernel (arg0, or arg0.8 for a "
         "pointer in a struct), a global (@name), a local variable (%name), or "
         "what pointers in one of these point to (arg0[])";
}
