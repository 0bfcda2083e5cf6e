// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who states the parts of a launch.
#include "auspex/Kernel/LaunchConfig.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

using namespace auspex;

llvm::StringRef auspex::toString(LaunchOrigin origin) {
  switch (origin) {
  case LaunchOrigin::Assumed:
    return "assumed";
  case LaunchOrigin::Source:
    return "source";
  case LaunchOrigin::Defaults:
    return "defaults";
  case LaunchOrigin::Pragma:
    return "pragma";
  case LaunchOrigin::File:
    return "file";
  case LaunchOrigin::CommandLine:
    return "command-line";
  case LaunchOrigin::Profile:
    return "profile";
  }
  llvm_unreachable("covered switch");
}

/// The origin as the end of a sentence.
static llvm::StringRef phrase(LaunchOrigin origin) {
  switch (origin) {
  case LaunchOrigin::Assumed:
    return "assumed";
  case LaunchOrigin::Source:
    return "from the source";
  case LaunchOrigin::Defaults:
    return "from the source, run without arguments";
  case LaunchOrigin::Pragma:
    return "from a pragma";
  case LaunchOrigin::File:
    return "from a launches file";
  case LaunchOrigin::CommandLine:
    return "from the command line";
  case LaunchOrigin::Profile:
    return "from a profile";
  }
  llvm_unreachable("covered switch");
}

LaunchOrigin auspex::statedOrigin(const LaunchConfig &launch) {
  if (launch.grid)
    return launch.grid->origin;
  if (launch.block)
    return launch.block->origin;
  if (launch.chosenBlock)
    return launch.chosenBlock->origin;
  if (launch.dynamicShared)
    return launch.dynamicShared->origin;
  if (launch.registers)
    return launch.registers->origin;
  if (launch.maxBlocksPerSM)
    return launch.maxBlocksPerSM->origin;
  if (launch.warmL2)
    return launch.warmL2->origin;
  if (!launch.arguments.empty())
    return launch.arguments.begin()->second.origin;
  if (!launch.floatArguments.empty())
    return launch.floatArguments.begin()->second.origin;
  return launch.objectsInBytes.empty()
             ? LaunchOrigin::Source
             : launch.objectsInBytes.begin()->second.origin;
}

LaunchOrigin LaunchConfig::origin() const {
  if (!grid || !block)
    return LaunchOrigin::Assumed;
  return std::min(grid->origin, block->origin);
}

/// The most certain origin of any part: that of the statement whose place the
/// launch has. What others fill in is less certain.
static LaunchOrigin ownOrigin(const LaunchConfig &launch) {
  LaunchOrigin own = LaunchOrigin::Assumed;
  auto take = [&](const auto &part) {
    if (part)
      own = std::max(own, part->origin);
  };
  take(launch.grid);
  take(launch.block);
  take(launch.chosenBlock);
  take(launch.dynamicShared);
  take(launch.registers);
  take(launch.maxBlocksPerSM);
  take(launch.warmL2);
  for (const auto &argument : launch.arguments)
    take(&argument.second);
  for (const auto &argument : launch.floatArguments)
    take(&argument.second);
  for (const auto &object : launch.objectsInBytes)
    take(&object.second);
  return own;
}

/// The sizes, who states them, and where.
static std::string sizesText(const LaunchConfig &launch) {
  LaunchOrigin own = ownOrigin(launch);
  std::string place;
  if (launch.location.isKnown())
    place = (llvm::sys::path::filename(launch.location.file) + ":" +
             llvm::Twine(launch.location.line))
                .str();
  auto origin = [&](LaunchOrigin of) {
    std::string text = phrase(of).str();
    if (of == own && of != LaunchOrigin::Assumed && !place.empty())
      text += " (" + std::exchange(place, "") + ")";
    return text;
  };
  auto size = [](llvm::StringRef name,
                 const std::optional<Stated<Dim3>> &part) {
    return (name + " " + (part ? part->value.str() : "not known")).str();
  };
  std::string text = size("grid", launch.grid);
  bool same = launch.grid && launch.block &&
              launch.grid->origin == launch.block->origin;
  if (launch.grid && !same)
    text += " " + origin(launch.grid->origin);
  text += " and " + size("block", launch.block);
  if (launch.block)
    text += " " + origin(launch.block->origin);
  bool isShown = (launch.grid && launch.grid->origin == own) ||
                 (launch.block && launch.block->origin == own);
  if (own <= LaunchOrigin::Source && !place.empty())
    return text + " for the launch at " + place;
  if (isShown || own <= LaunchOrigin::Source)
    return text;
  bool ofArguments = llvm::any_of(launch.arguments, [&](const auto &argument) {
    return argument.second.origin == own;
  });
  return text + (ofArguments ? ", arguments " : ", the rest ") + origin(own);
}

std::string LaunchConfig::originText() const {
  return sizesText(*this) + (isL2Warm() ? ", L2 warm" : "");
}
