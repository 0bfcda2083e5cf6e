// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the launches that somebody stated are predicted, and what they take
// from the others.
#include "auspex/Kernel/LaunchConfig.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchUse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace auspex;

/// What all \p launches say of a part, with the same value; else nothing.
template <typename T, typename Part>
static std::optional<Stated<T>> agreed(llvm::ArrayRef<LaunchConfig> launches,
                                       Part part) {
  std::optional<Stated<T>> common;
  for (const LaunchConfig &launch : launches) {
    std::optional<Stated<T>> own = part(launch);
    if (!own || (common && !(common->value == own->value)))
      return std::nullopt;
    common = own;
  }
  return common;
}

/// Puts into \p part of \p launch what all of \p source say of a name there.
template <typename T>
static void fillFrom(llvm::ArrayRef<LaunchConfig> source,
                     std::map<std::string, Stated<T>> LaunchConfig::*part,
                     LaunchConfig &launch) {
  for (const auto &entry : source.front().*part) {
    const std::string &name = entry.first;
    auto common = agreed<T>(source, [&](const LaunchConfig &l) {
      auto found = (l.*part).find(name);
      return found == (l.*part).end() ? std::nullopt
                                      : std::optional<Stated<T>>(found->second);
    });
    if (common)
      (launch.*part).try_emplace(name, *common);
  }
}

/// Whether \p launch has other arguments than \p source, or another number of
/// threads, so that it works on objects of other sizes.
static bool isOfOtherSize(const LaunchConfig &launch,
                          const LaunchConfig &source) {
  auto threads = [](const LaunchConfig &l) -> std::optional<uint64_t> {
    if (!l.grid || !l.block)
      return std::nullopt;
    return llvm::SaturatingMultiply<uint64_t>(l.grid->value.count(),
                                              l.block->value.count());
  };
  auto here = threads(launch), there = threads(source);
  return (here && there && *here != *there) ||
         llvm::any_of(source.arguments, [&](const auto &argument) {
           auto own = launch.arguments.find(argument.first);
           return own != launch.arguments.end() &&
                  own->second.value != argument.second.value;
         });
}

/// Fills what \p launch leaves out.
static void fillFromSource(LaunchConfig &launch, const KernelSummary &summary,
                           llvm::ArrayRef<LaunchConfig> source) {
  if (!launch.grid)
    launch.grid =
        agreed<Dim3>(source, [](const LaunchConfig &l) { return l.grid; });
  // Its number of blocks is one for blocks of the source.
  bool isOwnGrid = launch.grid && launch.grid->origin > LaunchOrigin::Source;
  if (!launch.gridOfArguments && !launch.block && !isOwnGrid)
    launch.gridOfArguments = agreed<std::array<Expr, 3>>(
        source, [](const LaunchConfig &l) { return l.gridOfArguments; });
  if (!launch.block)
    launch.block =
        agreed<Dim3>(source, [](const LaunchConfig &l) { return l.block; });
  if (!launch.block && !launch.chosenBlock)
    launch.chosenBlock = agreed<ChosenBlock>(
        source, [](const LaunchConfig &l) { return l.chosenBlock; });
  if (!launch.dynamicShared)
    launch.dynamicShared = agreed<uint64_t>(
        source, [](const LaunchConfig &l) { return l.dynamicShared; });
  // A wrong name of an argument is complained about when the launch is used.
  auto resolved = resolveArguments(launch, summary);
  if (!resolved)
    return llvm::consumeError(resolved.takeError());
  launch = std::move(*resolved);
  if (source.empty())
    return;
  fillFrom<int64_t>(source, &LaunchConfig::arguments, launch);
  fillFrom<double>(source, &LaunchConfig::floatArguments, launch);
  if (launch.inHostMemory.empty() &&
      llvm::all_of(source, [&](const LaunchConfig &other) {
        return other.inHostMemory == source.front().inHostMemory;
      }))
    launch.inHostMemory = source.front().inHostMemory;
  // An allocation is as large as what the source says it is made for.
  if (llvm::none_of(source, [&](const LaunchConfig &other) {
        return isOfOtherSize(launch, other);
      }))
    fillFrom<uint64_t>(source, &LaunchConfig::objectsInBytes, launch);
}

/// Without the variables that the source sets and the kernel has no use for.
static LaunchConfig withoutOtherVariables(LaunchConfig launch,
                                          const KernelSummary &summary) {
  auto isOther = [&](const auto &entry) {
    llvm::StringRef symbol = entry.first;
    return symbol.starts_with("@") && argumentName(summary, symbol).empty();
  };
  std::erase_if(launch.arguments, isOther);
  std::erase_if(launch.floatArguments, isOther);
  std::erase_if(launch.objectsInBytes, isOther);
  std::erase_if(launch.inHostMemory, [&](llvm::StringRef symbol) {
    return symbol.starts_with("@") && argumentName(summary, symbol).empty();
  });
  return launch;
}

/// Adds \p launch to \p launches, unless it differs from one of them only in
/// how large objects are of which that does not count.
static void addUnlessSame(std::vector<LaunchConfig> &launches,
                          const LaunchConfig &launch,
                          const KernelSummary &summary) {
  auto telling = [&](LaunchConfig one) {
    one.objectsInBytes = withoutIdleArguments(one, summary).objectsInBytes;
    one.warmL2.reset();
    one.bytesBetween = 0;
    one.variesByRound.clear();
    one.location = {};
    return one;
  };
  auto same = llvm::find_if(launches, [&](const LaunchConfig &other) {
    return launch.objectsInBytes != other.objectsInBytes &&
           launch.arguments == other.arguments &&
           telling(launch) == telling(other);
  });
  if (same == launches.end())
    launches.push_back(launch);
  else if (launch.warmL2) {
    same->warmL2 = launch.warmL2;
    same->bytesBetween = launch.bytesBetween;
    same->variesByRound = launch.variesByRound;
  }
}

std::vector<LaunchConfig>
auspex::chooseLaunches(const KernelSummary &summary,
                       llvm::ArrayRef<LaunchConfig> stated,
                       llvm::ArrayRef<LaunchConfig> fromSource) {
  std::vector<LaunchConfig> chosen, pragmas, source;
  for (const LaunchConfig &launch : stated)
    if (isCalled(launch.kernel, summary))
      chosen.push_back(launch);
  for (const LaunchConfig &launch : fromSource)
    if (isCalled(launch.kernel, summary))
      addUnlessSame(statedOrigin(launch) == LaunchOrigin::Pragma ? pragmas
                                                                 : source,
                    withoutOtherVariables(launch, summary), summary);
  if (chosen.empty())
    chosen = std::move(pragmas);
  if (chosen.empty())
    return source;
  for (LaunchConfig &launch : chosen)
    fillFromSource(launch, summary, source);
  return chosen;
}
