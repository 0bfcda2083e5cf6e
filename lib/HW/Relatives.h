// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a GPU's description takes from that of a relative: the key "like".
#ifndef AUSPEX_LIB_HW_RELATIVES_H
#define AUSPEX_LIB_HW_RELATIVES_H

#include "auspex/HW/GPU.h"

namespace auspex {

/// The facts and numbers that \p gpu, whose own are in place, does not have and
/// \p relative has, but for those that every chip has of its own, such as
/// clocks. Rates of the whole chip are scaled by what sets them. What was
/// measured on the relative becomes derived from it.
void takeFromRelative(GPU &gpu, const GPU &relative);

} // namespace auspex

#endif
