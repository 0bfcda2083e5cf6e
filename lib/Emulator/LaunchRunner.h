// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the blocks of launches, on one or several threads of the host, and adds
/// up what they counted.
#ifndef AUSPEX_LIB_EMULATOR_LAUNCHRUNNER_H
#define AUSPEX_LIB_EMULATOR_LAUNCHRUNNER_H

#include "Launch.h"
#include "ProgramCode.h"

namespace auspex::emulator {

class LaunchRunner {
public:
  llvm::Expected<DynamicProfile> run(ProgramCode &program, const Code &code,
                                     const LaunchShape &shape,
                                     uint64_t dynamicSharedInBytes,
                                     llvm::ArrayRef<char> parameters,
                                     const EmulationOptions &options);

private:
  /// Kept from launch to launch: making them costs more than a small launch.
  std::vector<std::unique_ptr<ThreadContext>> contexts;
  uint64_t launches = 0;
};

} // namespace auspex::emulator

#endif
