// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Numbers.h"

#include <charconv>
#include <cmath>

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

/// A number from 0 on.
static std::optional<double> parseSize(llvm::StringRef text) {
  std::optional<double> size = parseNumber(text.trim());
  return size && std::isfinite(*size) && *size >= 0 ? size : std::nullopt;
}

std::optional<double> auspex::parseShare(llvm::StringRef text) {
  text.consume_back("%");
  std::optional<double> percent = parseSize(text);
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

std::optional<double> auspex::parseTimeInUs(llvm::StringRef text) {
  double factor = 1;
  if (text.consume_back("ns"))
    factor = 1e-3;
  else if (text.consume_back("ms"))
    factor = 1e3;
  else if (!text.consume_back("us") && text.consume_back("s"))
    factor = 1e6;
  std::optional<double> time = parseSize(text);
  return time ? std::optional(*time * factor) : std::nullopt;
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
