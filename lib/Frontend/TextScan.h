// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the C library's sscanf reads.
#ifndef AUSPEX_LIB_FRONTEND_TEXTSCAN_H
#define AUSPEX_LIB_FRONTEND_TEXTSCAN_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace auspex {

/// The numbers that sscanf assigns of \p text by \p format, in their order: as
/// many as it returns. None if the format has conversions to anything else.
std::optional<std::vector<std::variant<int64_t, double>>>
scanText(llvm::StringRef text, llvm::StringRef format);

} // namespace auspex

#endif
