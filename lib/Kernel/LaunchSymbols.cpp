// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchSymbols.h"

#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <numeric>

using namespace auspex;

LaunchSymbols::LaunchSymbols(const KernelSummary &summary,
                             const LaunchConfig &launch,
                             const LaunchShape &shape)
    : summary(summary), shape(shape),
      values(valuesInLaunch(summary, launch, shape)) {}

Expr LaunchSymbols::substitute(const Expr &expr) const {
  return auspex::substitute(expr, values);
}

/// Whether a symbol is left that only the running kernel knows.
static bool isOpenSymbol(llvm::StringRef name) {
  return isSetByHost(name) || isData(name);
}

bool auspex::isOpen(const Expr &expr) {
  return !expr.isValid() || expr.usesAny(isOpenSymbol);
}

std::string LaunchSymbols::atLine(const SourceLocation &location) const {
  SourceLocation place = location.outsideSystemHeaders();
  if (!place.isKnown())
    return "";
  std::string text = " at line " + std::to_string(place.line);
  if (place.file != summary.location.file)
    text += (" of " + llvm::sys::path::filename(place.file)).str();
  return text;
}

std::string LaunchSymbols::describe(llvm::StringRef name) const {
  if (isSetByHost(name)) {
    std::string known = argumentName(summary, name);
    if (name.starts_with("@"))
      return "variable " + (known.empty() ? name.str() : known);
    return "argument " + (known.empty() ? name.drop_front(3).str() : known);
  }
  if (const DataSymbol *symbol = findDataSymbol(name))
    return (symbol->reason == "indirect" ? "data read"
            : symbol->reason == "float"  ? "a floating-point value"
            : symbol->reason == "call"   ? "the result of a call"
            : symbol->reason == "random" ? "a pseudo-random number"
            : symbol->reason == "undef"  ? "a value that nothing sets"
            : symbol->reason == "match"  ? "where a search comes to its end"
                                         : "a value (" + symbol->reason + ")") +
           atLine(symbol->location);
  return name.str();
}

Interval LaunchSymbols::range(llvm::StringRef name) const {
  for (auto [prefix, size] :
       {std::pair("tid.", &shape.block), std::pair("ctaid.", &shape.grid)})
    if (llvm::StringRef axis = name; axis.consume_front(prefix))
      return {0, (*size)[axis.front() - 'x'] - 1};
  if (name.starts_with("i"))
    return {0, Interval::Max};
  return {};
}

std::string LaunchSymbols::describeOpen(const Expr &expr) const {
  std::vector<std::string> names;
  expr.forEachSymbol([&](llvm::StringRef name) {
    if (!isOpenSymbol(name))
      return;
    std::string text = describe(name);
    if (!llvm::is_contained(names, text))
      names.push_back(std::move(text));
  });
  return names.empty() ? "something too complex" : llvm::join(names, " and ");
}

const DataSymbol *LaunchSymbols::findDataSymbol(llvm::StringRef name) const {
  auto symbol = llvm::find_if(
      summary.dataSymbols, [&](const auto &each) { return each.name == name; });
  return symbol == summary.dataSymbols.end() ? nullptr : &*symbol;
}

bool LaunchSymbols::changesLittle(llvm::StringRef name) const {
  const DataSymbol *symbol = findDataSymbol(name);
  return symbol && symbol->reason == "float" &&
         (symbol->uniform || !symbol->tellsLanesApart());
}

bool LaunchSymbols::isPicked(const Expr &term) const {
  return term.usesAny([&](llvm::StringRef name) {
    return isData(name) && !changesLittle(name);
  });
}

void LaunchSymbols::findApart(const Expr &term, MoveKinds kinds, Ranges ranges,
                              std::vector<Expr> &apart) const {
  auto addIfBounded = [&](const Expr &part) {
    Interval range = part.range(ranges);
    if (range.low == Interval::Min || range.high == Interval::Max)
      return false;
    if (!llvm::is_contained(apart, part))
      apart.push_back(part);
    return true;
  };
  auto addSymbols = [&](const Expr &expr) {
    expr.forEachSymbol(
        [&](llvm::StringRef name) { addIfBounded(Expr::symbol(name)); });
  };
  if (kinds.indices)
    addSymbols(term);
  term.forEachSymbol([&](llvm::StringRef name) {
    const DataSymbol *symbol = findDataSymbol(name);
    if (!symbol || (!kinds.little && changesLittle(name)))
      return;
    if (!symbol->uniform && symbol->changesWith.empty())
      for (const char *index : {"tid.x", "tid.y", "tid.z"})
        addIfBounded(Expr::symbol(index));
    for (const Expr &part : symbol->changesWith)
      if (Expr bound = substitute(part); !addIfBounded(bound))
        addSymbols(bound);
  });
}

Expr LaunchSymbols::numberApart(llvm::ArrayRef<Expr> apart, int64_t step,
                                Ranges ranges) {
  Expr number;
  for (const Expr &part : apart) {
    Interval whole = part.range(ranges);
    int64_t count;
    if (__builtin_sub_overflow(whole.high, whole.low, &count) ||
        __builtin_add_overflow(count, 1, &count))
      return Expr::invalid();
    number = number + Expr(step) * part;
    if (__builtin_mul_overflow(step, count, &step))
      return Expr::invalid();
  }
  return number;
}

/// Of what \p expr is multiplied with, the largest number in all of its terms.
static int64_t commonFactor(const Expr &expr) {
  int64_t factor = 0;
  for (const Expr::Term &term : expr.sum())
    factor = std::gcd(factor, term.coefficient);
  return factor;
}

/// How many of what \p pitch counts lie between lanes in \p offset, at least 1.
static int64_t unitsOfLane(const Expr &offset, llvm::StringRef pitch) {
  auto rows = offset.linearIn(pitch), lanes = offset.linearIn("tid.x");
  if (!rows || !lanes)
    return 1;
  int64_t unit = commonFactor(*rows->factor);
  int64_t step = std::abs(lanes->factor->constant().value_or(0));
  return unit > 0 && step % unit == 0 ? std::max<int64_t>(1, step / unit) : 1;
}

int64_t LaunchSymbols::expectedPitch(llvm::StringRef name) const {
  auto [entry, isNew] = pitches.try_emplace(name);
  if (isNew)
    entry->second = findPitch(name);
  return entry->second;
}

int64_t LaunchSymbols::findPitch(llvm::StringRef name) const {
  constexpr int64_t Line = 32;
  int64_t threads = shape.grid.x * shape.block.x;
  int64_t width = ceilDiv(threads, Line) * Line, units = 1;
  for (const Access &access : summary.accesses)
    if (access.offset.isKnown() && access.offset.expr.uses(name))
      units =
          std::max(units, unitsOfLane(substitute(access.offset.expr), name));
  int64_t pitch;
  return __builtin_mul_overflow(width, units, &pitch) ? width : pitch;
}

Expr LaunchSymbols::asExpected(const Expr &expr) const {
  return expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    if (isSetByHost(name))
      return Expr(expectedPitch(name));
    if (changesLittle(name))
      return Expr(0);
    return std::nullopt;
  });
}
