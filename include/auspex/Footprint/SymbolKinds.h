// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the symbols of addresses, trip counts and conditions stand for: PTX's
/// special registers by their names there, what the host sets, and data.
#ifndef AUSPEX_FOOTPRINT_SYMBOLKINDS_H
#define AUSPEX_FOOTPRINT_SYMBOLKINDS_H

#include "llvm/ADT/StringRef.h"

namespace auspex {

/// threadIdx: "tid.x" and so on.
inline bool isThreadIndex(llvm::StringRef symbol) {
  return symbol.starts_with("tid.");
}

/// blockIdx: "ctaid.x" and so on.
inline bool isBlockIndex(llvm::StringRef symbol) {
  return symbol.starts_with("ctaid.");
}

/// blockDim: "ntid.x" and so on.
inline bool isBlockSize(llvm::StringRef symbol) {
  return symbol.starts_with("ntid.");
}

/// gridDim: "nctaid.x" and so on.
inline bool isGridSize(llvm::StringRef symbol) {
  return symbol.starts_with("nctaid.");
}

/// What the host sets and no kernel changes: an argument, "arg2", a member of
/// one, "arg2.8", or what is at a byte of a variable, "@name.8".
inline bool isSetByHost(llvm::StringRef symbol) {
  return symbol.starts_with("arg") || symbol.starts_with("@");
}

/// What the running kernel finds in memory or computes out of it: "data0".
inline bool isData(llvm::StringRef symbol) {
  return symbol.starts_with("data");
}

} // namespace auspex

#endif
