// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An expression prepared for many evaluations: by numbers, by the lanes of a
/// warp side by side, and by intervals. What it has in it several times is
/// worked out once.
#ifndef AUSPEX_EXPR_COMPILEDEXPR_H
#define AUSPEX_EXPR_COMPILEDEXPR_H

#include "auspex/Expr/Expr.h"

#include <array>

namespace auspex {

/// A number for each lane of a warp.
using LaneValues = std::array<int64_t, 32>;

class CompiledExpr {
public:
  CompiledExpr() = default;
  /// Symbols are slots of an array; \p slots names them in its order. Fails (an
  /// object that isUsable() denies) if the expression is invalid or uses
  /// another symbol.
  CompiledExpr(const Expr &expr, llvm::ArrayRef<std::string> slots);

  bool isUsable() const { return usable; }

  /// The value; sets \p failed on overflow or where a function is not defined,
  /// and leaves it alone otherwise.
  int64_t evaluate(llvm::ArrayRef<int64_t> values, bool &failed) const;

  /// The values of all lanes, where the first slots have one for each lane and
  /// the others, \p rest, one for all. Adds the lanes that fail to \p failed.
  LaneValues evaluateLanes(llvm::ArrayRef<LaneValues> first,
                           llvm::ArrayRef<int64_t> rest,
                           uint32_t &failed) const;

  /// The same interval as Expr::range().
  Interval range(llvm::ArrayRef<Interval> values) const;

private:
  /// Makes a new value of two others.
  struct Step {
    enum class Code : uint8_t { Add, Multiply, Power, Function } code;
    Atom::Kind function = Atom::Kind::Symbol;
    /// Which values; of a power, b is the exponent.
    unsigned a = 0, b = 0;

    unsigned second() const { return code == Code::Power ? a : b; }
    bool apply(int64_t x, int64_t y, int64_t &value) const;
    uint32_t applyToLanes(const LaneValues &x, const LaneValues &y,
                          LaneValues &out) const;
  };
  /// Values are numbered: those of the slots, the constants, one each step.
  size_t slotCount = 0;
  std::vector<int64_t> constants;
  std::vector<Step> steps;
  unsigned result = 0;
  bool usable = false;

  friend class ExprCompiler;
};

} // namespace auspex

#endif
