// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files in the format of gzip.
#ifndef AUSPEX_LIB_VALIDATE_GUNZIP_H
#define AUSPEX_LIB_VALIDATE_GUNZIP_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace auspex {

/// The text that \p bytes hold, which may be several compressed files one after
/// the other; none if they are damaged, cut, or more than 1 GiB.
std::optional<std::string> gunzip(llvm::StringRef bytes);

} // namespace auspex

#endif
