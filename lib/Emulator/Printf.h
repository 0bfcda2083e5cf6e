// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// printf as the device has it.
#ifndef AUSPEX_LIB_EMULATOR_PRINTF_H
#define AUSPEX_LIB_EMULATOR_PRINTF_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace auspex::emulator {

/// The text of \p format with the values in \p arguments, each aligned to its
/// size; \p count becomes their number.
std::string formatPrint(llvm::StringRef format, const char *arguments,
                        llvm::function_ref<std::string(uint64_t)> stringAt,
                        unsigned &count);

} // namespace auspex::emulator

#endif
