// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/Instances.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Report/PredictionReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace auspex;

/// "ns::k" of "ns::k<float, 3>"; empty for what is no instance of a template.
static llvm::StringRef templateName(llvm::StringRef name) {
  if (!name.ends_with(">"))
    return "";
  unsigned depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>';
    depth -= name[i] == '<';
    if (depth == 0)
      return name.take_front(i);
  }
  return "";
}

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

std::vector<InstanceGroup>
auspex::groupInstances(llvm::ArrayRef<Prediction> predictions) {
  std::vector<InstanceGroup> groups;
  llvm::StringMap<size_t> byText;
  for (const Prediction &prediction : predictions) {
    std::string instance = qualifiedName(prediction.kernel);
    llvm::StringRef name = templateName(instance);
    if (!name.empty()) {
      Prediction general = ofTemplate(prediction, instance, name);
      std::string text;
      llvm::raw_string_ostream os(text);
      writePredictionText(general, os);
      auto [entry, isNew] = byText.try_emplace(text, groups.size());
      if (!isNew) {
        InstanceGroup &group = groups[entry->second];
        group.shown = std::move(general);
        group.names.push_back(prediction.demangled);
        continue;
      }
    }
    groups.push_back({prediction, {prediction.demangled}});
  }
  return groups;
}
