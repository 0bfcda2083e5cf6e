// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LinearOffset.h"

#include "IndexDigits.h"
#include "Intervals.h"

#include "auspex/Footprint/RequestCounts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

SeparatedOffset::SeparatedOffset(const Expr &offset,
                                 llvm::ArrayRef<std::string> symbols)
    : rest(offset) {
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    auto linear = rest.linearIn(symbol);
    auto slope = linear ? linear->factor->constant() : std::nullopt;
    slopes.push_back(slope.value_or(0));
    if (slope)
      rest = *linear->rest;
    else
      mixed.push_back(number);
  }
}

std::optional<LinearOffset>
auspex::linearOffset(const Expr &offset, const IterationDomain &domain) {
  static constexpr llvm::StringRef threads[] = {"tid.x", "tid.y", "tid.z"};
  LinearOffset result;
  result.slopes.resize(3 + domain.symbols().size());
  double most = 0;
  for (const Expr::Term &term : offset.sum()) {
    if (term.isConstant()) {
      result.first = term.coefficient;
      most += std::abs(static_cast<double>(term.coefficient));
      continue;
    }
    const Expr::Factor &factor = term.factors.front();
    if (term.factors.size() > 1 || factor.power > 1 ||
        factor.atom->kind != Atom::Kind::Symbol)
      return std::nullopt;
    llvm::StringRef name = factor.atom->name;
    auto thread = llvm::find(threads, name);
    auto symbol = llvm::find(domain.symbols(), name);
    size_t slot = thread != std::end(threads)
                      ? thread - threads
                      : 3 + (symbol - domain.symbols().begin());
    if (slot >= result.slopes.size())
      return std::nullopt;
    result.slopes[slot] = term.coefficient;
    if (slot < 3)
      most += std::abs(static_cast<double>(term.coefficient)) *
              static_cast<double>(domain.shape().block[slot] +
                                  LaunchShape::WarpSize);
  }
  if (most > MaxOffset / 2.0)
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// The range of an offset
//===----------------------------------------------------------------------===//

static std::optional<Interval>
linearRange(const LinearOffset &offset, const std::array<Interval, 3> &threads,
            const IterationDomain::Piece &piece) {
  Interval sum{offset.first, offset.first};
  for (unsigned i = 0; i < offset.slopes.size(); ++i) {
    Interval side = i < 3 ? threads[i] : piece.box[i - 3];
    if (!addProduct(offset.slopes[i], side, sum))
      return std::nullopt;
  }
  return sum;
}

/// What the digits of an index say, whatever the pieces are.
static std::optional<Interval> rangeByDigits(const IterationDomain &domain,
                                             const Expr &offset) {
  std::vector<std::string> names{"tid.x", "tid.y", "tid.z"};
  llvm::append_range(names, domain.symbols());
  llvm::SmallVector<Interval, 8> ranges;
  for (llvm::StringRef name : names)
    ranges.push_back(domain.range(name));
  IndexDigits digits(names, ranges, offset);
  if (!digits.admit(offset))
    return std::nullopt;
  std::optional<DigitForm> form = digits.formOf(offset);
  return form ? digits.rangeOf(*form) : std::nullopt;
}

std::optional<Interval> auspex::offsetRange(const IterationDomain &domain,
                                            const Expr &offset) {
  std::optional<LinearOffset> linear = linearOffset(offset, domain);
  Expr nonlinear = linear ? offset : offset.withRemainders();
  std::array<Interval, 3> threads{domain.range("tid.x"), domain.range("tid.y"),
                                  domain.range("tid.z")};
  std::optional<Interval> whole;
  for (const IterationDomain::Piece &piece : domain.pieces()) {
    std::optional<Interval> range;
    if (linear)
      range = linearRange(*linear, threads, piece);
    if (!range)
      range = nonlinear.range([&](llvm::StringRef name) {
        return domain.rangeIn(piece.box, name);
      });
    if (range->low == Interval::Min || range->high == Interval::Max)
      return std::nullopt;
    whole = whole ? Interval{std::min(whole->low, range->low),
                             std::max(whole->high, range->high)}
                  : range;
  }
  if (!linear && whole)
    if (std::optional<Interval> range = rangeByDigits(domain, offset))
      return intersect(*whole, *range);
  return whole;
}
