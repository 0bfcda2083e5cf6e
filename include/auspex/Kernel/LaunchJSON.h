// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch as the documents of predictions, sweeps and the gate have it.
#ifndef AUSPEX_KERNEL_LAUNCHJSON_H
#define AUSPEX_KERNEL_LAUNCHJSON_H

#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/Support/JSON.h"

namespace auspex {

/// Writes the attribute \p key, [x, y, z], if the size is stated.
void writeDim3(llvm::json::OStream &out, llvm::StringRef key,
               const std::optional<Stated<Dim3>> &size);

/// Writes the attribute "args": the integer and floating-point arguments.
void writeArguments(llvm::json::OStream &out, const LaunchConfig &launch);

/// Writes what L2 has of the launch before, if anybody says.
void writeL2State(llvm::json::OStream &out, const LaunchConfig &launch);

/// Writes the attribute "launch".
void writeLaunch(llvm::json::OStream &out, const LaunchConfig &launch);

} // namespace auspex

#endif
