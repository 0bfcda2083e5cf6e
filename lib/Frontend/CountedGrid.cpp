// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CountedGrid.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace auspex;

namespace {
class GridCounter {
public:
  GridCounter(HostEvaluator &evaluator, const ArgumentVariables &variables,
              llvm::function_ref<std::optional<Dim3>()> readGrid)
      : evaluator(evaluator), variables(variables), readGrid(readGrid) {
    for (const auto &[variable, symbol] : variables)
      evaluator.pin(variable, Usual);
  }
  ~GridCounter() {
    for (const auto &[variable, symbol] : variables)
      evaluator.pin(variable, std::nullopt);
  }

  std::optional<std::array<Expr, 3>> count() {
    std::optional<Dim3> usual = readGrid();
    if (!usual)
      return std::nullopt;
    std::array<Expr, 3> grid;
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::optional<Expr> blocks = axisOf(axis, (*usual)[axis]);
      if (!blocks)
        return std::nullopt;
      grid[axis] = *blocks;
    }
    bool isConstant =
        llvm::all_of(grid, [](const Expr &axis) { return axis.isConstant(); });
    return isConstant ? std::nullopt : std::optional(grid);
  }

private:
  static constexpr int64_t Usual = 10007, Most = int64_t(1) << 24;

  HostEvaluator &evaluator;
  const ArgumentVariables &variables;
  llvm::function_ref<std::optional<Dim3>()> readGrid;
  /// The grids where one variable has a value and all others the usual one.
  std::map<std::pair<const clang::VarDecl *, int64_t>, std::optional<Dim3>>
      grids;

  std::optional<int64_t> blocks(const clang::VarDecl *variable, int64_t value,
                                unsigned axis) {
    auto [known, isNew] = grids.try_emplace({variable, value});
    if (isNew) {
      evaluator.pin(variable, value);
      known->second = readGrid();
      evaluator.pin(variable, Usual);
    }
    const std::optional<Dim3> &grid = known->second;
    return grid ? std::optional((*grid)[axis]) : std::nullopt;
  }

  /// None if it hangs on several variables, or in a way that is not known.
  std::optional<Expr> axisOf(unsigned axis, int64_t usual) {
    std::optional<Expr> result;
    for (const auto &[variable, symbol] : variables) {
      std::optional<int64_t> few = blocks(variable, 1, axis),
                             many = blocks(variable, Most, axis);
      if (few == usual && many == usual)
        continue;
      if (result || !few || !many)
        return std::nullopt;
      result = follow(variable, Expr::symbol(symbol), axis, *few, *many);
      if (!result)
        return std::nullopt;
    }
    return result ? *result : Expr(usual);
  }

  /// Blocks that grow with \p variable, \p few for 1 and \p many for the most.
  std::optional<Expr> follow(const clang::VarDecl *variable, const Expr &symbol,
                             unsigned axis, int64_t few, int64_t many) {
    if (few < 0 || many < 2)
      return std::nullopt;
    // The least value with two blocks.
    int64_t below = 0, atLeast = Most;
    while (atLeast - below > 1) {
      int64_t middle = below + (atLeast - below) / 2;
      std::optional<int64_t> there = blocks(variable, middle, axis);
      if (!there)
        return std::nullopt;
      (*there < 2 ? below : atLeast) = middle;
    }
    int64_t up = atLeast - 1, down = std::max<int64_t>(1, atLeast / 2);
    std::vector<Expr> candidates = {
        symbol * Expr(few), Expr::floorDiv(symbol, Expr(down)),
        Expr::floorDiv(symbol, Expr(atLeast)) + Expr(1)};
    if (up > 0)
      candidates.push_back(Expr::floorDiv(symbol + Expr(up - 1), Expr(up)));
    for (const Expr &candidate : candidates)
      for (const Expr &bounded : {candidate, Expr::min(candidate, Expr(many))})
        if (fits(bounded, variable, axis))
          return bounded;
    return std::nullopt;
  }

  bool fits(const Expr &expr, const clang::VarDecl *variable, unsigned axis) {
    constexpr int64_t tried[] = {1,     2,     3,     31,      1000,
                                 Usual, 65535, 65536, 1000003, Most};
    return llvm::all_of(tried, [&](int64_t value) {
      auto there = blocks(variable, value, axis);
      return there && there == expr.evaluate([&](llvm::StringRef) {
        return std::optional(value);
      });
    });
  }
};
} // namespace

std::optional<std::array<Expr, 3>>
auspex::countGrid(HostEvaluator &evaluator, const ArgumentVariables &variables,
                  llvm::function_ref<std::optional<Dim3>()> readGrid) {
  if (variables.empty())
    return std::nullopt;
  return GridCounter(evaluator, variables, readGrid).count();
}
