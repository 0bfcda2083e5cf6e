// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the warps of a block of threads do side by side, each its own part of
/// the code.
#ifndef AUSPEX_LIB_KERNEL_ARMS_H
#define AUSPEX_LIB_KERNEL_ARMS_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// Between two barriers a block of threads waits for its busiest warp, by its
/// instructions and its waits for global memory: what only others run is not on
/// the path, they do it meanwhile. Puts that into the blocks of \p kernel, and
/// the share of its warps that are at work; whether there is any such. \p
/// runners has, for each block of code, a bit for each warp that ever runs it.
bool findArms(llvm::ArrayRef<uint32_t> runners, const GPU &gpu,
              BoundKernel &kernel);

} // namespace auspex

#endif
