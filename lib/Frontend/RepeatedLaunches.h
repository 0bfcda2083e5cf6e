// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches that a loop makes again and again on the same data.
#ifndef AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H
#define AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H

#include "clang/AST/ExprCXX.h"

#include <optional>
#include <vector>

namespace auspex {

/// What a launch is from one round of a loop to the next.
struct Rounds {
  /// The arguments that vary, by number: they are numbers.
  std::vector<unsigned> varyingArguments;
  /// The other launches, and copies, of a round.
  std::vector<const clang::Expr *> others;
};

/// Of \p loop and \p launch, which it comes to by \p calls, each in what the
/// one before calls, if the launch is the same in every round but for the
/// arguments that vary: nothing else that it mentions is written in the loop,
/// but that two of its arguments may be exchanged, by std::swap or in further
/// launches of the kernel. The functions that either calls count as part of it.
/// What is written through a pointer or a reference may be anything of its
/// type. None where a call in the loop may do anything.
std::optional<Rounds> roundsOf(const clang::CUDAKernelCallExpr &launch,
                               llvm::ArrayRef<const clang::Expr *> calls,
                               clang::Stmt &loop);

} // namespace auspex

#endif
