// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What to do with requests that do not go where they should.
#ifndef AUSPEX_LIB_EMULATOR_MEMORYFAULTS_H
#define AUSPEX_LIB_EMULATOR_MEMORYFAULTS_H

#include "AccessState.h"
#include "Warp.h"

namespace auspex::emulator {

void misalignedFault(const Operation *op, Warp &warp, const uint64_t *pointers,
                     unsigned bytes);
/// Whether all active lanes are in some memory, if not in the same one; else
/// the fault of the first that is not.
bool spansRanges(const Operation *op, Warp &warp, const uint64_t *pointers,
                 unsigned bytes);
/// Counts a request whose lanes went to several pieces of memory.
void countSpanning(const Operation *op, Warp &warp, AccessState &state,
                   const uint64_t *pointers, unsigned bytes);

} // namespace auspex::emulator

#endif
