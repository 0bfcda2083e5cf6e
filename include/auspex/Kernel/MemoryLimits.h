// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory there can be.
#ifndef AUSPEX_KERNEL_MEMORYLIMITS_H
#define AUSPEX_KERNEL_MEMORYLIMITS_H

#include <cstdint>

namespace auspex {

/// The most bytes that an object, or shared or local memory, may have: more
/// than any GPU has. What is counted with them stays far from overflow.
constexpr int64_t MostBytes = int64_t(1) << 40;

/// The most bytes that a lane may access at once, by a bulk copy: more than the
/// shared memory of a block.
constexpr int64_t MostBytesOfLane = int64_t(1) << 18;

} // namespace auspex

#endif
