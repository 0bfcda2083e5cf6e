// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers in JSON and in tables with as many digits as they have: LLVM's
/// writer prints 33.1 as 33.100000000000001.
#ifndef AUSPEX_TOOLS_JSON_H
#define AUSPEX_TOOLS_JSON_H

#include "llvm/Support/JSON.h"

#include <charconv>
#include <string>

namespace auspex {

/// The shortest text that reads back as \p value.
inline std::string shortestNumber(double value) {
  char text[32];
  auto [end, code] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

inline void writeNumber(llvm::json::OStream &out, llvm::StringRef key,
                        double value) {
  out.attributeBegin(key);
  out.rawValue(shortestNumber(value));
  out.attributeEnd();
}

} // namespace auspex

#endif
