// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/LaunchText.h"

#include "llvm/Support/raw_ostream.h"

using namespace auspex;

static std::string text(const Dim3 &value) { return value.str(); }
static std::string text(uint64_t value) { return std::to_string(value); }

template <typename T> static std::string text(const std::optional<T> &part) {
  return part ? text(part->value) : "unknown";
}

/// The origin of everything that is stated; a launch is stated in one place.
static std::optional<LaunchOrigin> statedBy(const LaunchConfig &launch) {
  if (launch.grid)
    return launch.grid->origin;
  if (launch.block)
    return launch.block->origin;
  if (launch.dynamicShared)
    return launch.dynamicShared->origin;
  if (!launch.arguments.empty())
    return launch.arguments.begin()->second.origin;
  return std::nullopt;
}

void auspex::printLaunch(const LaunchConfig &launch, llvm::raw_ostream &os) {
  os << "launch " << launch.kernel << ": grid " << text(launch.grid)
     << ", block " << text(launch.block) << ", shared "
     << text(launch.dynamicShared);
  for (const auto &[name, value] : launch.arguments)
    os << ", " << name << "=" << value.value;
  if (launch.registers)
    os << ", registers " << launch.registers->value;
  if (std::optional<LaunchOrigin> origin = statedBy(launch))
    os << " (" << toString(*origin) << ")";
  if (launch.location.isKnown())
    os << " at " << launch.location.str();
  os << '\n';
}
