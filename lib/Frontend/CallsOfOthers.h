// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The calls that other files make of functions of this one, as expressions.
#ifndef AUSPEX_LIB_FRONTEND_CALLSOFOTHERS_H
#define AUSPEX_LIB_FRONTEND_CALLSOFOTHERS_H

#include "Callers.h"
#include "auspex/Kernel/HostInterface.h"

namespace auspex {

/// Adds \p calls to \p callers. What they give is a literal if it is known, an
/// initialiser list if it is a structure, and an OpaqueValueExpr if it is not
/// known; objects that pointers are the begin of are told to \p callers.
void addCalls(llvm::ArrayRef<HostCall> calls, clang::ASTContext &context,
              Callers &callers);

} // namespace auspex

#endif
