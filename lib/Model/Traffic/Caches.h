// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the caches of a GPU hold for a launch.
#ifndef AUSPEX_LIB_MODEL_TRAFFIC_CACHES_H
#define AUSPEX_LIB_MODEL_TRAFFIC_CACHES_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// What a line of L1 and of L2 holds, in bytes.
inline constexpr int64_t LineInBytes = 128;

/// Whether plain loads from global memory stay in L1: on Fermi, and again since
/// the unified caches of GP100 and Volta; in between only if asked for.
bool cachesLoads(const GPU &gpu);

/// How many blocks of the launch an SM has at a time. They go to the SMs in
/// turn, so that a small grid leaves room on all.
double blocksOnSM(const BoundKernel &kernel, const GPU &gpu);

/// What shared memory leaves of the unified memory: the driver takes the
/// smallest carve-out that holds the resident blocks. Pascal has them apart.
double l1InBytes(const BoundKernel &kernel, const GPU &gpu);

/// What of L2 an SM can use.
double l2InBytes(const GPU &gpu);

/// Whether that is not all: L2 has two halves, with copies of each other's.
bool isL2Halved(const GPU &gpu);

/// The same for what SMs pick in no order: few ask for the same, so that the
/// halves of L2 have few copies of each other's.
double l2OfPicksInBytes(const GPU &gpu);

} // namespace auspex

#endif
