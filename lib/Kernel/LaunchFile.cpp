// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchReader.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "auspex/Kernel/MemoryLimits.h"

#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Grids and blocks
//===----------------------------------------------------------------------===//

static llvm::Error sizeError(const Node &node) {
  return node.error("expected a size such as 256, 16x16 or [16, 16], found " +
                    node.description());
}

/// One side in "80x2". Digits beyond 64 bits saturate: they are a size, only
/// too large a one.
static std::optional<int64_t> parseSide(StringRef text) {
  text = text.trim();
  int64_t value;
  if (!text.getAsInteger(10, value))
    return value;
  if (!text.empty() && llvm::all_of(text, llvm::isDigit))
    return INT64_MAX;
  return std::nullopt;
}

static Expected<llvm::SmallVector<int64_t, 3>> readSides(const Node &node) {
  llvm::SmallVector<int64_t, 3> sides;
  if (node.isSequence()) {
    for (const Node &item : node.items) {
      Expected<int64_t> side = item.integer();
      if (!side)
        return side.takeError();
      sides.push_back(*side);
    }
    return sides;
  }
  if (!node.isScalar())
    return sizeError(node);
  llvm::SmallVector<StringRef, 3> texts;
  StringRef(node.scalar).split(texts, 'x');
  if (texts.size() == 1 && !parseSide(texts[0])) {
    Expected<int64_t> side = node.integer(); // 1e6
    if (side)
      return llvm::SmallVector<int64_t, 3>{*side};
    llvm::consumeError(side.takeError());
  }
  for (StringRef text : texts) {
    std::optional<int64_t> side = parseSide(text);
    if (!side)
      return sizeError(node);
    sides.push_back(*side);
  }
  return sides;
}

using Problem = std::string (*)(const Dim3 &, const LaunchLimits &);

/// Without \p problem any sizes will do.
static Expected<Dim3> readDim3(const Node &node, Problem problem) {
  auto sides = readSides(node);
  if (!sides)
    return sides.takeError();
  if (sides->empty() || sides->size() > 3)
    return node.error("expected 1 to 3 sizes, found " +
                      llvm::Twine(sides->size()));
  sides->resize(3, 1);
  Dim3 value{(*sides)[0], (*sides)[1], (*sides)[2]};
  std::string text = problem ? problem(value, LaunchLimits()) : std::string();
  if (!text.empty())
    return node.error(text);
  return value;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool auspex::readArgument(const Node &node, const std::string &name,
                          LaunchOrigin origin, LaunchConfig &config) {
  bool hasPoint = node.isScalar() && node.scalar.find('.') != std::string::npos;
  Expected<int64_t> integer = node.integer();
  if (integer && !hasPoint) {
    config.arguments[name] = {*integer, origin};
    return true;
  }
  llvm::consumeError(integer.takeError());
  Expected<double> number = node.number();
  if (number)
    config.floatArguments[name] = {*number, origin};
  else
    llvm::consumeError(number.takeError());
  return static_cast<bool>(number);
}

static llvm::Error readStated(const std::string &name, const Node &node,
                              LaunchOrigin origin, LaunchConfig &config) {
  Expected<bool> boolean = node.boolean();
  if (boolean)
    config.arguments[name] = {*boolean, origin};
  else
    llvm::consumeError(boolean.takeError());
  if (boolean || readArgument(node, name, origin, config))
    return llvm::Error::success();
  return node.error("expected a number, true or false, found " +
                    node.description());
}

static llvm::Error readArguments(const Node &node, LaunchOrigin origin,
                                 LaunchConfig &config) {
  if (node.isMapping()) {
    for (const Node::Member &member : node.members)
      if (llvm::Error problem =
              readStated(member.key, member.value, origin, config))
        return problem;
    return llvm::Error::success();
  }
  if (!node.isSequence())
    return node.error("expected the arguments as {name: value}, found " +
                      node.description());
  for (size_t i = 0; i < node.items.size(); ++i)
    if (!node.items[i].isNull())
      if (llvm::Error problem =
              readStated(std::to_string(i), node.items[i], origin, config))
        return problem;
  return llvm::Error::success();
}

static llvm::Error readObjects(const Node &node, LaunchOrigin origin,
                               LaunchConfig &config) {
  if (!node.isMapping())
    return node.error("expected the sizes of objects as {name: bytes}, found " +
                      node.description());
  for (const Node::Member &member : node.members) {
    Expected<int64_t> bytes = member.value.integer();
    if (!bytes)
      return bytes.takeError();
    if (*bytes < 1)
      return member.value.error("an object has at least one byte");
    if (*bytes > MostBytes)
      return member.value.error("an object has at most " +
                                llvm::Twine(MostBytes) + " bytes");
    config.objectsInBytes[member.key] = {static_cast<uint64_t>(*bytes), origin};
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Expected<std::array<Expr, 3>> readGridOfArguments(const Node &node) {
  std::array<Expr, 3> grid;
  if (node.items.size() != grid.size())
    return node.error("expected 3 expressions, one for each axis");
  for (auto [axis, value] : llvm::zip_equal(node.items, grid)) {
    Expected<std::string> text = axis.text();
    if (!text)
      return text.takeError();
    Expected<Expr> expr = Expr::parse(*text);
    if (!expr)
      return axis.error(llvm::toString(expr.takeError()));
    value = std::move(*expr);
  }
  return grid;
}

static Expected<ChosenBlock> readChosenBlock(const Node &node) {
  Reader in(node);
  ChosenBlock chosen;
  chosen.limit = in.maybeInteger("limit", 0, 1024).value_or(0);
  chosen.shared = in.maybeInteger("shared", 0, INT32_MAX).value_or(0);
  chosen.threads = in.maybeInteger("threads", 0, INT64_MAX);
  if (llvm::Error problem = in.finish())
    return problem;
  return chosen;
}

Expected<LaunchConfig> auspex::readLaunch(const Node &node, LaunchOrigin origin,
                                          bool needsKernel, LaunchSizes sizes) {
  bool isChecked = sizes == LaunchSizes::Checked;
  LaunchConfig config;
  config.location.file = node.place().file;
  config.location.line = node.line;
  Reader in(node);
  config.kernel =
      needsKernel ? in.text("kernel") : in.maybeText("kernel").value_or("");
  if (needsKernel && config.kernel.empty() && !in.failed())
    in.fail(node.find("kernel")->error("the name is empty"));
  auto size = [&](StringRef key, Problem problem,
                  std::optional<Stated<Dim3>> &to) {
    const Node *value = in.maybeMember(key);
    if (!value || in.failed())
      return;
    Expected<Dim3> size = readDim3(*value, isChecked ? problem : nullptr);
    if (size)
      to = {*size, origin};
    else
      in.fail(size.takeError());
  };
  size("grid", gridProblem, config.grid);
  if (const Node *counted = in.maybeMember("gridOfArguments")) {
    Expected<std::array<Expr, 3>> grid = readGridOfArguments(*counted);
    if (grid)
      config.gridOfArguments = {*grid, origin};
    else
      in.fail(grid.takeError());
  }
  size("block", blockProblem, config.block);
  if (const Node *chosen = in.maybeMember("chosenBlock")) {
    Expected<ChosenBlock> block = readChosenBlock(*chosen);
    if (block)
      config.chosenBlock = {*block, origin};
    else
      in.fail(block.takeError());
  }
  if (std::optional<int64_t> bytes =
          in.maybeInteger("shared", 0, isChecked ? INT32_MAX : INT64_MAX))
    config.dynamicShared = {static_cast<uint64_t>(*bytes), origin};
  if (std::optional<int64_t> count = in.maybeInteger("registers", 1, 256))
    config.registers = {static_cast<unsigned>(*count), origin};
  if (std::optional<int64_t> count = in.maybeInteger("maxBlocksPerSM", 1, 64))
    config.maxBlocksPerSM = {static_cast<unsigned>(*count), origin};
  config.hangsOn = in.maybeText("hangsOn").value_or("");
  if (std::optional<bool> isWarm = in.maybeBoolean("warmL2"))
    config.warmL2 = {*isWarm, origin};
  if (std::optional<int64_t> bytes = in.maybeInteger("bytesBetween", 0))
    config.bytesBetween = *bytes;
  if (const Node *arguments = in.maybeMember("args"))
    in.fail(readArguments(*arguments, origin, config));
  if (const Node *objects = in.maybeMember("objectsInBytes"))
    in.fail(readObjects(*objects, origin, config));
  auto names = [&](StringRef key, std::set<std::string> &to) {
    in.each(
        key,
        [&](const Node &name) -> llvm::Error {
          Expected<std::string> text = name.text();
          if (!text)
            return text.takeError();
          to.insert(std::move(*text));
          return llvm::Error::success();
        },
        /*required=*/false);
  };
  names("inHostMemory", config.inHostMemory);
  names("variesByRound", config.variesByRound);
  if (llvm::Error problem = in.finish())
    return problem;
  return config;
}

Expected<LaunchConfig> auspex::readStatedLaunch(const Node &node) {
  static constexpr LaunchOrigin origins[] = {
      LaunchOrigin::Source, LaunchOrigin::Defaults, LaunchOrigin::Pragma,
      LaunchOrigin::Profile};
  llvm::SmallVector<StringRef, 4> words;
  for (LaunchOrigin origin : origins)
    words.push_back(toString(origin));
  Reader in(node);
  LaunchOrigin origin = origins[in.choice("origin", words)];
  SourceLocation location;
  location.file = in.maybeText("file").value_or("");
  location.line = in.maybeInteger("line", 0, INT32_MAX).value_or(0);
  location.column = in.maybeInteger("column", 0, INT32_MAX).value_or(0);
  if (in.failed())
    return in.finish();
  Node parts = node;
  llvm::erase_if(parts.members, [](const Node::Member &member) {
    return member.key == "origin" || member.key == "file" ||
           member.key == "line" || member.key == "column";
  });
  auto launch = readLaunch(parts, origin, /*needsKernel=*/true,
                           location.isKnown() ? LaunchSizes::AsTheyAre
                                              : LaunchSizes::Checked);
  if (launch)
    launch->location = location;
  return launch;
}

Expected<LaunchConfig> auspex::parseLaunchOfAnySize(const Node &launch) {
  return readLaunch(launch, LaunchOrigin::File, /*needsKernel=*/true,
                    LaunchSizes::AsTheyAre);
}

Expected<std::vector<LaunchConfig>>
auspex::parseLaunchFile(const Node &document) {
  std::vector<LaunchConfig> launches;
  Reader in(document);
  in.each("launches", [&](const Node &item) -> llvm::Error {
    Expected<LaunchConfig> launch =
        readLaunch(item, LaunchOrigin::File, /*needsKernel=*/true);
    if (!launch)
      return launch.takeError();
    launches.push_back(std::move(*launch));
    return llvm::Error::success();
  });
  if (llvm::Error problem = in.finish())
    return problem;
  return launches;
}

Expected<std::vector<LaunchConfig>>
auspex::loadLaunchFile(llvm::StringRef path) {
  Expected<Node> document = loadDocument(path);
  if (!document)
    return document.takeError();
  return parseLaunchFile(*document);
}
