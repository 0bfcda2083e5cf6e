// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What one thread of the host knows of one memory access of the code: where
/// it went, what it looked like, and the sums.
#ifndef AUSPEX_LIB_EMULATOR_ACCESSSTATE_H
#define AUSPEX_LIB_EMULATOR_ACCESSSTATE_H

#include "Code.h"
#include "SectorMap.h"

#include <array>
#include <memory>
#include <vector>

namespace auspex::emulator {

/// A piece of memory that accesses may go to.
struct MemoryRange {
  enum class Kind : uint8_t { None, Global, Shared, Local, Parameter };
  uint64_t begin = 0, end = 0;
  Kind kind = Kind::None;
  /// Of the allocation, for global memory.
  uint32_t allocation = 0;
  SectorMap *sectors = nullptr;

  bool contains(uint64_t low, uint64_t high) const {
    return low >= begin && high <= end && low <= high;
  }
};

/// The counts of one request, as countRequest gives them.
struct RequestFigures {
  uint16_t lanes = 0, sectors = 0, lines = 0, fewestSectors = 0;
  uint16_t bankPasses = 0, fewestBankPasses = 0, sameAddress = 0;
  uint16_t lanesOnBank = 0;
  /// The model divides lines by 4 without rounding.
  uint16_t l1QuarterCycles = 0;
};

/// A request whose lanes lie as those of an earlier one did, at the same place
/// within a line.
struct KnownRequest {
  RequestFigures figures;
  uint64_t hits = 0;
  /// The touched sectors, from that of the lowest address on; more than 64 of
  /// them are in the list.
  uint64_t sectorBits = 0;
  std::vector<uint32_t> moreSectors;
};

/// The distances between the lanes of a request.
struct RequestPattern {
  enum class Shape : uint8_t {
    Other,
    Uniform,
    Consecutive,
    /// The same in each of two or four rows of lanes.
    UniformHalves,
    ConsecutiveHalves,
    UniformQuarters,
    ConsecutiveQuarters,
  };
  alignas(64) int64_t distances[Lanes];
  uint32_t mask = 0;
  Shape shape = Shape::Other;
  /// From the first active lane's address to the lowest byte and past the
  /// highest.
  int64_t low = 0, high = 0;
  /// Or of all distances: what they are not aligned to.
  uint64_t misaligned = 0;
  /// By the first address modulo the period.
  std::vector<KnownRequest *> known;
  std::vector<std::unique_ptr<KnownRequest>> all;
};

struct AccessState {
  MemoryRange range;
  static constexpr unsigned MaxPatterns = 4;
  std::array<std::unique_ptr<RequestPattern>, MaxPatterns> patterns;
  unsigned numPatterns = 0, oldest = 0;
  /// How well patterns do: where they are never met again, they are not looked
  /// for, but for a try now and then.
  int credit = InitialCredit;
  unsigned pause = 0, nextPause = ShortestPause;
  /// A new pattern costs as much as many hits save.
  static constexpr int InitialCredit = 96, MaxCredit = 256, PatternCost = 16,
                       RetryCredit = 2 * PatternCost;
  static constexpr unsigned ShortestPause = 256, LongestPause = 1 << 14;

  // Sums of the requests that no pattern counts.
  uint64_t requests = 0, lanes = 0, sectors = 0, lines = 0, fewestSectors = 0,
           bankPasses = 0, fewestBankPasses = 0, l1QuarterCycles = 0,
           sameAddress = 0, lanesOnBank = 0;
  uint64_t newSectors = 0;
  std::array<uint64_t, 33> byMultiplicity{};
  /// From the beginning of the range it fell into.
  int64_t low = INT64_MAX, high = INT64_MIN;
  static constexpr uint32_t NoAllocation = ~0u, SeveralAllocations = ~0u - 1;
  uint32_t allocation = NoAllocation;
  /// What stands for an allocation where memory is not global.
  static uint32_t specialAllocation(MemoryRange::Kind kind) {
    return SeveralAllocations - 1 - static_cast<uint32_t>(kind);
  }

  void count(const RequestFigures &figures, uint64_t times) {
    requests += times;
    lanes += times * figures.lanes;
    sectors += times * figures.sectors;
    lines += times * figures.lines;
    fewestSectors += times * figures.fewestSectors;
    bankPasses += times * figures.bankPasses;
    fewestBankPasses += times * figures.fewestBankPasses;
    l1QuarterCycles += times * figures.l1QuarterCycles;
    sameAddress += times * figures.sameAddress;
    lanesOnBank += times * figures.lanesOnBank;
    byMultiplicity[figures.sameAddress] += times;
  }
  /// Notes the figures and sectors of a request that looks new, for all that
  /// will look like it. \p addresses are those that count, \p position the
  /// first active one modulo the period.
  static KnownRequest &know(RequestPattern &pattern, uint64_t position,
                            const RequestFigures &figures,
                            const uint64_t *addresses, unsigned bytesPerLane,
                            const MemoryGranularity &granularity);
  /// Room for a pattern; the sums take over what the old one counted.
  RequestPattern &newPattern(uint64_t period);
  /// Adds what the patterns counted to the sums.
  void collect();
  void forgetPatterns();
  /// For the next launch; keeps the patterns.
  void reset();
  AccessProfile profile(const AccessInfo &info) const;
};

RequestFigures figuresOf(const RequestCounts &counts);
/// By way of countRequest, for what the fast ways do not know.
RequestFigures countSlowly(const uint64_t *addresses, uint32_t mask,
                           unsigned bytesPerLane,
                           const MemoryGranularity &granularity);

} // namespace auspex::emulator

#endif
