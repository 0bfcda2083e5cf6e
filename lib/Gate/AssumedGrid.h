// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launches whose grid nobody states.
#ifndef AUSPEX_LIB_GATE_ASSUMEDGRID_H
#define AUSPEX_LIB_GATE_ASSUMEDGRID_H

#include "auspex/Gate/Record.h"

namespace auspex {

/// The grid that is assumed is one full wave: a kernel of which fewer blocks
/// reside has less to do, and would seem to be faster. This is \p head with as
/// many threads as \p base has: its grid, times, requests and traffic. Nothing
/// if they have as many, if one of the grids is stated, or if the model's input
/// is not known.
std::optional<KernelRecord> withThreadsOf(const KernelRecord &base,
                                          const KernelRecord &head,
                                          const GPU &gpu);

} // namespace auspex

#endif
