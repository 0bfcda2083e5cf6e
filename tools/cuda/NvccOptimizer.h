// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How clang makes device code like nvcc's.
#ifndef AUSPEX_TOOLS_CUDA_NVCCOPTIMIZER_H
#define AUSPEX_TOOLS_CUDA_NVCCOPTIMIZER_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace auspex {

/// What clang with the plugin needs to optimise as nvcc does, unless \p
/// userFlags say otherwise.
std::vector<std::string>
flagsToOptimizeAsNvcc(llvm::ArrayRef<std::string> userFlags);

} // namespace auspex

#endif
