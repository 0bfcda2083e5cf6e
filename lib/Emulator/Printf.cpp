// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Printf.h"

#include "llvm/Support/MathExtras.h"

#include <cstdio>
#include <cstring>

using namespace auspex::emulator;

namespace {
/// Reads values one after the other.
class Arguments {
public:
  explicit Arguments(const char *at) : at(at) {}

  template <class T> T next() {
    offset = llvm::alignTo(offset, sizeof(T));
    T value{};
    if (at)
      std::memcpy(&value, at + offset, sizeof(T));
    offset += sizeof(T);
    return value;
  }

private:
  const char *at;
  uint64_t offset = 0;
};
} // namespace

template <class T>
static std::string formatOne(const std::string &specification, T value) {
  int size = std::snprintf(nullptr, 0, specification.c_str(), value);
  if (size <= 0)
    return "";
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), specification.c_str(), value);
  text.pop_back();
  return text;
}

std::string auspex::emulator::formatPrint(
    llvm::StringRef format, const char *arguments,
    llvm::function_ref<std::string(uint64_t)> stringAt, unsigned &count) {
  Arguments values(arguments);
  std::string text;
  count = 0;
  while (!format.empty()) {
    size_t percent = std::min(format.find('%'), format.size());
    text += format.take_front(percent);
    format = format.drop_front(percent);
    if (format.empty())
      break;
    if (format.consume_front("%%")) {
      text += '%';
      continue;
    }
    // Flags, width, precision; the length says how wide an integer is.
    std::string specification = "%";
    format = format.drop_front();
    while (!format.empty() &&
           llvm::StringRef("-+ #0123456789.*").contains(format.front())) {
      if (format.front() == '*') {
        specification += std::to_string(values.next<int32_t>());
        ++count;
      } else {
        specification += format.front();
      }
      format = format.drop_front();
    }
    bool isLong = false;
    while (!format.empty() &&
           llvm::StringRef("hlLqjzt").contains(format.front())) {
      isLong |= format.front() != 'h';
      if (format.front() == 'h')
        specification += 'h';
      format = format.drop_front();
    }
    if (format.empty())
      break;
    char conversion = format.front();
    format = format.drop_front();
    ++count;
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (isLong)
        text += formatOne(specification + "ll" + conversion,
                          values.next<long long>());
      else
        text += formatOne(specification + conversion, values.next<int32_t>());
      break;
    case 'c':
      text += formatOne(specification + conversion, values.next<int32_t>());
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      text += formatOne(specification + conversion, values.next<double>());
      break;
    case 'p':
      text += formatOne(specification + conversion, values.next<void *>());
      break;
    case 's': {
      uint64_t address = values.next<uint64_t>();
      std::string string = address ? stringAt(address) : "(null)";
      text += formatOne(specification + conversion, string.c_str());
      break;
    }
    default: // printed as it stands
      text += specification + conversion;
      --count;
    }
  }
  return text;
}
