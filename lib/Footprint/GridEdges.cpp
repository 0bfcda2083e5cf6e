// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GridEdges.h"

#include "Intervals.h"
#include "SamplePoints.h"
#include "auspex/Expr/CompiledExpr.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// Whether \p a and \p b have the same value at most points of \p domain.
static bool agreeMostly(const Expr &a, const Expr &b,
                        const AccessDomain &domain) {
  constexpr uint64_t Points = 4 * LaunchShape::WarpSize;
  CompiledExpr difference(a - b, domain.symbols);
  if (!difference.isUsable())
    return false;
  std::vector<LaneValues> values(domain.symbols.size());
  unsigned agree = 0;
  for (uint64_t first = 0; first < Points; first += LaunchShape::WarpSize) {
    for (auto [number, symbol] : llvm::enumerate(domain.symbols)) {
      Interval side = domain.domain->range(symbol);
      for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
        values[number][lane] =
            side.low + samplePoint(first + lane, number, sizeOf(side));
    }
    uint32_t failed = 0;
    LaneValues results = difference.evaluateLanes(values, {}, failed);
    for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
      agree += results[lane] == 0 && !(failed >> lane & 1);
  }
  return agree * 4 >= Points * 3;
}

/// Without a quarter at each end.
static Interval middleOf(Interval range) {
  return {range.low + sizeOf(range) / 4, range.high - sizeOf(range) / 4};
}

static bool isDigit(const Atom &atom);

/// Whether \p expr is an index, as far as it can be told: a sum of symbols, or
/// of digits of others without a constant.
static bool isIndex(const Expr &expr) {
  bool hasDigits = false;
  bool isSum = llvm::all_of(expr.sum(), [&](const Expr::Term &term) {
    if (term.isConstant())
      return true;
    if (term.factors.size() > 1 || term.factors[0].power > 1)
      return false;
    const Atom &atom = *term.factors[0].atom;
    bool isOne = isDigit(atom);
    hasDigits |= isOne;
    return isOne || atom.kind == Atom::Kind::Symbol;
  });
  return isSum && !(hasDigits && expr.constantTerm() != 0);
}

/// Whether \p atom is a digit of an index: a quotient or a remainder of it.
static bool isDigit(const Atom &atom) {
  return (atom.kind == Atom::Kind::FloorDiv || atom.kind == Atom::Kind::Mod) &&
         atom.operands[1].isConstant() && isIndex(atom.operands[0]);
}

/// \p expr where in each minimum and maximum a remainder takes the place of
/// a - b*floordiv(a, b).
static Expr clampingRemainders(const Expr &expr) {
  return expr.substituteFunctions([](const Atom &atom) -> std::optional<Expr> {
    if (atom.kind != Atom::Kind::Min && atom.kind != Atom::Kind::Max)
      return std::nullopt;
    std::optional<Expr> result;
    for (const Expr &operand : atom.operands) {
      Expr inside = clampingRemainders(operand).withRemainders();
      result = !result                        ? inside
               : atom.kind == Atom::Kind::Min ? Expr::min(*result, inside)
                                              : Expr::max(*result, inside);
    }
    return result;
  });
}

/// \p offset in the middle of the digits in it, while symbols are in \p ranges.
static Expr
inMiddleOfDigits(const Expr &offset,
                 llvm::function_ref<Interval(llvm::StringRef)> ranges) {
  llvm::SmallVector<std::pair<std::string, Expr>, 4> digits;
  Expr named = clampingRemainders(offset).substituteFunctions(
      [&](const Atom &atom) -> std::optional<Expr> {
        if (!isDigit(atom))
          return std::nullopt;
        Expr digit = atom.kind == Atom::Kind::Mod
                         ? Expr::mod(atom.operands[0], atom.operands[1])
                         : Expr::floorDiv(atom.operands[0], atom.operands[1]);
        auto known = llvm::find_if(
            digits, [&](const auto &other) { return other.second == digit; });
        if (known == digits.end()) {
          digits.emplace_back("digit" + std::to_string(digits.size()), digit);
          known = std::prev(digits.end());
        }
        return Expr::symbol(known->first);
      });
  if (digits.empty())
    return offset;
  auto digitOf = [&](llvm::StringRef name) {
    return llvm::find_if(
        digits, [&](const auto &digit) { return digit.first == name; });
  };
  Expr inside = named.simplify([&](llvm::StringRef name) {
    auto digit = digitOf(name);
    return digit == digits.end() ? ranges(name)
                                 : middleOf(digit->second.range(ranges));
  });
  return inside.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    auto digit = digitOf(name);
    return digit == digits.end() ? std::nullopt : std::optional(digit->second);
  });
}

Expr auspex::awayFromEdges(const Expr &offset, const AccessDomain &domain) {
  if (domain.domain->pieces().empty())
    return offset;
  auto range = [&](llvm::StringRef symbol) {
    return domain.domain->range(symbol);
  };
  Expr inside = offset.simplify([&](llvm::StringRef symbol) {
    return isBlockIndex(symbol) ? middleOf(range(symbol)) : range(symbol);
  });
  auto isHowItMostlyIs = [&](const Expr &candidate) {
    return candidate != offset && agreeMostly(candidate, offset, domain);
  };
  Expr inDigits = inMiddleOfDigits(inside, range);
  if (inDigits != inside && isHowItMostlyIs(inDigits))
    return inDigits;
  return isHowItMostlyIs(inside) ? inside : offset;
}
