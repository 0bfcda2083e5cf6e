// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Running somebody's program on the emulated device.
#ifndef AUSPEX_TOOLS_PROGRAMRUN_H
#define AUSPEX_TOOLS_PROGRAMRUN_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace auspex {

struct ProgramRun {
  std::vector<std::string> command;
  /// Added to those of this process.
  std::vector<std::pair<std::string, std::string>> environment;
  /// 0 for none.
  double timeLimitInSeconds = 0;
};

struct ProgramEnd {
  /// Why the program did not end well: "exited with 3", "killed by signal 11
  /// (Segmentation fault)", "stopped after 10 s", "interrupted"; empty if it
  /// did.
  std::string problem;
};

/// Runs the program with the runtime library in \p libraries in the place of
/// CUDA's. It has this process's standard streams. An interrupt or the time
/// limit interrupts it, so that it can still write its record; later it is
/// killed. An error says that there is no such program.
llvm::Expected<ProgramEnd> runToItsEnd(const ProgramRun &run,
                                       llvm::StringRef libraries);

} // namespace auspex

#endif
