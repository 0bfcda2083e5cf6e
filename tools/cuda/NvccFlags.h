// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flags of nvcc as flags of clang, so that build files written for nvcc work
/// as they are.
#ifndef AUSPEX_TOOLS_CUDA_NVCCFLAGS_H
#define AUSPEX_TOOLS_CUDA_NVCCFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

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

/// Puts the words of option files in their place: @FILE, and nvcc's
/// --options-file. They are relative to \p directory, or to that of the process
/// if it is empty.
llvm::Error expandOptionFiles(llvm::SmallVectorImpl<const char *> &words,
                              llvm::StringRef directory,
                              llvm::BumpPtrAllocator &allocator);

/// Translates what is nvcc's and keeps everything else. Architectures become
/// --offload-arch=sm_NN; flags without a meaning here vanish.
TranslatedFlags translateNvccFlags(llvm::ArrayRef<const char *> arguments);

} // namespace auspex

#endif
