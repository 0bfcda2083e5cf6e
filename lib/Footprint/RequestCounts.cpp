// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/RequestCounts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace auspex;

void RequestCounts::add(const RequestCounts &other, double times) {
  requests += times * other.requests;
  lanes += times * other.lanes;
  sectors += times * other.sectors;
  lines += times * other.lines;
  fewestSectors += times * other.fewestSectors;
  bankPasses += times * other.bankPasses;
  fewestBankPasses += times * other.fewestBankPasses;
  sameAddress += times * other.sameAddress;
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
    std::sort(offsets.begin(), offsets.begin() + count);
  }

  /// Distinct aligned pieces of \p size bytes that the lanes touch.
  unsigned distinct(unsigned bytes, unsigned size) const {
    unsigned pieces = 0;
    int64_t last = INT64_MIN;
    for (unsigned i = 0; i < count; ++i) {
      int64_t first = std::max(floorDiv(offsets[i], size), last + 1);
      int64_t end = floorDiv(offsets[i] + bytes - 1, size);
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
  std::array<llvm::SmallVector<int64_t, 4>, 64> seen;
  unsigned passes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    int64_t first = floorDiv(offsets[lane], MemoryGranularity::BankInBytes);
    for (int64_t word = first; word < first + words; ++word) {
      auto &bank = seen[floorMod(word, banks)];
      if (!llvm::is_contained(bank, word))
        bank.push_back(word);
      passes = std::max<unsigned>(passes, bank.size());
    }
  }
  return passes;
}

static void countBankPasses(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                            unsigned bytesPerLane, unsigned banks,
                            RequestCounts &counts) {
  unsigned words = std::max(1u, bytesPerLane / MemoryGranularity::BankInBytes);
  unsigned group = std::max(1u, banks / words);
  for (unsigned lane = 0; lane < 32; lane += group) {
    uint32_t lanes = group >= 32 ? mask : mask & (((1u << group) - 1) << lane);
    if (!lanes)
      continue;
    counts.bankPasses += passesOfGroup(offsets, lanes, words, banks);
    counts.fewestBankPasses += 1;
  }
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
  countBankPasses(offsets, mask, bytesPerLane, granularity.banks, counts);
  return counts;
}

//===----------------------------------------------------------------------===//
// All requests of a domain
//===----------------------------------------------------------------------===//

namespace {

/// Everything that is counted depends on addresses modulo this: lines, sectors
/// and the banks all divide it.
constexpr int64_t Period = 128;

/// How often each residue modulo Period occurs.
using Residues = std::array<double, Period>;

/// An offset taken apart: what depends on the thread only, and slopes for the
/// block indices and loop counters.
struct SeparatedOffset {
  Expr threadPart;
  llvm::SmallVector<int64_t, 6> slopes;

  static std::optional<SeparatedOffset>
  separate(Expr offset, llvm::ArrayRef<std::string> symbols) {
    SeparatedOffset result;
    for (const std::string &symbol : symbols) {
      auto linear = offset.linearIn(symbol);
      auto slope = linear ? linear->factor->constant() : std::nullopt;
      if (!slope)
        return std::nullopt;
      result.slopes.push_back(*slope);
      offset = *linear->rest;
    }
    result.threadPart = offset;
    return result;
  }
};

/// Adds slope * k for every k of the interval to the residues.
void spread(Residues &residues, int64_t slope, Interval side) {
  int64_t step = floorMod(slope, Period);
  int64_t count = side.high - side.low + 1;
  if (step == 0) {
    for (double &times : residues)
      times *= static_cast<double>(count);
    return;
  }
  int64_t cycle = Period / std::gcd(step, Period);
  int64_t start = floorMod(floorMod(side.low, Period) * step, Period);
  Residues result{};
  for (int64_t k = 0; k < std::min(cycle, count); ++k) {
    double times = static_cast<double>((count - k - 1) / cycle + 1);
    int64_t shift = (start + k * step) % Period;
    for (int64_t r = 0; r < Period; ++r)
      result[(r + shift) % Period] += residues[r] * times;
  }
  residues = result;
}

Residues residuesOf(llvm::ArrayRef<int64_t> slopes,
                    llvm::ArrayRef<Interval> box) {
  Residues residues{};
  residues[0] = 1;
  for (auto [slope, side] : llvm::zip(slopes, box))
    spread(residues, slope, side);
  return residues;
}

/// Counts requests and remembers those that look alike.
class RequestCounter {
public:
  RequestCounter(unsigned bytesPerLane, const MemoryGranularity &granularity)
      : bytesPerLane(bytesPerLane), granularity(granularity) {}

  /// The counts of a request that is moved by \p residue bytes.
  const RequestCounts &count(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                             int64_t residue) {
    // Only distances and the position within a period matter.
    int64_t base = offsets[llvm::countr_zero(mask)];
    int64_t position = floorMod(floorMod(base, Period) + residue, Period);
    Key key{mask, position, {}};
    for (unsigned lane = 0; lane < 32; ++lane)
      key.distances[lane] = mask >> lane & 1 ? offsets[lane] - base : 0;
    auto [entry, isNew] = known.try_emplace(key);
    if (isNew) {
      std::array<int64_t, 32> moved;
      for (unsigned lane = 0; lane < 32; ++lane)
        moved[lane] = key.distances[lane] + position;
      entry->second = countRequest(moved, mask, bytesPerLane, granularity);
    }
    return entry->second;
  }

private:
  struct Key {
    uint32_t mask;
    int64_t position;
    std::array<int64_t, 32> distances;
    auto operator<=>(const Key &) const = default;
  };
  unsigned bytesPerLane;
  MemoryGranularity granularity;
  std::map<Key, RequestCounts> known;
};

/// Walks a domain and counts the requests of one access.
class DomainCounter {
public:
  DomainCounter(const IterationDomain &domain, unsigned bytesPerLane,
                const MemoryGranularity &granularity)
      : domain(domain), counter(bytesPerLane, granularity),
        slots({"tid.x", "tid.y", "tid.z"}) {
    llvm::append_range(slots, domain.symbols());
    total.exact = domain.isExact();
  }

  std::optional<RequestCounts> run(const Expr &offset) {
    auto separated = SeparatedOffset::separate(offset, domain.symbols());
    CompiledExpr compiled(separated ? separated->threadPart : offset, slots);
    if (!compiled.isUsable())
      return std::nullopt;
    if (separated)
      countSeparated(*separated, compiled);
    else
      for (const IterationDomain::Piece &piece : domain.pieces())
        countSamples(piece, compiled);
    if (failed)
      return std::nullopt;
    return total;
  }

private:
  /// Points of a piece that are looked at one by one when the offset mixes
  /// thread, block and counter in ways that cannot be taken apart.
  static constexpr int64_t MaxSamples = 4096;

  const IterationDomain &domain;
  RequestCounter counter;
  std::vector<std::string> slots;
  RequestCounts total;
  bool failed = false;

  void threadOffsets(const CompiledExpr &expr, std::vector<int64_t> &values,
                     std::vector<int64_t> &offsets) {
    const LaunchShape &shape = domain.shape();
    for (int64_t thread = 0; thread < shape.block.count(); ++thread) {
      auto index = shape.threadIndex(thread);
      std::copy(index.begin(), index.end(), values.begin());
      offsets[thread] = expr.evaluate(values, failed);
    }
  }

  std::vector<int64_t> noOffsets() const {
    return std::vector<int64_t>(domain.shape().warpsPerBlock() *
                                LaunchShape::WarpSize);
  }

  void countSeparated(const SeparatedOffset &offset,
                      const CompiledExpr &threadPart) {
    std::vector<int64_t> offsets = noOffsets(), values(slots.size());
    threadOffsets(threadPart, values, offsets);
    for (const IterationDomain::Piece &piece : domain.pieces()) {
      Residues residues = residuesOf(offset.slopes, piece.box);
      for (int64_t residue = 0; residue < Period; ++residue)
        if (residues[residue])
          countBlock(piece, offsets, residue, residues[residue]);
    }
  }

  void countBlock(const IterationDomain::Piece &piece,
                  llvm::ArrayRef<int64_t> offsets, int64_t residue,
                  double times) {
    for (auto [warp, mask] : llvm::enumerate(*piece.masks))
      if (mask)
        total.add(counter.count(offsets.slice(warp * 32, 32), mask, residue),
                  times);
  }

  void countSamples(const IterationDomain::Piece &piece,
                    const CompiledExpr &compiled) {
    int64_t points = static_cast<int64_t>(std::min(piece.points, 9e18));
    int64_t samples = std::min(points, MaxSamples);
    total.exact &= samples == points;
    std::vector<int64_t> offsets = noOffsets(), values(slots.size());
    for (int64_t sample = 0; sample < samples; ++sample) {
      // Evenly spaced points, each in the middle of what it stands for.
      auto position = static_cast<int64_t>(
          (static_cast<__int128>(2 * sample + 1) * points) / (2 * samples));
      for (auto [side, value] :
           llvm::zip(piece.box, llvm::drop_begin(values, 3))) {
        int64_t extent = side.high - side.low + 1;
        value = side.low + position % extent;
        position /= extent;
      }
      threadOffsets(compiled, values, offsets);
      countBlock(piece, offsets, 0, piece.points / samples);
    }
  }
};

} // namespace

std::optional<RequestCounts>
auspex::countRequests(const IterationDomain &domain, const Expr &offset,
                      unsigned bytesPerLane,
                      const MemoryGranularity &granularity) {
  if (!offset.isValid())
    return std::nullopt;
  return DomainCounter(domain, bytesPerLane, granularity).run(offset);
}
