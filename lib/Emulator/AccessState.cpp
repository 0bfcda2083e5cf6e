// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessState.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace auspex;
using namespace auspex::emulator;

RequestFigures emulator::figuresOf(const RequestCounts &counts) {
  auto whole = [](double value) { return static_cast<uint16_t>(value); };
  RequestFigures figures;
  figures.lanes = whole(counts.lanes);
  figures.sectors = whole(counts.sectors);
  figures.lines = whole(counts.lines);
  figures.fewestSectors = whole(counts.fewestSectors);
  figures.bankPasses = whole(counts.bankPasses);
  figures.fewestBankPasses = whole(counts.fewestBankPasses);
  figures.sameAddress = whole(counts.sameAddress);
  figures.lanesOnBank = whole(counts.lanesOnBank);
  figures.l1QuarterCycles = whole(4 * counts.l1Cycles);
  return figures;
}

RequestFigures emulator::countSlowly(const uint64_t *addresses, uint32_t mask,
                                     unsigned bytesPerLane,
                                     const MemoryGranularity &granularity) {
  int64_t offsets[Lanes];
  std::copy_n(addresses, Lanes, offsets);
  return figuresOf(countRequest(offsets, mask, bytesPerLane, granularity));
}

KnownRequest &AccessState::know(RequestPattern &pattern, uint64_t position,
                                const RequestFigures &figures,
                                const uint64_t *addresses,
                                unsigned bytesPerLane,
                                const MemoryGranularity &granularity) {
  KnownRequest &known =
      *pattern.all.emplace_back(std::make_unique<KnownRequest>());
  pattern.known[position] = &known;
  known.figures = figures;
  unsigned shift = llvm::countr_zero(granularity.sectorInBytes);
  uint64_t lowest = ~uint64_t(0);
  for (uint32_t lanes = pattern.mask; lanes; lanes &= lanes - 1)
    lowest = std::min(lowest, addresses[llvm::countr_zero(lanes)]);
  uint64_t first = lowest >> shift;
  for (uint32_t lanes = pattern.mask; lanes; lanes &= lanes - 1) {
    uint64_t address = addresses[llvm::countr_zero(lanes)];
    uint64_t last = (address + bytesPerLane - 1) >> shift;
    for (uint64_t sector = address >> shift; sector <= last; ++sector)
      if (sector - first < 64)
        known.sectorBits |= uint64_t(1) << (sector - first);
      else
        known.moreSectors.push_back(static_cast<uint32_t>(sector - first));
  }
  std::sort(known.moreSectors.begin(), known.moreSectors.end());
  known.moreSectors.erase(
      std::unique(known.moreSectors.begin(), known.moreSectors.end()),
      known.moreSectors.end());
  return known;
}

static void collectPattern(AccessState &state, RequestPattern &pattern) {
  for (auto &known : pattern.all)
    if (known->hits) {
      state.count(known->figures, known->hits);
      known->hits = 0;
    }
}

RequestPattern &AccessState::newPattern(uint64_t period) {
  unsigned index = numPatterns < MaxPatterns ? numPatterns++ : oldest++;
  oldest %= MaxPatterns;
  auto &pattern = patterns[index];
  if (pattern)
    collectPattern(*this, *pattern);
  pattern = std::make_unique<RequestPattern>();
  pattern->known.resize(period);
  return *pattern;
}

void AccessState::collect() {
  for (auto &pattern : patterns)
    if (pattern)
      collectPattern(*this, *pattern);
}

void AccessState::forgetPatterns() {
  collect();
  for (auto &pattern : patterns)
    pattern.reset();
  numPatterns = oldest = 0;
}

void AccessState::reset() {
  for (auto &pattern : patterns)
    if (pattern)
      for (auto &known : pattern->all)
        known->hits = 0;
  range = {};
  requests = lanes = sectors = lines = fewestSectors = bankPasses =
      fewestBankPasses = l1QuarterCycles = sameAddress = lanesOnBank =
          newSectors = 0;
  byMultiplicity.fill(0);
  low = INT64_MAX;
  high = INT64_MIN;
  allocation = NoAllocation;
}

AccessProfile AccessState::profile(const AccessInfo &info) const {
  AccessProfile result;
  RequestCounts &counts = result.counts;
  auto number = [](uint64_t value) { return static_cast<double>(value); };
  counts.requests = number(requests);
  counts.lanes = number(lanes);
  counts.sectors = number(sectors);
  counts.lines = number(lines);
  counts.fewestSectors = number(fewestSectors);
  counts.bankPasses = number(bankPasses);
  counts.fewestBankPasses = number(fewestBankPasses);
  counts.sameAddress = number(sameAddress);
  counts.lanesOnBank = number(lanesOnBank);
  counts.l1Cycles = number(l1QuarterCycles) / 4;
  result.newSectorsInBlock = newSectors;
  if (info.kind == AccessKind::Atomic)
    result.byMultiplicity = byMultiplicity;
  return result;
}
