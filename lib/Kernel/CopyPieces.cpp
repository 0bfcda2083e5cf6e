// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/CopyPieces.h"

#include <algorithm>

using namespace auspex;

llvm::SmallVector<CopyPiece> auspex::copyPieces(uint64_t bytes,
                                                llvm::Align alignment) {
  constexpr uint64_t Widest = 8;
  llvm::SmallVector<CopyPiece> pieces;
  uint64_t width = std::min(Widest, alignment.value());
  for (uint64_t at = 0; at < bytes; at += width) {
    while (width > bytes - at)
      width /= 2;
    pieces.push_back({at, static_cast<unsigned>(width)});
  }
  return pieces;
}
