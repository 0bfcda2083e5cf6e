// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which block of the snapshot a block of the late IR belongs to.
#ifndef AUSPEX_LIB_ANALYSIS_CODEOWNERS_H
#define AUSPEX_LIB_ANALYSIS_CODEOWNERS_H

#include "CodeTags.h"

namespace auspex {

/// What a block of the late IR, and the machine blocks made from it, run for:
/// one run of it stands for `unroll` runs of the snapshot's block.
struct CodeOwner {
  unsigned block = 0;
  unsigned unroll = 1;
  /// The loop of the late IR, or the block on its own, that holds this copy of
  /// the snapshot's loop: a run of the snapshot's block is one run of one of
  /// its copies. Null outside of loops.
  const void *copy = nullptr;
  /// As of MachineCode.
  unsigned begins = 0;
};

using CodeOwners = llvm::DenseMap<const llvm::BasicBlock *, CodeOwner>;

/// Finds the owners after the late pipeline, by the tags that are left.
CodeOwners findOwners(llvm::Function &function, const CodeSnapshot &snapshot);

} // namespace auspex

#endif
