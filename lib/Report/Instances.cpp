// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/Instances.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Report/PredictionReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace auspex;

static void replaceAll(std::string &text, llvm::StringRef from,
                       llvm::StringRef to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The prediction as if it were of the template.
static Prediction ofTemplate(Prediction prediction, llvm::StringRef instance,
                             llvm::StringRef name) {
  for (Finding &finding : prediction.findings)
    replaceAll(finding.message, instance, name);
  return prediction;
}

/// "; the same for 3 launches with step 0 to 2"; empty if each kernel has one.
static std::string launchesText(llvm::ArrayRef<const Prediction *> launches,
                                size_t kernels) {
  if (launches.size() == kernels)
    return "";
  std::string text =
      "; the same for " + std::to_string(launches.size()) + " launches";
  llvm::StringRef separator = " with ";
  for (const auto &[symbol, first] : launches.front()->launch.arguments) {
    int64_t low = first.value, high = first.value;
    bool isStated = true;
    for (const Prediction *prediction : launches) {
      auto found = prediction->launch.arguments.find(symbol);
      isStated &= found != prediction->launch.arguments.end();
      if (!isStated)
        break;
      low = std::min(low, found->second.value);
      high = std::max(high, found->second.value);
    }
    if (!isStated || low == high)
      continue;
    std::string name = symbol;
    for (const auto &[known, ofSource] : launches.front()->argumentNames)
      if (known == symbol)
        name = ofSource;
    text += separator.str() + name + " " + std::to_string(low) + " to " +
            std::to_string(high);
    separator = ", ";
  }
  return text;
}

std::vector<InstanceGroup>
auspex::groupInstances(llvm::ArrayRef<Prediction> predictions) {
  std::vector<InstanceGroup> groups;
  std::vector<std::vector<const Prediction *>> members;
  llvm::StringMap<size_t> byText;
  for (const Prediction &prediction : predictions) {
    std::string instance = qualifiedName(prediction.kernel);
    llvm::StringRef name = withoutTemplateArguments(instance);
    bool isInstance = name != instance;
    Prediction general =
        isInstance ? ofTemplate(prediction, instance, name) : prediction;
    std::string text = isInstance ? "" : prediction.kernel + "\n";
    llvm::raw_string_ostream os(text);
    writePredictionText(general, os);
    auto [entry, isNew] = byText.try_emplace(text, groups.size());
    if (isNew) {
      groups.push_back({prediction, {prediction.demangled}});
      members.push_back({&prediction});
      continue;
    }
    InstanceGroup &group = groups[entry->second];
    members[entry->second].push_back(&prediction);
    if (llvm::is_contained(group.names, prediction.demangled))
      continue;
    group.shown = std::move(general);
    group.names.push_back(prediction.demangled);
  }
  for (auto [group, launches] : llvm::zip(groups, members))
    for (Finding &finding : group.shown.findings)
      if (finding.id == "PredictedTime")
        finding.message += launchesText(launches, group.names.size());
  return groups;
}
