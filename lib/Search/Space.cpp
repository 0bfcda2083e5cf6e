// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Search/Space.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The place of \p key at \p place.
static Place within(const Place &place, StringRef key) {
  return {place.file, place.line,
          place.key + (place.key.empty() ? "" : ": ") + key.str()};
}

static llvm::Error tooMany(const Place &place, StringRef what) {
  return makeInputError(
      place, "more than " + llvm::Twine(MaxConfigurations) + " " + what +
                 "; take larger steps, pow2, or fewer values");
}

/// The values from \p low to \p high that are powers of 2.
static void addPowers(int64_t low, int64_t high, std::vector<int64_t> &values) {
  for (int64_t power = 1; power <= high; power *= 2) {
    if (power >= low)
      values.push_back(power);
    if (power > INT64_MAX / 2)
      return;
  }
}

/// Adds the values of "7", "1..10", "1..10:2" or "1..10:pow2".
static llvm::Error addValues(StringRef text, const Place &place,
                             std::vector<int64_t> &values) {
  auto [bounds, step] = text.split(':');
  size_t dots = bounds.find("..");
  StringRef last = dots == StringRef::npos ? bounds : bounds.substr(dots + 2);
  int64_t low, high, by = 1;
  bool isStep = step.empty() || step == "pow2" || !step.getAsInteger(10, by);
  if (bounds.take_front(dots).trim().getAsInteger(10, low) ||
      last.trim().getAsInteger(10, high) || !isStep || text.ends_with(":"))
    return makeInputError(place,
                          "expected values below 2^63 such as 32, 1..10, "
                          "1..10:2 or 1..1024:pow2, found '" +
                              text + "'");
  if (by < 1)
    return makeInputError(place, "the step is " + llvm::Twine(by) +
                                     "; it has to be at least 1");
  if (low > high)
    return makeInputError(place, "the range " + bounds + " is empty; write " +
                                     llvm::Twine(high) + ".." +
                                     llvm::Twine(low));
  if (step == "pow2") {
    size_t before = values.size();
    addPowers(low, high, values);
    if (values.size() == before)
      return makeInputError(place, "there is no power of 2 in " + bounds);
    return llvm::Error::success();
  }
  uint64_t count = (static_cast<uint64_t>(high) - low) / by;
  if (count >= MaxConfigurations || values.size() + count >= MaxConfigurations)
    return tooMany(place, "values");
  for (uint64_t i = 0; i <= count; ++i)
    values.push_back(low + static_cast<int64_t>(i) * by);
  return llvm::Error::success();
}

Expected<std::vector<int64_t>> auspex::parseRange(StringRef text,
                                                  const Place &place) {
  std::vector<int64_t> values;
  for (StringRef part : llvm::split(text, ','))
    if (llvm::Error error = addValues(part.trim(), place, values))
      return std::move(error);
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  return values;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Splits "x=1,2,y=4" into ("x", "1,2") and ("y", "4").
static Expected<std::vector<std::pair<StringRef, StringRef>>>
splitRanges(StringRef text, const Place &place, StringRef example) {
  std::vector<std::pair<StringRef, StringRef>> parts;
  for (StringRef piece : llvm::split(text, ',')) {
    auto [key, value] = piece.split('=');
    if (key.size() < piece.size()) {
      parts.emplace_back(key.trim(), value);
      continue;
    }
    if (parts.empty())
      return makeInputError(place, "expected for instance " + example +
                                       ", found '" + text + "'");
    // The list goes on.
    StringRef &list = parts.back().second;
    list = StringRef(list.begin(), piece.end() - list.begin());
  }
  return parts;
}

namespace {
/// What --block says, key by key.
struct BlockRanges {
  std::array<std::optional<std::vector<int64_t>>, 3> sides;
  std::optional<std::vector<int64_t>> threads;

  std::optional<std::vector<int64_t>> *find(StringRef key) {
    if (key == "threads")
      return &threads;
    size_t axis = StringRef("xyz").find(key);
    return key.size() == 1 && axis < 3 ? &sides[axis] : nullptr;
  }
};
} // namespace

static Expected<BlockRanges> readBlockRanges(StringRef text,
                                             const Place &place) {
  auto parts =
      splitRanges(text, place, "x=32..1024:pow2,y=1,2,4,threads=256..1024");
  if (!parts)
    return parts.takeError();
  BlockRanges ranges;
  for (auto [key, value] : *parts) {
    Place at = within(place, key);
    std::optional<std::vector<int64_t>> *slot = ranges.find(key);
    if (!slot)
      return makeInputError(
          at, "a block has x, y and z; threads restricts their product");
    if (*slot)
      return makeInputError(at, "it is given twice; remove one");
    auto values = parseRange(value, at);
    if (!values)
      return values.takeError();
    if (values->front() < 1)
      return makeInputError(at, "the size is " + llvm::Twine(values->front()) +
                                    "; it has to be at least 1");
    *slot = std::move(*values);
  }
  for (auto &side : ranges.sides)
    if (!side)
      side.emplace(1, 1);
  return ranges;
}

Expected<std::vector<Dim3>> auspex::parseBlocks(StringRef text,
                                                const Place &place) {
  auto ranges = readBlockRanges(text, place);
  if (!ranges)
    return ranges.takeError();
  const auto &[sides, threads] = *ranges;
  std::vector<Dim3> blocks;
  uint64_t tried = 0;
  for (int64_t z : *sides[2])
    for (int64_t y : *sides[1])
      for (int64_t x : *sides[0]) {
        if (++tried > 64 * MaxConfigurations ||
            blocks.size() >= MaxConfigurations)
          return tooMany(place, "blocks");
        uint64_t count = llvm::SaturatingMultiply<uint64_t>(
            llvm::SaturatingMultiply<uint64_t>(x, y), z);
        bool isWanted =
            !threads ||
            (count <= INT64_MAX &&
             llvm::binary_search(*threads, static_cast<int64_t>(count)));
        if (isWanted)
          blocks.push_back({x, y, z});
      }
  if (blocks.empty())
    return makeInputError(place, "no block has between " +
                                     llvm::Twine(threads->front()) + " and " +
                                     llvm::Twine(threads->back()) +
                                     " threads as threads= wants");
  return blocks;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Expected<ArgumentRange> auspex::parseArgumentRange(StringRef text,
                                                   const Place &place) {
  auto [name, values] = text.split('=');
  name = name.trim();
  if (name.empty() || values.empty())
    return makeInputError(place, "expected NAME=VALUES, for instance "
                                 "n=1024..4096:1024, found '" +
                                     text + "'");
  auto range = parseRange(values, within(place, name));
  if (!range)
    return range.takeError();
  return ArgumentRange{name.str(), std::move(*range)};
}

/// The symbol of the integer argument \p name, which \p option has and for
/// which
/// \p value is tried.
static Expected<std::string> symbolOf(StringRef name, int64_t value,
                                      StringRef option,
                                      const KernelSummary &summary) {
  LaunchConfig probe;
  probe.location.file = option.str();
  probe.arguments[name.str()] = {value, LaunchOrigin::CommandLine};
  auto resolved = resolveArguments(probe, summary);
  if (!resolved)
    return resolved.takeError();
  if (resolved->arguments.empty())
    return makeInputError({option.str(), 0, name.str()},
                          "it is a floating-point number; an integer argument "
                          "is expected");
  return resolved->arguments.begin()->first;
}

/// The argument by symbol; its first and last value are tried, as those between
/// fit where they do.
static llvm::Error resolve(ArgumentRange &argument,
                           const KernelSummary &summary) {
  for (int64_t value : {argument.values.front(), argument.values.back()}) {
    auto symbol = symbolOf(argument.name, value, "--arg", summary);
    if (!symbol)
      return symbol.takeError();
    argument.name = *symbol;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

Expected<Expr> auspex::parseRule(StringRef text, const Place &place) {
  Expected<Expr> rule = Expr::parse(text);
  if (!rule)
    return makeInputError(place, llvm::toString(rule.takeError()));
  return rule;
}

Expected<std::array<Expr, 3>> auspex::parseGridRule(StringRef text,
                                                    const Place &place) {
  auto parts = splitRanges(text, place, "x=(n + ntid.x - 1)/ntid.x,y=m");
  if (!parts)
    return parts.takeError();
  std::array<Expr, 3> sides{Expr(1), Expr(1), Expr(1)};
  std::string seen;
  for (auto [key, value] : *parts) {
    Place at = within(place, key);
    size_t axis = StringRef("xyz").find(key);
    if (key.size() != 1 || axis >= 3)
      return makeInputError(at, "a grid has x, y and z");
    if (StringRef(seen).contains(key))
      return makeInputError(at, "it is given twice; remove one");
    seen += key;
    auto rule = parseRule(value, at);
    if (!rule)
      return rule.takeError();
    sides[axis] = std::move(*rule);
  }
  return sides;
}

/// Puts symbols in the place of parameter names. Every symbol is a side of the
/// block or one of the arguments that \p stated has.
static llvm::Error resolve(Expr &rule, StringRef option,
                           const LaunchConfig &stated,
                           const KernelSummary &summary) {
  llvm::Error problem = llvm::Error::success();
  rule = rule.substitute([&](StringRef name) -> std::optional<Expr> {
    if (problem || name == "ntid.x" || name == "ntid.y" || name == "ntid.z")
      return std::nullopt;
    auto symbol = symbolOf(name, /*value=*/0, option, summary);
    if (!symbol) {
      problem = symbol.takeError();
      return std::nullopt;
    }
    if (!stated.arguments.count(*symbol))
      problem = makeInputError(
          {option.str(), 0, ""},
          "it needs the value of " + name +
              ", which nobody states; give it by --arg or --launch");
    return Expr::symbol(*symbol);
  });
  return problem;
}

/// None where it divides by 0 or exceeds 64 bits.
static std::optional<int64_t> evaluate(const Expr &rule,
                                       const LaunchConfig &launch) {
  return rule.evaluate([&](StringRef name) -> std::optional<int64_t> {
    if (name.consume_front("ntid."))
      return launch.block->value[StringRef("xyz").find(name)];
    return launch.arguments.at(name.str()).value;
  });
}

//===----------------------------------------------------------------------===//
// The space
//===----------------------------------------------------------------------===//

/// Counts over a launch are 64-bit.
static bool exceeds64Bits(const LaunchConfig &launch) {
  int64_t threads = 1;
  for (const Dim3 &size : {launch.grid->value, launch.block->value})
    for (unsigned i = 0; i < 3; ++i)
      if (__builtin_mul_overflow(threads, size[i], &threads))
        return true;
  return false;
}

std::optional<LaunchProblem>
auspex::configurationProblem(const LaunchConfig &launch,
                             const KernelSummary &summary, const GPU &gpu) {
  if (exceeds64Bits(launch))
    return LaunchProblem{"grid", "there are more than 2^63 threads"};
  return launchProblem(launch, summary, gpu);
}

Expected<SweepSpace> SweepSpace::create(const KernelSummary &summary,
                                        LaunchConfig base,
                                        std::vector<Dim3> blocks,
                                        std::vector<ArgumentRange> arguments,
                                        LaunchRules rules) {
  if (exceeds64Bits(base))
    return makeInputError({base.location.file, base.location.line, ""},
                          "grid " + base.grid->value.str() + " of blocks of " +
                              base.block->value.str() +
                              " has more than 2^63 threads");
  SweepSpace space;
  space.count = std::max<uint64_t>(blocks.size(), 1);
  for (ArgumentRange &argument : arguments) {
    std::string stated = argument.name;
    if (llvm::Error error = resolve(argument, summary))
      return std::move(error);
    if (llvm::is_contained(llvm::map_range(space.ranges,
                                           [](const ArgumentRange &other) {
                                             return StringRef(other.name);
                                           }),
                           argument.name))
      return makeInputError({"--arg", 0, stated},
                            "it is given twice; remove one");
    space.count =
        llvm::SaturatingMultiply<uint64_t>(space.count, argument.values.size());
    space.ranges.push_back(std::move(argument));
  }
  if (space.count > MaxConfigurations)
    return tooMany({}, "configurations");
  LaunchConfig stated = base;
  for (const ArgumentRange &range : space.ranges)
    stated.arguments[range.name] = {};
  if (rules.grid)
    for (Expr &side : *rules.grid)
      if (llvm::Error error = resolve(side, "--grid", stated, summary))
        return std::move(error);
  if (rules.shared)
    if (llvm::Error error = resolve(*rules.shared, "--shared", stated, summary))
      return std::move(error);
  space.baseLaunch = std::move(base);
  space.sizes = std::move(blocks);
  space.rules = std::move(rules);
  return space;
}

LaunchConfig SweepSpace::at(uint64_t number) const {
  LaunchConfig launch =
      sizes.empty() ? baseLaunch
                    : inBlocksOf(baseLaunch, sizes[number % sizes.size()],
                                 LaunchOrigin::CommandLine);
  number /= std::max<uint64_t>(sizes.size(), 1);
  for (const ArgumentRange &range : llvm::reverse(ranges)) {
    launch.arguments[range.name] = {range.values[number % range.values.size()],
                                    LaunchOrigin::CommandLine};
    number /= range.values.size();
  }
  auto valueOf = [&](const Expr &rule) {
    return evaluate(rule, launch).value_or(0);
  };
  if (rules.grid) {
    const auto &[x, y, z] = *rules.grid;
    launch.grid = {{valueOf(x), valueOf(y), valueOf(z)},
                   LaunchOrigin::CommandLine};
  }
  if (rules.shared)
    launch.dynamicShared = {
        static_cast<uint64_t>(std::max<int64_t>(0, valueOf(*rules.shared))),
        LaunchOrigin::CommandLine};
  return launch;
}

std::optional<LaunchProblem>
SweepSpace::ruleProblem(const LaunchConfig &launch) const {
  constexpr StringRef NoValue =
      "has no value here: it divides by 0, or exceeds 64 bits";
  if (rules.grid)
    for (auto [axis, rule] : llvm::enumerate(*rules.grid))
      if (!evaluate(rule, launch))
        return LaunchProblem{"grid", llvm::formatv("the rule for {0} {1}",
                                                   "xyz"[axis], NoValue)};
  if (!rules.shared)
    return std::nullopt;
  std::optional<int64_t> shared = evaluate(*rules.shared, launch);
  if (!shared)
    return LaunchProblem{
        "shared", llvm::formatv("the rule for shared memory {0}", NoValue)};
  if (*shared < 0)
    return LaunchProblem{
        "shared",
        llvm::formatv("the rule for shared memory gives {0} B", *shared)};
  return std::nullopt;
}
