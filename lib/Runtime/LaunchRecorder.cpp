// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchRecorder.h"

#include "auspex/Kernel/FloatOrder.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

#include <cmath>
#include <utility>

using namespace auspex;

/// The integer at \p bytes; booleans are 0 and 1.
static std::optional<int64_t> readInteger(llvm::ArrayRef<char> bytes) {
  auto read = [&](auto value) -> int64_t {
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  };
  switch (bytes.size()) {
  case 1:
    return read(int8_t());
  case 2:
    return read(int16_t());
  case 4:
    return read(int32_t());
  case 8:
    return read(int64_t());
  default:
    return std::nullopt;
  }
}

/// The floating-point number at \p bytes; none if that is no number.
static std::optional<double> readFloat(llvm::ArrayRef<char> bytes) {
  auto read = [&](auto value) -> std::optional<double> {
    std::memcpy(&value, bytes.data(), sizeof(value));
    return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  };
  return bytes.size() == sizeof(float)    ? read(float())
         : bytes.size() == sizeof(double) ? read(double())
                                          : std::nullopt;
}

static LaunchConfig describe(const KernelSummary &summary,
                             const LaunchShape &shape,
                             uint64_t dynamicSharedInBytes,
                             const LaunchRecorder::Input &input) {
  constexpr LaunchOrigin origin = LaunchOrigin::Profile;
  LaunchConfig launch;
  launch.kernel = summary.name;
  launch.grid = {shape.grid, origin};
  launch.block = {shape.block, origin};
  launch.dynamicShared = {dynamicSharedInBytes, origin};
  auto note = [&](const std::string &symbol, llvm::ArrayRef<char> bytes) {
    if (auto value = readInteger(bytes))
      launch.arguments[symbol] = {*value, origin};
  };
  auto noteFloat = [&](const std::string &symbol, uint64_t offset,
                       uint64_t bytes) {
    if (auto value = readFloat(input.parameters.slice(offset, bytes)))
      launch.floatArguments[symbol] = {*value, origin};
  };
  std::set<std::string> used = symbolsSetByHost(summary);
  for (auto [index, argument, place] :
       llvm::enumerate(summary.arguments, input.layout)) {
    std::string symbol = "arg" + std::to_string(index);
    if (argument.kind == Argument::Kind::Integer)
      note(symbol, input.parameters.slice(
                       place.offset, std::min<uint64_t>(place.sizeInBytes,
                                                        argument.sizeInBytes)));
    if (argument.kind == Argument::Kind::Pointer && used.count(symbol) &&
        readInteger(
            input.parameters.slice(place.offset, argument.sizeInBytes)) == 0)
      launch.arguments[symbol] = {0, origin};
    if (argument.kind == Argument::Kind::Float)
      noteFloat(symbol, place.offset, argument.sizeInBytes);
    for (auto [offset, bytes] : place.integers)
      if (std::string member = symbol + "." + std::to_string(offset);
          used.count(member))
        note(member, input.parameters.slice(place.offset + offset, bytes));
  }
  for (const LaunchRecorder::Variable &variable : input.variables)
    for (auto [offset, bytes] : variable.integers)
      if (std::string symbol =
              "@" + variable.name + "." + std::to_string(offset);
          used.count(symbol))
        note(symbol, variable.bytes.slice(offset, bytes));
  // Others would only tell launches apart that are alike.
  launch.floatArguments = withoutIdleArguments(launch, summary).floatArguments;
  return launch;
}

/// The same text for launches that are alike.
static std::string keyOf(const LaunchConfig &launch,
                         const DynamicProfile &profile) {
  std::string key = launch.kernel + ' ' + launch.grid->value.str() + ' ' +
                    launch.block->value.str() + ' ' +
                    std::to_string(launch.dynamicShared->value);
  for (const auto &[name, value] : launch.arguments)
    key += ' ' + name + '=' + std::to_string(value.value);
  for (const auto &[name, value] : launch.floatArguments)
    key += ' ' + name + '=' + std::to_string(floatPlace(value.value));
  if (profile.unfinishedBlocks)
    key += " stopped";
  return key;
}

/// What of a profile tells launches with the same sizes and arguments apart:
/// they may do different things with different data.
static std::array<double, 4> featuresOf(const DynamicProfile &profile) {
  std::array<double, 4> features{static_cast<double>(profile.warpInstructions)};
  for (const AccessProfile &access : profile.accesses) {
    features[1] += access.counts.sectors;
    features[2] += access.counts.bankPasses;
    features[3] += access.counts.sameAddress;
  }
  return features;
}

/// By how much a launch did more or less than those of a group did in the mean,
/// as a share of that: the largest of all features.
static double distance(const DynamicProfile &profile,
                       const LaunchGroup &group) {
  double largest = 0;
  for (auto [value, sum] :
       llvm::zip(featuresOf(profile), featuresOf(group.profile))) {
    double mean = sum / static_cast<double>(group.times);
    if (value != mean)
      largest = std::max(largest, std::abs(value - mean) / mean);
  }
  return largest;
}

static std::vector<int64_t> pointersIn(const KernelSummary &summary,
                                       const LaunchRecorder::Input &input) {
  std::vector<int64_t> pointers;
  for (auto [argument, place] : llvm::zip(summary.arguments, input.layout))
    if (argument.kind == Argument::Kind::Pointer)
      if (auto value = readInteger(
              input.parameters.slice(place.offset, argument.sizeInBytes)))
        pointers.push_back(*value);
  llvm::sort(pointers);
  return pointers;
}

LaunchGroup &LaunchRecorder::findGroup(const LaunchConfig &launch,
                                       const DynamicProfile &profile) {
  // A program whose every launch differs does not have a group for each.
  constexpr size_t MostGroups = 64;
  constexpr double Alike = 0.1;
  std::vector<size_t> &candidates = groupsOfKey[keyOf(launch, profile)];
  std::optional<size_t> nearest;
  double least = 0;
  for (size_t number : candidates) {
    double here = distance(profile, contents.launches[number]);
    if (here <= Alike)
      return contents.launches[number];
    if (!nearest || here < least) {
      nearest = number;
      least = here;
    }
  }
  if (candidates.size() >= MostGroups) {
    if (!std::exchange(isToldOfNearest, true))
      llvm::WithColor::warning()
          << "auspex: launches of " << qualifiedName(launch.kernel)
          << " with the same sizes and arguments differ in more than "
          << MostGroups
          << " ways; the others are counted with those nearest to them\n";
    return contents.launches[*nearest];
  }
  candidates.push_back(contents.launches.size());
  return contents.launches.emplace_back(LaunchGroup{launch, launches, 0, {}});
}

void LaunchRecorder::record(const KernelSummary &summary,
                            const LaunchShape &shape,
                            uint64_t dynamicSharedInBytes, const Input &input,
                            const DynamicProfile &profile) {
  if (knownKernels.try_emplace(summary.name).second)
    contents.kernels.push_back(summary);
  LaunchGroup &group =
      findGroup(describe(summary, shape, dynamicSharedInBytes, input), profile);
  size_t number = &group - contents.launches.data();
  repeated.resize(contents.launches.size());
  Last now{number, pointersIn(summary, input)};
  repeated[number] +=
      last && last->group == number && last->pointers == now.pointers;
  last = std::move(now);
  ++group.times;
  addProfile(profile, group.profile);
  ++launches;
  isNew = true;
}

void LaunchRecorder::addProblem(std::string problem) {
  contents.problems.push_back(std::move(problem));
  isNew = true;
}

void LaunchRecorder::write() {
  if (!isOn() || !isNew)
    return;
  isNew = false;
  contents.program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  // Most of its launches found in L2 what an equal one had left.
  for (auto [group, times] : llvm::zip(contents.launches, repeated))
    if (2 * times > group.times)
      group.launch.warmL2 = {true, LaunchOrigin::Profile};
    else
      group.launch.warmL2.reset();
  if (llvm::Error error = writeFile(path, writeRunRecord(contents)))
    llvm::WithColor::error()
        << "auspex: " << llvm::toString(std::move(error)) << '\n';
}
