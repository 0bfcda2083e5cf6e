// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/LaunchText.h"

#include "auspex/Support/Json.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

static std::string text(const Dim3 &value) { return value.str(); }
static std::string text(uint64_t value) { return std::to_string(value); }

template <typename T> static std::string text(const std::optional<T> &part) {
  return part ? text(part->value) : "unknown";
}

void auspex::printLaunch(const LaunchConfig &launch, llvm::raw_ostream &os) {
  os << "launch " << launch.kernel << ": grid " << text(launch.grid)
     << ", block " << text(launch.block) << ", shared "
     << text(launch.dynamicShared);
  if (launch.gridOfArguments) {
    os << ", grid by arguments";
    for (const Expr &axis : launch.gridOfArguments->value)
      os << " [" << axis.str() << "]";
  }
  if (launch.chosenBlock) {
    const ChosenBlock &chosen = launch.chosenBlock->value;
    os << ", chosen block of up to " << chosen.limit << " threads with "
       << chosen.shared << " B, for "
       << (chosen.threads ? std::to_string(*chosen.threads) : "unknown")
       << " threads";
  }
  for (const auto &[name, value] : launch.arguments)
    os << ", " << name << "=" << value.value;
  for (const auto &[name, value] : launch.floatArguments)
    os << ", " << name << "=" << floatText(value.value);
  for (const auto &[name, bytes] : launch.objectsInBytes)
    os << ", *" << name << " of " << bytes.value << " B";
  for (const std::string &name : launch.inHostMemory)
    os << ", *" << name << " in the host's memory";
  if (launch.registers)
    os << ", registers " << launch.registers->value;
  if (launch.isL2Warm()) {
    os << ", L2 warm";
    if (launch.bytesBetween)
      os << " after " << launch.bytesBetween << " B of others";
    for (const std::string &name : launch.variesByRound)
      os << " but for " << name;
  }
  os << " (" << toString(statedOrigin(launch)) << ")";
  if (launch.location.isKnown())
    os << " at " << launch.location.str();
  os << '\n';
}
