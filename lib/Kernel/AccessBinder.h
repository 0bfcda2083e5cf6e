// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the accesses of a launch request, with what is expected where their
/// addresses are open.
#ifndef AUSPEX_LIB_KERNEL_ACCESSBINDER_H
#define AUSPEX_LIB_KERNEL_ACCESSBINDER_H

#include "CodeDomains.h"

namespace auspex {

/// Fills the accesses of \p result, one for each of the summary; what is open
/// or assumed of their addresses stands there too.
void bindAccesses(SharedBinding &shared, Scenario scenario,
                  CodeDomains &domains, BoundKernel &result);

} // namespace auspex

#endif
