// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From what the threads of the host counted to a profile.
#ifndef AUSPEX_LIB_EMULATOR_PROFILEBUILDER_H
#define AUSPEX_LIB_EMULATOR_PROFILEBUILDER_H

#include "Launch.h"
#include "llvm/ADT/ArrayRef.h"

namespace auspex::emulator {

DynamicProfile
buildProfile(const LaunchRun &launch,
             llvm::ArrayRef<std::unique_ptr<ThreadContext>> contexts);

} // namespace auspex::emulator

#endif
