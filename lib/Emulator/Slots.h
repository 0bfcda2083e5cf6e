// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How handlers reach slots.
#ifndef AUSPEX_LIB_EMULATOR_SLOTS_H
#define AUSPEX_LIB_EMULATOR_SLOTS_H

#include "Warp.h"

namespace auspex::emulator {

template <class T>
[[gnu::always_inline]] inline T *slot(const Warp &warp, SlotOffset offset) {
  return reinterpret_cast<T *>(warp.bases[offset >> SlotSpaceShift] + offset);
}

[[gnu::always_inline]] inline uint32_t &maskSlot(const Warp &warp,
                                                 SlotOffset offset) {
  return *slot<uint32_t>(warp, offset);
}

} // namespace auspex::emulator

#endif
