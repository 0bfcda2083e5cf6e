// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TextScan.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <string>

using namespace auspex;
using llvm::StringRef;

namespace {
/// `%*10ld` without the percent sign.
struct Conversion {
  bool isAssigned = true;
  size_t width = StringRef::npos;
  char kind = '\0';
};
} // namespace

static Conversion takeConversion(StringRef &format) {
  Conversion conversion;
  conversion.isAssigned = !format.consume_front("*");
  if (unsigned width; !format.consumeInteger(10, width))
    conversion.width = width;
  format = format.ltrim("hljztL");
  if (!format.empty()) {
    conversion.kind = format.front();
    format = format.drop_front();
  }
  return conversion;
}

/// In which integers are read, 0 if they say that themselves; none for
/// conversions to something else.
static std::optional<int> baseOf(char kind) {
  switch (kind) {
  case 'd':
  case 'u':
    return 10;
  case 'i':
    return 0;
  case 'o':
    return 8;
  case 'x':
  case 'X':
    return 16;
  default:
    return std::nullopt;
  }
}

std::optional<std::vector<std::variant<int64_t, double>>>
auspex::scanText(StringRef text, StringRef format) {
  std::vector<std::variant<int64_t, double>> result;
  while (!format.empty()) {
    char next = format.front();
    format = format.drop_front();
    if (llvm::isSpace(next)) {
      text = text.ltrim();
      continue;
    }
    bool isSign = next == '%' && format.consume_front("%");
    if (next != '%' || isSign) {
      text = isSign ? text.ltrim() : text;
      if (!text.consume_front(next))
        break;
      continue;
    }
    Conversion conversion = takeConversion(format);
    bool isReal = StringRef("aefgAEFG").contains(conversion.kind);
    std::optional<int> base = baseOf(conversion.kind);
    if (!isReal && !base)
      return std::nullopt;
    text = text.ltrim();
    std::string digits = text.take_front(conversion.width).str();
    char *end = nullptr;
    std::variant<int64_t, double> value;
    if (isReal)
      value = std::strtod(digits.c_str(), &end);
    else
      value = int64_t(std::strtoll(digits.c_str(), &end, *base));
    if (end == digits.c_str())
      break;
    text = text.drop_front(end - digits.c_str());
    if (conversion.isAssigned)
      result.push_back(value);
  }
  return result;
}
