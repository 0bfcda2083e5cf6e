// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one request costs, at one place and at many.
#include "MovableRequest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace auspex;

void RequestCounts::add(const RequestCounts &other, double times) {
  requests += times * other.requests;
  lanes += times * other.lanes;
  sectors += times * other.sectors;
  lines += times * other.lines;
  fewestSectors += times * other.fewestSectors;
  bankPasses += times * other.bankPasses;
  fewestBankPasses += times * other.fewestBankPasses;
  l1Cycles += times * other.l1Cycles;
  sameAddress += times * other.sameAddress;
  lanesOnBank += times * other.lanesOnBank;
  exact &= other.exact;
}

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

namespace {
/// The lanes of one request, sorted by address.
struct SortedLanes {
  std::array<int64_t, 32> offsets;
  unsigned count = 0;

  SortedLanes(llvm::ArrayRef<int64_t> all, uint32_t mask) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        offsets[count++] = all[lane];
    if (!std::is_sorted(offsets.begin(), offsets.begin() + count))
      std::sort(offsets.begin(), offsets.begin() + count);
  }

  /// Distinct aligned pieces of \p size bytes, a power of 2, that the lanes
  /// touch.
  unsigned distinct(unsigned bytes, unsigned size) const {
    unsigned shift = llvm::countr_zero(size), pieces = 0;
    int64_t last = INT64_MIN;
    for (unsigned i = 0; i < count; ++i) {
      int64_t first = std::max(offsets[i] >> shift, last + 1);
      int64_t end = (offsets[i] + bytes - 1) >> shift;
      if (end >= first) {
        pieces += end - first + 1;
        last = end;
      }
    }
    return pieces;
  }

  /// The most lanes with one and the same offset.
  unsigned mostEqual() const {
    unsigned most = 0, run = 0;
    for (unsigned i = 0; i < count; ++i) {
      run = i && offsets[i] == offsets[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
    }
    return most;
  }
};
} // namespace

/// Passes of one group of lanes: the most distinct words on one bank.
static unsigned passesOfGroup(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                              unsigned words, unsigned banks) {
  llvm::SmallVector<int64_t, 64> all;
  for (; mask; mask &= mask - 1) {
    int64_t first = floorDiv(offsets[llvm::countr_zero(mask)],
                             int64_t(MemoryGranularity::BankInBytes));
    for (int64_t word = first; word < first + words; ++word)
      if (all.empty() || all.back() != word)
        all.push_back(word);
  }
  if (!llvm::is_sorted(all))
    llvm::sort(all);
  // One word after the other goes to the next bank.
  if (static_cast<uint64_t>(all.back()) - all.front() < banks)
    return 1;
  all.erase(llvm::unique(all), all.end());
  llvm::SmallVector<unsigned, 64> seen(banks);
  unsigned passes = 0;
  for (int64_t word : all)
    passes = std::max(passes, ++seen[floorMod(word, int64_t(banks))]);
  return passes;
}

/// The most lanes of a group whose first word is on one bank.
static unsigned lanesOnBank(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                            unsigned banks) {
  llvm::SmallVector<unsigned, 64> seen(banks);
  unsigned most = 0;
  for (; mask; mask &= mask - 1) {
    int64_t word = floorDiv(offsets[llvm::countr_zero(mask)],
                            int64_t(MemoryGranularity::BankInBytes));
    most = std::max(most, ++seen[floorMod(word, int64_t(banks))]);
  }
  return most;
}

/// Of the rules that go by lines and passes: tags and data of a request are
/// looked up side by side.
static void setL1Cycles(const MemoryGranularity &granularity,
                        RequestCounts &counts) {
  counts.l1Cycles = std::max(
      counts.bankPasses, granularity.tagCycles(counts.lines, /*windows=*/0));
}

/// Whether each lane of \p mask has the offset of its neighbour at \p distance,
/// 1 or 2 lanes away in the aligned pair or quad, if that is in the mask too.
static bool agreeInPairs(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                         unsigned distance) {
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = llvm::countr_zero(left), other = lane ^ distance;
    if ((mask >> other & 1) && offsets[lane] != offsets[other])
      return false;
  }
  return true;
}

/// Calls \p visit with the lanes of each group that are in \p mask, if there
/// are any. Two groups side by side are served as one if their lanes agree in
/// pairs.
template <typename Visit>
static void forEachGroup(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                         unsigned bytesPerLane, unsigned banks, Visit visit) {
  unsigned words = MemoryGranularity::words(bytesPerLane);
  unsigned group = std::max(1u, banks / words);
  auto visitGroups = [&](uint32_t all, unsigned first, unsigned size) {
    unsigned end = std::min(32u, first + size);
    for (unsigned lane = first; lane < end; lane += group)
      if (uint32_t lanes =
              group >= 32 ? all : all & (((1u << group) - 1) << lane))
        visit(lanes, words);
  };
  unsigned pair = 2 * group;
  if (pair > 32)
    return visitGroups(mask, 0, 32);
  for (unsigned lane = 0; lane < 32; lane += pair) {
    uint32_t lanes = pair == 32 ? mask : mask & (((1u << pair) - 1) << lane);
    if (lanes && words > 1 &&
        (agreeInPairs(offsets, lanes, 1) || agreeInPairs(offsets, lanes, 2)))
      visit(lanes, words);
    else
      visitGroups(lanes, lane, pair);
  }
}

static void countBankPasses(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                            unsigned bytesPerLane,
                            const MemoryGranularity &granularity,
                            RequestCounts &counts) {
  unsigned banks = granularity.banks;
  auto count = [&](uint32_t lanes, unsigned words) {
    unsigned passes = passesOfGroup(offsets, lanes, words, banks);
    counts.bankPasses += passes;
    counts.fewestBankPasses += std::max(1u, words / banks);
    counts.lanesOnBank += lanesOnBank(offsets, lanes, banks);
    if (granularity.l1Rule == L1Rule::Windows)
      counts.l1Cycles += std::max(
          passes, SortedLanes(offsets, lanes)
                      .distinct(bytesPerLane, granularity.WindowInBytes));
  };
  forEachGroup(offsets, mask, bytesPerLane, banks, count);
  if (granularity.l1Rule != L1Rule::Windows)
    setL1Cycles(granularity, counts);
}

RequestCounts auspex::countRequest(llvm::ArrayRef<int64_t> offsets,
                                   uint32_t mask, unsigned bytesPerLane,
                                   const MemoryGranularity &granularity) {
  RequestCounts counts;
  if (!mask)
    return counts;
  SortedLanes lanes(offsets, mask);
  counts.requests = 1;
  counts.lanes = lanes.count;
  counts.sectors = lanes.distinct(bytesPerLane, granularity.sectorInBytes);
  counts.lines = lanes.distinct(bytesPerLane, granularity.lineInBytes);
  counts.fewestSectors =
      (lanes.count * bytesPerLane + granularity.sectorInBytes - 1) /
      granularity.sectorInBytes;
  counts.sameAddress = lanes.mostEqual();
  countBankPasses(offsets, mask, bytesPerLane, granularity, counts);
  return counts;
}

//===----------------------------------------------------------------------===//
// At many places
//===----------------------------------------------------------------------===//

MovableRequest::MovableRequest(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                               unsigned bytesPerLane,
                               const MemoryGranularity &granularity)
    : offsets(offsets), mask(mask), bytesPerLane(bytesPerLane),
      granularity(granularity), numbers(granularity.period(), 0),
      pieces(piecesOf(mask)) {}

const RequestCounts &MovableRequest::countsAt(int64_t position) {
  uint16_t &number = numbers[position];
  if (!number) {
    known.push_back(countAt(position));
    number = static_cast<uint16_t>(known.size());
  }
  return known[number - 1];
}

MovableRequest::Pieces MovableRequest::piecesOf(uint32_t lanes) const {
  SortedLanes sorted(offsets, lanes);
  Pieces result;
  for (unsigned i = 0; i < sorted.count; ++i) {
    Interval piece{sorted.offsets[i], sorted.offsets[i] + bytesPerLane - 1};
    if (!result.empty() && piece.low <= result.back().high + 1)
      result.back().high = std::max(result.back().high, piece.high);
    else
      result.push_back(piece);
  }
  return result;
}

/// Aligned parts of \p size bytes, a power of 2.
static unsigned distinct(llvm::ArrayRef<Interval> pieces, int64_t position,
                         unsigned size) {
  unsigned shift = llvm::countr_zero(size), parts = 0;
  int64_t last = INT64_MIN;
  for (const Interval &piece : pieces) {
    int64_t first = std::max((piece.low + position) >> shift, last + 1);
    int64_t end = (piece.high + position) >> shift;
    if (end >= first) {
      parts += end - first + 1;
      last = end;
    }
  }
  return parts;
}

/// Where words begin further on by whole banks, so do the banks they are on.
const MovableRequest::InBank &MovableRequest::inBank(int64_t first) {
  std::optional<InBank> &known = inBanks[first];
  if (known)
    return *known;
  llvm::SmallVector<int64_t, 32> moved(offsets);
  for (int64_t &offset : moved)
    offset += first;
  known.emplace().counts = countRequest(moved, mask, bytesPerLane, granularity);
  if (granularity.l1Rule == L1Rule::Windows)
    forEachGroup(moved, mask, bytesPerLane, granularity.banks,
                 [&](uint32_t lanes, unsigned words) {
                   known->groups.push_back(
                       {passesOfGroup(moved, lanes, words, granularity.banks),
                        piecesOf(lanes)});
                 });
  return *known;
}

RequestCounts MovableRequest::countAt(int64_t position) {
  const auto &[atFirst, groups] =
      inBank(position % MemoryGranularity::BankInBytes);
  RequestCounts counts = atFirst;
  counts.sectors = distinct(pieces, position, granularity.sectorInBytes);
  counts.lines = distinct(pieces, position, granularity.lineInBytes);
  if (granularity.l1Rule != L1Rule::Windows) {
    setL1Cycles(granularity, counts);
    return counts;
  }
  counts.l1Cycles = 0;
  for (const Group &group : groups)
    counts.l1Cycles +=
        std::max(group.passes,
                 distinct(group.pieces, position, granularity.WindowInBytes));
  return counts;
}
