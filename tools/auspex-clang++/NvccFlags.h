// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flags of nvcc as flags of clang, so that build files written for nvcc work
/// as they are.
#ifndef AUSPEX_TOOLS_AUSPEXCLANG_NVCCFLAGS_H
#define AUSPEX_TOOLS_AUSPEXCLANG_NVCCFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace auspex {

struct TranslatedFlags {
  std::vector<std::string> arguments;
  /// What was left out although it would have had an effect.
  std::vector<std::string> dropped;
  /// -dlink, which clang does not have.
  bool isDeviceLink = false;
};

/// Translates what is nvcc's and keeps everything else. Architectures become
/// --offload-arch=sm_NN; flags without a meaning here vanish.
TranslatedFlags translateNvccFlags(llvm::ArrayRef<const char *> arguments);

} // namespace auspex

#endif
