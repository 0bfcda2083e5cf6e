// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the grid of a launch follows from the launch's arguments.
#ifndef AUSPEX_LIB_FRONTEND_COUNTEDGRID_H
#define AUSPEX_LIB_FRONTEND_COUNTEDGRID_H

#include "HostEvaluator.h"
#include "auspex/Expr/Expr.h"
#include "llvm/ADT/MapVector.h"

#include <array>
#include <string>

namespace auspex {

/// The integer arguments of a launch that are variables of one value, by symbol
/// ("arg2").
using ArgumentVariables = llvm::MapVector<const clang::VarDecl *, std::string>;

/// The grid as expressions in \p variables, by what the host code makes of many
/// values of theirs: along each axis steps of one variable rounded up or down,
/// a multiple, or these up to a bound. None if it hangs on no variable, or in
/// another way. \p readGrid asks \p evaluator for the grid.
std::optional<std::array<Expr, 3>>
countGrid(HostEvaluator &evaluator, const ArgumentVariables &variables,
          llvm::function_ref<std::optional<Dim3>()> readGrid);

} // namespace auspex

#endif
