// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/HostInterface.h"

#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Support/Json.h"

using namespace auspex;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void write(json::OStream &out, const HostValue &value) {
  if (value.integer)
    out.attribute("integer", *value.integer);
  if (value.real)
    writeFloat(out, "real", *value.real);
  if (value.objectInBytes)
    out.attribute("bytes", static_cast<int64_t>(*value.objectInBytes));
}

static void write(json::OStream &out, const HostArgument &argument) {
  out.object([&] {
    write(out, argument.value);
    if (!argument.members.empty())
      out.attributeArray("members", [&] {
        for (const auto &[byte, value] : argument.members)
          out.object([&] {
            out.attribute("at", static_cast<int64_t>(byte));
            write(out, value);
          });
      });
  });
}

static void write(json::OStream &out, const HostCall &call) {
  out.object([&] {
    writeText(out, "function", call.function);
    out.attributeArray("arguments", [&] {
      for (const HostArgument &argument : call.arguments)
        write(out, argument);
    });
    if (call.isWithoutArguments)
      out.attribute("withoutArguments", true);
    writePlace(out, call.location);
  });
}

void auspex::writeJSON(const HostInterface &interface, json::OStream &out) {
  if (!interface.entries.empty())
    out.attributeArray("entries", [&] {
      for (const std::string &function : interface.entries)
        writeText(out, function);
    });
  if (!interface.calls.empty())
    out.attributeArray("calls", [&] {
      for (const HostCall &call : interface.calls)
        writeOnOneLine(out, [&](json::OStream &line) { write(line, call); });
    });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static HostValue readValue(Reader &in) {
  HostValue value;
  value.integer = in.maybeInteger("integer");
  value.real = in.maybeNumber("real");
  if (auto bytes = in.maybeInteger("bytes", 1))
    value.objectInBytes = static_cast<uint64_t>(*bytes);
  return value;
}

static llvm::Error readMember(const Node &node, HostArgument &argument) {
  Reader in(node);
  uint64_t byte = in.integer("at", 0);
  argument.members[byte] = readValue(in);
  return in.finish();
}

static llvm::Error readArgument(const Node &node, HostArgument &argument) {
  Reader in(node);
  argument.value = readValue(in);
  in.each(
      "members", [&](const Node &item) { return readMember(item, argument); },
      /*required=*/false);
  return in.finish();
}

static llvm::Error readCall(const Node &node, HostCall &call) {
  Reader in(node);
  call.function = in.text("function");
  in.each("arguments", [&](const Node &item) {
    return readArgument(item, call.arguments.emplace_back());
  });
  call.isWithoutArguments = in.maybeBoolean("withoutArguments").value_or(false);
  call.location.file = in.maybeText("file").value_or("");
  call.location.line = in.maybeInteger("line", 0, INT32_MAX).value_or(0);
  call.location.column = in.maybeInteger("column", 0, INT32_MAX).value_or(0);
  return in.finish();
}

void auspex::readHostInterface(Reader &in, HostInterface &interface) {
  auto readEntry = [&](const Node &item) -> llvm::Error {
    auto function = item.text();
    if (!function)
      return function.takeError();
    interface.entries.push_back(std::move(*function));
    return llvm::Error::success();
  };
  in.each("entries", readEntry, /*required=*/false);
  in.each(
      "calls",
      [&](const Node &item) {
        return readCall(item, interface.calls.emplace_back());
      },
      /*required=*/false);
}
