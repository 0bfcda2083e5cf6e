// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Fixes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

// Every rule is a function of its own file.
#define AUSPEX_FIX(RULE, ID)                                                   \
  namespace auspex::fixes {                                                    \
  void find##RULE(const FixContext &context, std::vector<Variant> &variants);  \
  }
#include "auspex/Model/Fixes.def"

llvm::ArrayRef<FixInfo> auspex::fixInfos() {
  static const FixInfo infos[] = {
#define AUSPEX_FIX(RULE, ID) {ID, fixes::find##RULE},
#include "auspex/Model/Fixes.def"
  };
  return infos;
}

bool FixContext::isFaster(const OperationalInput &other) const {
  return evaluateOperational(other, gpu).timeInUs <=
         (1 - Noteworthy) * timeInUs;
}

bool FixContext::couldGain(llvm::StringRef id) const {
  return llvm::any_of(benefits, [&](const Benefit &benefit) {
    return benefit.id == id && benefit.gainInUs >= Noteworthy * timeInUs;
  });
}

std::optional<OperationalInput>
FixContext::inputOf(const KernelSummary &summary,
                    const LaunchConfig &launch) const {
  if (kernel.isFromRun || launchProblem(launch, summary, gpu))
    return std::nullopt;
  BoundKernel bound = bind(summary, launch, gpu, Scenario::Expected);
  bool hasTime = bound.isComplete || bound.hasUpperBound;
  if (!hasTime || bound.occupancy.activeBlocksPerSM == 0)
    return std::nullopt;
  return operationalInput(bound, computeTraffic(bound, gpu), gpu);
}

BlockResources FixContext::resources() const {
  return blockResources(kernel.launch, *kernel.summary);
}

unsigned FixContext::activeBlocks(const BlockResources &block) const {
  unsigned blocks = computeOccupancy(gpu, block).activeBlocksPerSM;
  if (kernel.launch.maxBlocksPerSM)
    blocks = std::min(blocks, kernel.launch.maxBlocksPerSM->value);
  return blocks;
}

/// The best of each kind at each place; \p variants are by gain.
static void removeRepetitions(std::vector<Variant> &variants) {
  std::vector<Variant> kept;
  for (Variant &variant : variants)
    if (llvm::none_of(kept, [&](const Variant &other) {
          return other.id == variant.id && other.location == variant.location;
        }))
      kept.push_back(std::move(variant));
  variants = std::move(kept);
}

std::vector<Variant> auspex::findVariants(const FixContext &context) {
  constexpr size_t Most = 5;
  std::vector<Variant> variants;
  for (const FixInfo &info : fixInfos()) {
    std::vector<Variant> found;
    info.rule(context, found);
    for (Variant &variant : found) {
      variant.id = info.id.str();
      variant.location = variant.location.outsideSystemHeaders();
      if (!variant.location.isKnown())
        variant.location = context.kernel.summary->location;
      variant.timeInUs =
          evaluateOperational(variant.input, context.gpu).timeInUs;
      if (variant.timeInUs <= (1 - FixContext::Noteworthy) * context.timeInUs)
        variants.push_back(std::move(variant));
    }
  }
  llvm::stable_sort(variants, [](const Variant &a, const Variant &b) {
    return a.timeInUs < b.timeInUs;
  });
  removeRepetitions(variants);
  if (variants.size() > Most)
    variants.resize(Most);
  return variants;
}

std::vector<Fix> auspex::findFixes(const FixContext &context) {
  std::vector<Fix> fixes;
  for (Variant &variant : findVariants(context))
    fixes.push_back({std::move(variant.id), std::move(variant.description),
                     std::move(variant.location), std::move(variant.launch),
                     variant.timeInUs, context.timeInUs - variant.timeInUs});
  return fixes;
}
