// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/GridStride.h"

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "auspex/Kernel/LaunchValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static constexpr llvm::StringLiteral BlockIndex = "ctaid.x";

namespace {
/// Rewrites one kernel.
class Flattening {
public:
  Flattening(const KernelSummary &summary, const LaunchConfig &launch,
             unsigned loop)
      : before(summary), launch(launch), loop(loop),
        blocks(launch.grid->value.x),
        values(valuesInLaunch(
            summary, launch,
            LaunchShape{launch.grid->value, launch.block->value})) {}

  std::optional<LaunchedKernel> run();

private:
  const KernelSummary &before;
  const LaunchConfig &launch;
  const unsigned loop;
  const int64_t blocks;
  const LaunchValues values;
  /// There is a turn while it is at least 0: it falls by as much for each
  /// block as it does for a turn in all of the grid.
  Expr left;

  bool isInside(int inner) const {
    while (inner >= 0 && static_cast<unsigned>(inner) != loop)
      inner = before.loops[inner].parent;
    return inner >= 0;
  }
  Expr inLaunch(const Expr &expr) const { return substitute(expr, values); }
  static Expr replace(const Expr &expr, llvm::StringRef symbol,
                      const Expr &by) {
    return expr.substitute([&](llvm::StringRef name) {
      return name == symbol ? std::optional(by) : std::nullopt;
    });
  }
  /// The same in a launch of more blocks.
  Expr inThisGrid(const Expr &expr) const {
    return replace(expr, "nctaid.x", blocks);
  }
  /// What \p first, of the first turn, is in turn \p number: the first of a
  /// block further on.
  Expr inTurn(const Expr &first, const Expr &number) const {
    return replace(first, BlockIndex,
                   Expr::symbol(BlockIndex) + Expr(blocks) * number);
  }
  std::optional<int64_t> findTurns();
  bool flatten(Expr &expr) const;
  bool flattenGuard(Expr &guard) const;
  bool flattenAll(KernelSummary &summary) const;
};
} // namespace

/// What \p value is where it is more than 0.
static Expr unlessNegative(const Expr &value) {
  const Atom *atom = value.asAtom();
  if (atom && atom->kind == Atom::Kind::Max)
    for (size_t i = 0; i < 2; ++i)
      if (atom->operands[i].isZero())
        return atom->operands[1 - i];
  return value;
}

/// How many turns all blocks have together.
std::optional<int64_t> Flattening::findTurns() {
  Expr trips = inLaunch(before.loops[loop].tripCount.expr);
  std::optional<Atom> quotient;
  trips.substituteFunctions([&](const Atom &atom) -> std::optional<Expr> {
    if (!quotient && atom.kind == Atom::Kind::FloorDiv)
      quotient = atom;
    return std::nullopt;
  });
  std::optional<int64_t> step;
  if (quotient)
    step = quotient->operands[1].constant();
  if (!step || *step <= 0 || *step % blocks != 0)
    return std::nullopt;
  // Whole steps have been taken out of the quotient.
  Expr last = unlessNegative(unlessNegative(trips) - Expr(1));
  Expr whole = last - Expr::floorDiv(quotient->operands[0], *step);
  left = quotient->operands[0] + whole * Expr(*step);
  if (Expr::floorDiv(left, *step) != last ||
      inTurn(left, 1) != left - Expr(*step))
    return std::nullopt;
  // The first thread has the most.
  auto most = left.evaluate([](llvm::StringRef name) -> std::optional<int64_t> {
    return isThreadIndex(name) || name == BlockIndex ? std::optional<int64_t>(0)
                                                     : std::nullopt;
  });
  if (!most || *most < *step)
    return std::nullopt;
  return *most / (*step / blocks) + 1;
}

/// Whether \p expr is, in each turn, what it is in the first for another block;
/// takes the counter out of it then.
bool Flattening::flatten(Expr &expr) const {
  if (!expr.isValid())
    return true;
  const std::string &counter = before.loops[loop].iv;
  Expr first = replace(expr, counter, 0);
  if (inTurn(inLaunch(first), Expr::symbol(counter)) != inLaunch(expr))
    return false;
  expr = inThisGrid(first);
  return true;
}

/// The same for a condition; that there is a first turn follows from what is
/// left.
bool Flattening::flattenGuard(Expr &guard) const {
  if (!guard.isValid())
    return true;
  const Expr hasTurn = Expr::isAtLeastZero(left);
  Expr rest(1);
  for (Expr &condition : guard.conjuncts()) {
    if (inLaunch(condition) == hasTurn)
      continue;
    if (!flatten(condition))
      return false;
    rest = Expr::conjunction(rest, condition);
  }
  guard = Expr::conjunction(hasTurn, rest);
  return guard.isValid();
}

bool Flattening::flattenAll(KernelSummary &summary) const {
  for (Loop &inner : summary.loops)
    if (isInside(inner.parent) && !flatten(inner.tripCount.expr))
      return false;
  summary.loops[loop].tripCount = {Expr(1), ""};
  for (Block &block : summary.blocks)
    if (!isInside(block.loop))
      block.guard.expr = inThisGrid(block.guard.expr);
    else if (!flattenGuard(block.guard.expr))
      return false;
  for (Branch &branch : summary.branches)
    branch.condition.expr =
        inThisGrid(replace(branch.condition.expr, summary.loops[loop].iv, 0));
  for (Access &access : summary.accesses) {
    bool isAsked = access.space == MemorySpace::Global;
    if (!isInside(summary.blocks[access.block].loop)) {
      if (isAsked)
        return false;
      continue;
    }
    for (Expr *expr : {&access.offset.expr, &access.lowest.expr,
                       &access.highest.expr, &access.picked})
      if (!flatten(*expr))
        return false;
  }
  return true;
}

std::optional<LaunchedKernel> Flattening::run() {
  std::optional<int64_t> turns = findTurns();
  if (!turns || *turns > LaunchLimits().grid.x)
    return std::nullopt;
  LaunchedKernel result{before, launch};
  if (!flattenAll(result.summary))
    return std::nullopt;
  result.launch.grid->value.x = *turns;
  result.launch.gridOfArguments.reset();
  return result;
}

/// Whether \p counter is divided to make an address, or a condition. What is
/// counted with it as it is needs no other grid.
static bool divides(const KernelSummary &summary, llvm::StringRef counter) {
  bool isDivided = false;
  auto lookAt = [&](const Expr &expr) {
    expr.substituteFunctions([&](const Atom &atom) -> std::optional<Expr> {
      isDivided |=
          (atom.kind == Atom::Kind::FloorDiv || atom.kind == Atom::Kind::Mod) &&
          atom.operands[0].uses(counter);
      return std::nullopt;
    });
  };
  for (const Access &access : summary.accesses)
    lookAt(access.offset.expr);
  for (const Block &block : summary.blocks)
    lookAt(block.guard.expr);
  return isDivided;
}

std::optional<LaunchedKernel>
auspex::withoutGridStride(const KernelSummary &summary,
                          const LaunchConfig &launch) {
  for (auto [number, loop] : llvm::enumerate(summary.loops))
    if (loop.parent < 0 && loop.tripCount.isKnown() &&
        loop.tripCount.expr.uses("nctaid.x") && divides(summary, loop.iv))
      if (auto flat = Flattening(summary, launch, number).run())
        return flat;
  return std::nullopt;
}
