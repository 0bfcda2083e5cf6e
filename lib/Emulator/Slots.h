// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How handlers reach slots.
#ifndef AUSPEX_LIB_EMULATOR_SLOTS_H
#define AUSPEX_LIB_EMULATOR_SLOTS_H

#include "Warp.h"

#include <type_traits>

namespace auspex::emulator {

template <class T>
[[gnu::always_inline]] inline T *slot(const Warp &warp, SlotOffset offset) {
  return reinterpret_cast<T *>(warp.bases[offset >> SlotSpaceShift] + offset);
}

[[gnu::always_inline]] inline uint32_t &maskSlot(const Warp &warp,
                                                 SlotOffset offset) {
  return *slot<uint32_t>(warp, offset);
}

/// All ones for the lanes of \p mask; vectors of T do not shift by a bool.
template <class T>
[[gnu::always_inline]] inline void expandMask(uint32_t mask, T *expanded) {
  using Wide = std::conditional_t<sizeof(T) <= 4, uint32_t, T>;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    expanded[lane] = static_cast<T>(0 - static_cast<Wide>(mask >> lane & 1));
}

} // namespace auspex::emulator

#endif
