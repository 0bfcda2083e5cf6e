// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Record.h"

#include "auspex/Kernel/FloatOrder.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace auspex;

double FindingRecord::arg(llvm::StringRef name, double otherwise) const {
  auto found = args.find(name.str());
  return found == args.end() ? otherwise : found->second;
}

std::string KernelRecord::qualifiedName() const {
  return auspex::qualifiedName(sourceName(kernel));
}

bool KernelRecord::isCalled(llvm::StringRef name) const {
  return auspex::isCalled(name, kernel);
}

const FindingRecord *KernelRecord::find(llvm::StringRef id) const {
  auto found = llvm::find_if(
      findings, [&](const FindingRecord &finding) { return finding.id == id; });
  return found == findings.end() ? nullptr : &*found;
}

static std::vector<int64_t> sizesOf(const LaunchConfig &launch) {
  std::vector<int64_t> sizes;
  for (const auto &part : {launch.grid, launch.block})
    for (unsigned i = 0; i < 3; ++i)
      sizes.push_back(part ? part->value[i] : 0);
  sizes.push_back(launch.dynamicShared ? launch.dynamicShared->value : 0);
  return sizes;
}

static std::map<std::string, int64_t> argumentsOf(const LaunchConfig &launch) {
  std::map<std::string, int64_t> arguments;
  for (const auto &[name, argument] : launch.arguments)
    arguments[name] = argument.value;
  for (const auto &[name, argument] : launch.floatArguments)
    arguments[name] = floatPlace(argument.value);
  return arguments;
}

bool KernelRecord::isSameLaunch(const KernelRecord &other) const {
  return sizesOf(launch) == sizesOf(other.launch) &&
         argumentsOf(launch) == argumentsOf(other.launch);
}

bool KernelRecord::operator<(const KernelRecord &other) const {
  auto head = [](const KernelRecord &record) {
    return std::tie(record.demangled, record.kernel, record.gpu);
  };
  if (head(*this) != head(other))
    return head(*this) < head(other);
  auto tail = [](const KernelRecord &record) {
    return std::tuple(sizesOf(record.launch), argumentsOf(record.launch),
                      record.launch.location.file, record.launch.location.line,
                      record.location.file, record.location.line,
                      record.timeInUs, record.timeRangeInUs);
  };
  return tail(*this) < tail(other);
}

std::vector<std::string> RecordSet::gpus() const {
  std::vector<std::string> names;
  for (const KernelRecord &record : records)
    names.push_back(record.gpu);
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}
