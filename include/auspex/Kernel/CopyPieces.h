// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the code generator makes of a copy or fill of a small, known size.
#ifndef AUSPEX_KERNEL_COPYPIECES_H
#define AUSPEX_KERNEL_COPYPIECES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"

namespace auspex {

struct CopyPiece {
  uint64_t offset;
  unsigned bytes;
};

/// The pieces of \p bytes, in order: as wide as \p alignment, which is that of
/// the less aligned side of a copy, and at most 8 bytes; narrower ones at the
/// end.
llvm::SmallVector<CopyPiece> copyPieces(uint64_t bytes, llvm::Align alignment);

} // namespace auspex

#endif
