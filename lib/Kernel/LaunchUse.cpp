// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/LaunchUse.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace auspex;

std::string auspex::knownKernels(llvm::StringRef name,
                                 llvm::ArrayRef<std::string> kernels) {
  std::string near = didYouMean(name, kernels);
  constexpr size_t Few = 8;
  if (!near.empty() || kernels.empty())
    return near;
  std::string text = "; there is " + llvm::join(kernels.take_front(Few), ", ");
  if (kernels.size() > Few)
    text += " and " + std::to_string(kernels.size() - Few) + " more";
  return text;
}

void LaunchUse::note(const KernelSummary &summary) {
  std::string name =
      summary.spelling.empty() ? qualifiedName(summary.name) : summary.spelling;
  if (!llvm::is_contained(kernels, name))
    kernels.push_back(std::move(name));
  for (size_t i = 0; i < stated.size(); ++i)
    if (isCalled(stated[i].kernel, summary))
      isUsed[i] = true;
}

llvm::Error LaunchUse::check() const {
  for (size_t i = 0; i < stated.size(); ++i)
    if (!isUsed[i])
      return makeInputError(
          {stated[i].location.file, stated[i].location.line, "kernel"},
          "there is no kernel '" + stated[i].kernel + "'" +
              knownKernels(stated[i].kernel, kernels));
  return llvm::Error::success();
}

bool auspex::isIdleOfLibrary(const KernelSummary &summary,
                             llvm::ArrayRef<LaunchConfig> launches) {
  return launches.empty() && summary.location.isInSystemHeader();
}

/// Whether data, or what nobody knows, decide where in its object \p access is.
static bool isPickedByData(const Access &access) {
  return !access.offset.isKnown() || access.offset.expr.usesAny(isData);
}

bool auspex::addressesVary(const LaunchConfig &launch,
                           const KernelSummary &summary) {
  auto varies = [&](llvm::StringRef symbol) {
    return launch.variesByRound.contains(symbol.str());
  };
  // Data are taken to be the same ones.
  auto mayVary = [&](const Access &access) {
    return access.offset.isKnown()   ? access.offset.expr.usesAny(varies)
           : access.picked.isValid() ? access.picked.usesAny(varies)
                                     : access.offset.reason != "indirect";
  };
  auto isInside = [](const Access &access) {
    return access.space == MemorySpace::Shared ||
           access.space == MemorySpace::Local;
  };
  if (launch.variesByRound.empty())
    return false;
  // Objects with an address that stays, and with one that may not.
  std::set<llvm::StringRef> kept, varied;
  for (const Access &access : summary.accesses) {
    if (!mayVary(access))
      kept.insert(access.base);
    else if (!isInside(access))
      varied.insert(access.base);
  }
  return !llvm::includes(kept, varied);
}

LaunchConfig auspex::withoutIdleArguments(LaunchConfig launch,
                                          const KernelSummary &summary) {
  std::set<std::string> used = symbolsSetByHost(summary);
  if (launch.gridOfArguments)
    for (const Expr &axis : launch.gridOfArguments->value)
      axis.forEachSymbol(
          [&](llvm::StringRef name) { used.insert(name.str()); });
  auto isIdle = [&](const auto &argument) {
    return !used.contains(argument.first);
  };
  std::erase_if(launch.arguments, isIdle);
  std::erase_if(launch.floatArguments, isIdle);
  // How large an object is counts where data pick from it.
  std::erase_if(launch.objectsInBytes, [&](const auto &object) {
    return llvm::none_of(summary.accesses, [&](const Access &access) {
      return access.base == object.first && isPickedByData(access);
    });
  });
  return launch;
}
