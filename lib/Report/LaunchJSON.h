// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch as the documents of predictions and sweeps have it.
#ifndef AUSPEX_LIB_REPORT_LAUNCHJSON_H
#define AUSPEX_LIB_REPORT_LAUNCHJSON_H

#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/Support/JSON.h"

namespace auspex {

/// Writes the attribute "launch".
void writeLaunch(llvm::json::OStream &out, const LaunchConfig &launch);

} // namespace auspex

#endif
