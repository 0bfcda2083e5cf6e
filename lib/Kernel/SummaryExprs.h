// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The expressions of a summary that say what runs how often, and where it
/// accesses memory.
#ifndef AUSPEX_LIB_KERNEL_SUMMARYEXPRS_H
#define AUSPEX_LIB_KERNEL_SUMMARYEXPRS_H

#include "auspex/Kernel/KernelSummary.h"

namespace auspex {

/// Calls \p visit for all trip counts, guards and offsets; invalid ones too.
void forEachExpr(const KernelSummary &summary,
                 llvm::function_ref<void(const Expr &)> visit);

} // namespace auspex

#endif
