// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a command line to the steps that build what it asks for, and running
/// them.
///
/// A CUDA source becomes an object in two steps. The device's: clang with the
/// plugin, which writes the code that the analysis saw, packed as an offload
/// binary. The host's: clang, which puts that binary where fat binaries go.
/// With -fgpu-rdc the device's step leaves unoptimised bitcode in the object's
/// .llvm.offloading section instead, and the link joins, optimises and analyses
/// what all objects have (DeviceLink.h).
#ifndef AUSPEX_TOOLS_AUSPEXCLANG_BUILD_H
#define AUSPEX_TOOLS_AUSPEXCLANG_BUILD_H

#include "CommandLine.h"

namespace auspex {

/// Builds it all; the exit code of the step that failed, or 0.
llvm::Expected<int> build(const CommandLine &line);

/// Hands everything to clang; only CUDA is where we say.
llvm::Expected<int> passThrough(const CommandLine &line,
                                const std::vector<std::string> &arguments);

} // namespace auspex

#endif
