// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches as text, for researchers and FileCheck.
#ifndef AUSPEX_REPORT_LAUNCHTEXT_H
#define AUSPEX_REPORT_LAUNCHTEXT_H

#include "auspex/Kernel/LaunchConfig.h"

namespace auspex {

/// One line: "launch _Z1kPfi: grid 80x1x1, block 256x1x1, shared 0, arg1=1024
/// (source) at x.cu:9:3". What nobody states is "unknown".
void printLaunch(const LaunchConfig &launch, llvm::raw_ostream &os);

} // namespace auspex

#endif
