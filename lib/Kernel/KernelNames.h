// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names a kernel goes by.
#ifndef AUSPEX_LIB_KERNEL_KERNELNAMES_H
#define AUSPEX_LIB_KERNEL_KERNELNAMES_H

#include "auspex/Kernel/KernelSummary.h"

namespace auspex {

/// "ns::k<float>" for "void ns::k<float>(int, float*)".
std::string qualifiedName(const KernelSummary &summary);

} // namespace auspex

#endif
