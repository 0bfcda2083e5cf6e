// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches that a loop makes again and again on the same data.
#ifndef AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H
#define AUSPEX_LIB_FRONTEND_REPEATEDLAUNCHES_H

#include "clang/AST/ExprCXX.h"

namespace auspex {

/// Whether \p loop, which is around \p launch, does nothing else on the device,
/// and the launch is the same in every iteration: nothing that it mentions is
/// written in the loop, but that std::swap may exchange two of its arguments.
/// The functions that either calls count as part of it. What is written through
/// a pointer or a reference may be anything of its type. False where a call in
/// the loop may do anything.
bool repeatsAlone(const clang::CUDAKernelCallExpr &launch, clang::Stmt &loop);

} // namespace auspex

#endif
