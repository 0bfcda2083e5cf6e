// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches that a loop makes again and again on the same data.
#ifndef AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H
#define AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H

#include "clang/AST/ExprCXX.h"

#include <optional>
#include <vector>

namespace auspex {

/// The numbers of the arguments that vary from one iteration to the next, if
/// \p loop does nothing on the device but \p launch, which it comes to by
/// \p calls, each in what the one before calls, and the launch is the same in
/// every iteration but for these, which are numbers: nothing else that it
/// mentions is written in the loop, but that two of its arguments may be
/// exchanged, by std::swap or in further launches of the kernel. The functions
/// that either calls count as part of it. What is written through a pointer or
/// a reference may be anything of its type. None where a call in the loop may
/// do anything.
std::optional<std::vector<unsigned>>
argumentsOfRounds(const clang::CUDAKernelCallExpr &launch,
                  llvm::ArrayRef<const clang::Expr *> calls, clang::Stmt &loop);

} // namespace auspex

#endif
