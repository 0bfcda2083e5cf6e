// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading map files.
#include "auspex/Validate/KernelMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Reads one member of "kernels".
class KernelMap::EntryReader {
public:
  EntryReader(const Node &node, std::string folder) : in(node) {
    entry.place = node.place();
    entry.folder = std::move(folder);
  }

  Expected<Entry> read();

private:
  Reader in;
  Entry entry;

  std::optional<Template> readTemplate(StringRef key);
  std::optional<Number> readNumber(const Node &value);
  void readMatch();
  void readDefines();
  void readFlags();
  std::vector<Number> readSize(StringRef key);
  void readArguments();
  void readClock(llvm::StringRef key, std::optional<Number> &clock);
  void readRate();
};

Expected<KernelMap::Entry> KernelMap::EntryReader::read() {
  readMatch();
  entry.leaveOut = in.maybeText("leaveOut").value_or("");
  entry.source = readTemplate("source");
  entry.kernel = readTemplate("kernel");
  entry.gpu = readTemplate("gpu");
  readDefines();
  readFlags();
  entry.grid = readSize("grid");
  entry.block = readSize("block");
  for (StringRef key : {"shared", "registers", "maxBlocksPerSM"})
    if (const Node *value = in.maybeMember(key))
      if (auto number = readNumber(*value))
        entry.numbers.emplace_back(key.str(), std::move(*number));
  entry.warmL2 = in.maybeBoolean("warmL2");
  readClock("core_MHz", entry.core);
  readClock("mem_MHz", entry.memory);
  readArguments();
  readRate();
  if (Error error = in.finish())
    return std::move(error);
  return std::move(entry);
}

std::optional<KernelMap::Template>
KernelMap::EntryReader::readTemplate(StringRef key) {
  const Node *value = in.maybeMember(key);
  if (!value)
    return std::nullopt;
  return Template{in.maybeText(key).value_or(""), value->place()};
}

std::optional<KernelMap::Number>
KernelMap::EntryReader::readNumber(const Node &value) {
  Expected<std::string> text = value.text();
  if (!text) {
    in.fail(text.takeError());
    return std::nullopt;
  }
  Expected<Expr> expr = Expr::parse(*text);
  if (expr && expr->isValid())
    return Number{std::move(*expr), value.place()};
  in.fail(value.error(
      "expected a number made of fields such as (n + 255) / "
      "256: " +
      (expr ? "it is too large" : llvm::toString(expr.takeError()))));
  return std::nullopt;
}

/// A field has the value, or one of the values.
void KernelMap::EntryReader::readMatch() {
  const Node *match = in.member("match");
  if (!match)
    return;
  if (!match->isMapping())
    return in.fail(match->error("expected fields and their values, {kernel: "
                                "saxpy}, found " +
                                match->description()));
  for (const auto &[field, value] : match->members) {
    std::vector<std::string> values;
    llvm::ArrayRef<Node> items(value);
    if (value.isSequence())
      items = value.items;
    for (const Node &item : items) {
      Expected<std::string> text = item.text();
      if (!text)
        return in.fail(text.takeError());
      values.push_back(std::move(*text));
    }
    entry.match.emplace_back(field, std::move(values));
  }
}

void KernelMap::EntryReader::readDefines() {
  const Node *defines = in.maybeMember("defines");
  if (!defines)
    return;
  if (!defines->isMapping())
    return in.fail(defines->error("expected macros and their texts, {TILE: "
                                  "'{problem.tile}'}, found " +
                                  defines->description()));
  for (const auto &[name, value] : defines->members) {
    if (value.isNull()) {
      entry.defines.emplace_back(name, std::nullopt);
      continue;
    }
    Expected<std::string> text = value.text();
    if (!text)
      return in.fail(text.takeError());
    entry.defines.emplace_back(name, Template{std::move(*text), value.place()});
  }
}

void KernelMap::EntryReader::readFlags() {
  in.each(
      "flags",
      [&](const Node &item) -> Error {
        Expected<std::string> text = item.text();
        if (!text)
          return text.takeError();
        entry.flags.push_back({std::move(*text), item.place()});
        return Error::success();
      },
      /*required=*/false);
}

std::vector<KernelMap::Number> KernelMap::EntryReader::readSize(StringRef key) {
  std::vector<Number> size;
  const Node *value = in.maybeMember(key);
  if (!value)
    return size;
  llvm::ArrayRef<Node> sides(*value);
  if (value->isSequence())
    sides = value->items;
  if (sides.empty() || sides.size() > 3)
    in.fail(value->error("expected 1 to 3 sizes"));
  for (const Node &side : sides)
    if (auto number = readNumber(side))
      size.push_back(std::move(*number));
  return size;
}

void KernelMap::EntryReader::readArguments() {
  const Node *args = in.maybeMember("args");
  if (!args)
    return;
  if (!args->isMapping())
    return in.fail(args->error("expected the arguments as {name: value}, "
                               "found " +
                               args->description()));
  entry.args.emplace();
  for (const auto &[name, value] : args->members)
    if (auto number = readNumber(value))
      entry.args->emplace_back(name, std::move(*number));
}

void KernelMap::EntryReader::readClock(StringRef key,
                                       std::optional<Number> &clock) {
  if (const Node *value = in.maybeMember(key))
    clock = readNumber(*value);
}

void KernelMap::EntryReader::readRate() {
  const Node *node = in.maybeMember("rate");
  if (!node)
    return;
  Reader rate(*node);
  Rate result;
  result.field = rate.text("field");
  result.perSecond = rate.number("perSecond", 1e-3, 1e18);
  if (const Node *work = rate.member("work"))
    if (auto number = readNumber(*work))
      result.work = std::move(*number);
  in.fail(rate.finish());
  entry.rate = std::move(result);
}

Error KernelMap::addDocument(const Node &document) {
  Reader in(document);
  llvm::SmallString<128> folder(
      llvm::sys::path::parent_path(document.place().file));
  llvm::sys::path::append(folder, in.maybeText("folder").value_or(""));
  if (const Node *names = in.maybeMember("gpus")) {
    if (!names->isMapping())
      return names->error("expected names of GPUs, {v100: V100-PCIe}, found " +
                          names->description());
    for (const auto &[name, value] : names->members)
      gpus[name] = value.isNull() ? std::nullopt : std::optional(value.scalar);
  }
  in.each("kernels", [&](const Node &item) -> Error {
    Expected<Entry> entry = EntryReader(item, folder.str().str()).read();
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
    return Error::success();
  });
  return in.finish();
}

Error KernelMap::addFile(StringRef path) {
  auto document = loadDocument(path);
  if (!document)
    return document.takeError();
  return addDocument(*document);
}
