// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SettledBounds.h"

#include "Intervals.h"
#include "LinearOffset.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <utility>

using namespace auspex;

namespace {

using Box = llvm::SmallVector<Interval, 6>;

class Settler {
  const IterationDomain &domain;
  unsigned count = 0;

  auto rangesIn(const Box &box) const {
    return [&](llvm::StringRef name) { return domain.rangeIn(box, name); };
  }

public:
  Settler(const IterationDomain &domain) : domain(domain) {}

  /// False if there are too many parts.
  bool settle(const IterationDomain::Piece &piece, const Expr &offset) {
    const Box &box = piece.box;
    Expr settled = offset.simplify(rangesIn(box));
    for (const Expr &difference : differencesIn(settled, box)) {
      std::vector<Box> parts = cut(box, difference);
      if (parts.size() < 2)
        continue;
      return llvm::all_of(parts, [&](Box &part) {
        IterationDomain::Piece smaller = piece;
        smaller.points *= volume(part) / volume(box);
        smaller.box = std::move(part);
        return settle(smaller, settled);
      });
    }
    constexpr unsigned Most = 256;
    if (++count > Most)
      return false;
    auto same = llvm::find_if(found, [&](const SettledPieces &other) {
      return other.offset == settled;
    });
    if (same == found.end())
      same = found.insert(same, {std::move(settled), {}});
    same->pieces.push_back(piece);
    return true;
  }

  std::vector<SettledPieces> found;

private:
  static double volume(const Box &box) {
    double points = 1;
    for (Interval side : box)
      points *= static_cast<double>(sizeOf(side));
    return points;
  }

  /// Differences whose signs decide the functions in \p expr, the innermost
  /// first.
  std::vector<Expr> differencesIn(const Expr &expr, const Box &box) const {
    std::vector<Expr> found;
    for (const Expr::Term &term : expr.sum())
      for (const Expr::Factor &factor : term.factors) {
        const Atom &atom = *factor.atom;
        for (const Expr &operand : atom.operands)
          llvm::append_range(found, differencesIn(operand, box));
        addDifferences(atom, box, found);
      }
    return found;
  }

  void addDifferences(const Atom &atom, const Box &box,
                      std::vector<Expr> &found) const {
    using enum Atom::Kind;
    const std::vector<Expr> &operands = atom.operands;
    switch (atom.kind) {
    case Min:
    case Max:
      for (const Expr &operand : llvm::drop_begin(operands))
        found.push_back(operands[0] - operand);
      break;
    case AtLeastZero:
      found.push_back(operands[0]);
      break;
    case EqualZero:
    case NotZero:
      found.push_back(operands[0]);
      found.push_back(operands[0] - 1);
      break;
    case FloorDiv:
    case Mod:
      addWraps(operands[0], operands[1], box, found);
      break;
    default:
      break;
    }
  }

  /// Where a quotient becomes another one, if that is so once or twice.
  void addWraps(const Expr &divided, const Expr &divisor, const Box &box,
                std::vector<Expr> &found) const {
    constexpr int64_t Most = 2;
    auto constant = divisor.constant();
    Interval range = divided.range(rangesIn(box));
    if (!constant || *constant <= 0 || !isWithin(range.low, MaxOffset) ||
        !isWithin(range.high, MaxOffset))
      return;
    int64_t first = floorDiv(range.low, *constant) + 1;
    int64_t last = floorDiv(range.high, *constant);
    if (last - first < Most)
      for (int64_t quotient = first; quotient <= last; ++quotient)
        found.push_back(divided - Expr(quotient * *constant));
  }

  /// \p box cut along its longest side that can be, into where \p difference is
  /// negative for all threads, for none, and for some; one box if none can.
  std::vector<Box> cut(const Box &box, const Expr &difference) const {
    SeparatedOffset separated(difference, domain.symbols());
    Interval ofThreads = separated.rest.range(rangesIn(box));
    std::vector<Box> parts{box};
    if (!separated.mixed.empty() || !isWithin(ofThreads.low, MaxOffset) ||
        !isWithin(ofThreads.high, MaxOffset))
      return parts;
    int64_t longest = 0;
    for (auto [number, slope] : llvm::enumerate(separated.slopes)) {
      Interval rest = ofThreads;
      for (auto [other, otherSlope] : llvm::enumerate(separated.slopes))
        if (other != number && !addProduct(otherSlope, box[other], rest))
          return {box};
      int64_t length;
      if (slope == 0 || !isWithin(rest.low, MaxOffset) ||
          !isWithin(rest.high, MaxOffset) ||
          __builtin_mul_overflow(slope, sizeOf(box[number]), &length) ||
          !isWithin(length, MaxOffset) || std::abs(length) <= longest)
        continue;
      // slope * n + rest >= 0 and < 0, whatever the rest is.
      std::vector<Interval> sides =
          sidesOf(box[number], boundOf(slope, rest.low, false),
                  boundOf(-slope, -rest.high - 1, false));
      if (sides.size() < 2)
        continue;
      longest = std::abs(length);
      parts.clear();
      for (Interval side : sides) {
        parts.push_back(box);
        parts.back()[number] = side;
      }
    }
    return parts;
  }

  /// The parts of \p side within \p a, within \p b and between the two, of
  /// which one is below the other and both go on without an end.
  static std::vector<Interval> sidesOf(Interval side, Interval a, Interval b) {
    if (a.low != Interval::Min)
      std::swap(a, b);
    std::vector<Interval> sides;
    for (Interval part : {a, Interval{a.high + 1, b.low - 1}, b})
      if (Interval inside = intersect(side, part); !isEmpty(inside))
        sides.push_back(inside);
    return sides;
  }
};

} // namespace

std::vector<SettledPieces> auspex::settleBounds(const IterationDomain &domain,
                                                const Expr &offset) {
  Settler settler(domain);
  bool isSettled = llvm::all_of(domain.pieces(), [&](const auto &piece) {
    return settler.settle(piece, offset);
  });
  if (isSettled)
    return std::move(settler.found);
  return {{offset, {domain.pieces().begin(), domain.pieces().end()}}};
}
