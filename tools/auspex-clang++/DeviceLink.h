// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Device code as it is packed into objects and programs.
#ifndef AUSPEX_TOOLS_AUSPEXCLANG_DEVICELINK_H
#define AUSPEX_TOOLS_AUSPEXCLANG_DEVICELINK_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace auspex {

/// An offload binary that holds \p bitcode for \p arch ("sm_80").
std::string packDeviceCode(llvm::StringRef bitcode, llvm::StringRef arch);

/// Relocatable device code: joins what the objects and archives \p files hold,
/// optimises and analyses it, and returns the bitcode of a host module that
/// contains the result and registers it with the runtime when the program
/// starts. Empty if there is none. Files that are no objects are skipped: the
/// linker complains about them.
llvm::Expected<std::string>
linkDeviceCode(const std::vector<std::string> &files);

} // namespace auspex

#endif
