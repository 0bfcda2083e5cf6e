// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Accesses by a pointer that is chosen among objects in different address
/// spaces.
#ifndef AUSPEX_LIB_ANALYSIS_ACCESSESOFSPACES_H
#define AUSPEX_LIB_ANALYSIS_ACCESSESOFSPACES_H

namespace llvm {
class Function;
} // namespace llvm

namespace auspex {

/// Accesses each object on its own way, where clang has one access to one of
/// several spaces, `inTile ? tile[i] : x[j]`: nvcc keeps the ways of the
/// source, and each access has the instruction of its space. Blocks and
/// branches of \p function change.
void splitAccessesOfSpaces(llvm::Function &function);

} // namespace auspex

#endif
