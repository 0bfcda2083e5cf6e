// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order in which a warp prefers basic blocks.
#ifndef AUSPEX_LIB_EMULATOR_BLOCKORDER_H
#define AUSPEX_LIB_EMULATOR_BLOCKORDER_H

#include "llvm/IR/BasicBlock.h"

#include <vector>

namespace auspex::emulator {

/// The blocks that are reachable, each before what follows it but for the edges
/// back to the head of a cycle, and the blocks of a cycle side by side: a weak
/// topological order (Bourdoncle 1993), which irreducible control flow has too.
std::vector<const llvm::BasicBlock *> preferredOrder(const llvm::Function &);

} // namespace auspex::emulator

#endif
