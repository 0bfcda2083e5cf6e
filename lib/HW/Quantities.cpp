// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/GPU.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using llvm::StringRef;

namespace {
constexpr bool Required = true;
constexpr bool Optional = false;
} // namespace

static const QuantityInfo Infos[] = {
#define AUSPEX_QUANTITY(ID, KEY, UNIT, LOW, HIGH, PRESENCE, DOC)               \
  {Q::ID, KEY, UNIT, LOW, HIGH, PRESENCE, DOC},
#include "auspex/HW/Quantities.def"
};

llvm::ArrayRef<QuantityInfo> auspex::quantityInfos() { return Infos; }

const QuantityInfo &auspex::info(Q id) {
  return Infos[static_cast<unsigned>(id)];
}

const QuantityInfo *auspex::findQuantity(StringRef key) {
  static const llvm::StringMap<const QuantityInfo *> byKey = [] {
    llvm::StringMap<const QuantityInfo *> map;
    for (const QuantityInfo &info : Infos)
      map[info.key] = &info;
    return map;
  }();
  return byKey.lookup(key);
}

StringRef auspex::toString(SourceKind kind) {
  switch (kind) {
  case SourceKind::Documented:
    return "documented";
  case SourceKind::Measured:
    return "measured";
  case SourceKind::Derived:
    return "derived";
  case SourceKind::Assumed:
    return "assumed";
  }
  llvm_unreachable("covered switch");
}

std::string auspex::computeCapabilityText(unsigned arch) {
  return std::to_string(arch / 10) + "." + std::to_string(arch % 10);
}

std::array<unsigned, 4> GPU::countByKind() const {
  std::array<unsigned, 4> counts{};
  for (const auto &slot : values)
    if (slot)
      ++counts[static_cast<unsigned>(slot->kind)];
  return counts;
}

std::vector<std::string> GPU::borrowedFrom() const {
  std::vector<std::pair<std::string, unsigned>> uses;
  for (const auto &slot : values) {
    if (!slot || slot->borrowedFrom.empty())
      continue;
    auto found = llvm::find_if(
        uses, [&](const auto &use) { return use.first == slot->borrowedFrom; });
    if (found == uses.end())
      uses.emplace_back(slot->borrowedFrom, 1);
    else
      ++found->second;
  }
  llvm::stable_sort(
      uses, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (auto &use : uses)
    names.push_back(std::move(use.first));
  return names;
}

std::string GPU::provenanceText() const {
  std::vector<std::string> parts;
  std::array<unsigned, 4> counts = countByKind();
  for (unsigned kind = 0; kind < counts.size(); ++kind)
    if (counts[kind])
      parts.push_back(std::to_string(counts[kind]) + " " +
                      toString(static_cast<SourceKind>(kind)).str());
  std::string text = llvm::join(parts, ", ");
  std::vector<std::string> lenders = borrowedFrom();
  if (!lenders.empty())
    text += "; borrows from " + llvm::join(lenders, ", ");
  if (!standsInFor.empty())
    text += "; stands in for " + standsInFor;
  return clocksSet.empty() ? text : text + "; " + clocksSet;
}
