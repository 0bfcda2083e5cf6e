// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Json.h"

#include <algorithm>
#include <charconv>

using namespace auspex;
namespace json = llvm::json;
using llvm::StringRef;

std::string auspex::shortestNumber(double value) {
  if (!std::isfinite(value))
    return "null";
  // Left to itself to_chars takes the shorter of the two forms, and 100000
  // becomes 1e+05.
  double magnitude = std::abs(value);
  bool ordinary = magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e16);
  auto form =
      ordinary ? std::chars_format::fixed : std::chars_format::scientific;
  char text[32];
  char *end = std::to_chars(text, text + sizeof(text), value, form).ptr;
  return std::string(text, end);
}

void auspex::writeNumber(json::OStream &out, double value) {
  out.rawValue(shortestNumber(value));
}

void auspex::writeText(json::OStream &out, StringRef text) {
  if (json::isUTF8(text))
    out.value(text);
  else
    out.value(json::fixUTF8(text));
}

static void writeObject(json::OStream &out, const json::Object &object) {
  std::vector<const json::Object::value_type *> members;
  for (const auto &member : object)
    members.push_back(&member);
  llvm::sort(members, [](const auto *a, const auto *b) {
    return StringRef(a->first) < StringRef(b->first);
  });
  out.object([&] {
    for (const auto *member : members)
      writeValue(out, member->first, member->second);
  });
}

void auspex::writeValue(json::OStream &out, const json::Value &value) {
  if (const json::Object *object = value.getAsObject())
    return writeObject(out, *object);
  if (const json::Array *array = value.getAsArray())
    return out.array([&] {
      for (const json::Value &item : *array)
        writeValue(out, item);
    });
  // Integers print in full as they are; getAsNumber would round them.
  bool integer = value.getAsInteger() || value.getAsUINT64();
  std::optional<double> number = value.getAsNumber();
  if (number && !integer)
    return writeNumber(out, *number);
  out.value(value);
}

std::string auspex::floatText(double value) {
  std::string text = shortestNumber(value);
  return StringRef(text).find_first_of(".e") == StringRef::npos ? text + ".0"
                                                                : text;
}

void auspex::writeFloat(json::OStream &out, StringRef key, double value) {
  out.attributeBegin(key);
  out.rawValue(floatText(value));
  out.attributeEnd();
}

void auspex::writeNumber(json::OStream &out, StringRef key, double value) {
  out.attributeBegin(key);
  writeNumber(out, value);
  out.attributeEnd();
}

void auspex::writeNumber(
    json::OStream &out, StringRef key, const std::optional<double> &value,
    StringRef rangeKey, const std::optional<std::pair<double, double>> &range) {
  if (value)
    writeNumber(out, key, *value);
  else
    out.attribute(key, nullptr);
  if (range)
    out.attributeArray(rangeKey, [&] {
      writeNumber(out, range->first);
      writeNumber(out, range->second);
    });
}

void auspex::writeText(json::OStream &out, StringRef key, StringRef text) {
  out.attributeBegin(key);
  writeText(out, text);
  out.attributeEnd();
}

void auspex::writeValue(json::OStream &out, StringRef key,
                        const json::Value &value) {
  out.attributeBegin(key);
  writeValue(out, value);
  out.attributeEnd();
}

void auspex::writeOnOneLine(json::OStream &out,
                            llvm::function_ref<void(json::OStream &)> write) {
  out.rawValue([&](llvm::raw_ostream &os) {
    json::OStream line(os);
    write(line);
  });
}
