// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel summaries as text, for researchers and FileCheck.
#ifndef AUSPEX_REPORT_SUMMARYTEXT_H
#define AUSPEX_REPORT_SUMMARYTEXT_H

#include "auspex/Kernel/KernelSummary.h"

namespace auspex {

/// Everything in the summary but the accesses.
void printSummary(const KernelSummary &summary, llvm::raw_ostream &os);

/// Each access: kind, bytes, space, base, address expression, or why there is
/// none.
void printAccesses(const KernelSummary &summary, llvm::raw_ostream &os);

} // namespace auspex

#endif
