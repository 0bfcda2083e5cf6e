// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers as text, the same in every locale: the emulator runs inside programs
/// that choose their own.
#ifndef AUSPEX_SUPPORT_NUMBERS_H
#define AUSPEX_SUPPORT_NUMBERS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace auspex {

/// The number that all of \p text is, as 1.5, -2e3, inf or nan; else none.
std::optional<double> parseNumber(llvm::StringRef text);

/// "5%", "5 %" or "5" as 0.05; none below 0.
std::optional<double> parseShare(llvm::StringRef text);
/// "1us", "500 ns", "0.2ms", "1s", without a unit in us; none below 0.
std::optional<double> parseTimeInUs(llvm::StringRef text);

/// The integer that all of \p text is, decimal also with zeros in front, or
/// hexadecimal behind 0x; none if it is something else or has no room.
std::optional<int64_t> parseInteger(llvm::StringRef text);

} // namespace auspex

#endif
