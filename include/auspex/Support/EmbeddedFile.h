// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files of the source tree that the build makes part of the library, so that a
/// program finds them wherever it is (auspex_embed_files in AuspexRooms.cmake).
#ifndef AUSPEX_SUPPORT_EMBEDDEDFILE_H
#define AUSPEX_SUPPORT_EMBEDDEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace auspex {

struct EmbeddedFile {
  /// Without folder.
  llvm::StringRef fileName;
  llvm::StringRef text;
};

} // namespace auspex

#endif
