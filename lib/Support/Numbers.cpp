// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Numbers.h"

#include <charconv>

using namespace auspex;

std::optional<double> auspex::parseNumber(llvm::StringRef text) {
  // from_chars takes no plus.
  if (text.consume_front("+") && text.starts_with("-"))
    return std::nullopt;
  double value;
  auto [end, problem] = std::from_chars(text.begin(), text.end(), value);
  if (problem != std::errc() || end != text.end())
    return std::nullopt;
  return value;
}

std::optional<int64_t> auspex::parseInteger(llvm::StringRef text) {
  int64_t value;
  llvm::StringRef digits = text;
  digits.consume_front("-");
  bool isHexadecimal = digits.starts_with_insensitive("0x");
  if (text.getAsInteger(isHexadecimal ? 0 : 10, value))
    return std::nullopt;
  return value;
}
