// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values that a launch gives the symbols of a summary's expressions.
#ifndef AUSPEX_KERNEL_LAUNCHVALUES_H
#define AUSPEX_KERNEL_LAUNCHVALUES_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/ADT/StringMap.h"

namespace auspex {

/// By symbol.
using LaunchValues = llvm::StringMap<int64_t>;

/// Sizes of the grid and of blocks, and arguments; a pointer that nobody says
/// is null leads somewhere.
LaunchValues valuesInLaunch(const KernelSummary &summary,
                            const LaunchConfig &launch,
                            const LaunchShape &shape);

/// \p expr with the values that there are.
Expr substitute(const Expr &expr, const LaunchValues &values);

} // namespace auspex

#endif
