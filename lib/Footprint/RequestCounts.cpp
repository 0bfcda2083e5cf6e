// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/RequestCounts.h"

#include "LinearOffset.h"

#include "llvm/ADT/DenseMap.h"
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
  l1Cycles += times * other.l1Cycles;
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

/// Of L1Rule::Windows, in bytes.
static constexpr int64_t Window = 1024;

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

/// Of the rules that go by lines and passes: tags and data of a request are
/// looked up side by side.
static void setL1Cycles(L1Rule rule, RequestCounts &counts) {
  double tags = rule == L1Rule::Tags ? (counts.lines + 3) / 4 : counts.lines;
  counts.l1Cycles = std::max(counts.bankPasses, tags);
}

static void countBankPasses(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                            unsigned bytesPerLane,
                            const MemoryGranularity &granularity,
                            RequestCounts &counts) {
  unsigned banks = granularity.banks;
  unsigned words = std::max(1u, bytesPerLane / MemoryGranularity::BankInBytes);
  unsigned group = std::max(1u, banks / words);
  for (unsigned lane = 0; lane < 32; lane += group) {
    uint32_t lanes = group >= 32 ? mask : mask & (((1u << group) - 1) << lane);
    if (!lanes)
      continue;
    unsigned passes = passesOfGroup(offsets, lanes, words, banks);
    counts.bankPasses += passes;
    counts.fewestBankPasses += 1;
    if (granularity.l1Rule == L1Rule::Windows)
      counts.l1Cycles += std::max(
          passes, SortedLanes(offsets, lanes).distinct(bytesPerLane, Window));
  }
  if (granularity.l1Rule != L1Rule::Windows)
    setL1Cycles(granularity.l1Rule, counts);
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
// All requests of a domain
//===----------------------------------------------------------------------===//

namespace {

/// Everything that is counted depends on addresses modulo this: lines, sectors
/// and the banks all divide it, and so do windows where they count.
int64_t periodOf(const MemoryGranularity &granularity) {
  constexpr int64_t Line = 128;
  return granularity.l1Rule == L1Rule::Windows ? Window : Line;
}

/// Residues modulo a period and how often they occur; each once.
using Residues = std::vector<std::pair<int64_t, double>>;

/// Adds slope * k for every k of the interval to the residues.
void spread(Residues &residues, int64_t slope, Interval side, int64_t period) {
  int64_t step = floorMod(slope, period);
  int64_t count = side.high - side.low + 1;
  int64_t start = floorMod(floorMod(side.low, period) * step, period);
  if (step == 0 || count == 1) {
    for (auto &[residue, times] : residues) {
      residue = (residue + start) % period;
      times *= static_cast<double>(count);
    }
    return;
  }
  int64_t cycle = period / std::gcd(step, period);
  std::vector<double> sums(period, 0);
  for (auto [residue, times] : residues)
    for (int64_t k = 0; k < std::min(cycle, count); ++k)
      sums[(residue + start + k * step) % period] +=
          times * static_cast<double>((count - k - 1) / cycle + 1);
  residues.clear();
  for (int64_t residue = 0; residue < period; ++residue)
    if (sums[residue] != 0)
      residues.emplace_back(residue, sums[residue]);
}

/// The residues of the linear part of an offset over a box.
Residues residuesOf(const SeparatedOffset &offset, llvm::ArrayRef<Interval> box,
                    int64_t period) {
  Residues residues{{0, 1}};
  for (unsigned i = 0; i < box.size(); ++i)
    if (!llvm::is_contained(offset.mixed, i))
      spread(residues, offset.slopes[i], box[i], period);
  return residues;
}

/// One request but for where it begins, its position within a period: what does
/// not depend on that is counted once, the rest once a position.
class MovableRequest {
public:
  MovableRequest(llvm::ArrayRef<int64_t> offsets, uint32_t mask,
                 unsigned bytesPerLane, const MemoryGranularity &granularity)
      : offsets(offsets), mask(mask), bytesPerLane(bytesPerLane),
        granularity(granularity), numbers(periodOf(granularity), 0),
        atFirst(countRequest(offsets, mask, bytesPerLane, granularity)),
        pieces(piecesOf(mask)) {
    // Whole words go on by whole banks.
    staysInWords = llvm::all_of(offsets, [](int64_t offset) {
      return offset % MemoryGranularity::BankInBytes == 0;
    });
  }

  const RequestCounts &countsAt(int64_t position) {
    uint16_t &number = numbers[position];
    if (!number) {
      known.push_back(countAt(position));
      number = static_cast<uint16_t>(known.size());
    }
    return known[number - 1];
  }

private:
  llvm::SmallVector<int64_t, 32> offsets;
  uint32_t mask;
  unsigned bytesPerLane;
  MemoryGranularity granularity;
  /// What is known, and by position where, from 1.
  std::vector<RequestCounts> known;
  std::vector<uint16_t> numbers;
  RequestCounts atFirst;
  /// The bytes that lanes touch, ascending.
  llvm::SmallVector<Interval, 8> pieces;
  bool staysInWords = false;

  RequestCounts countAt(int64_t position) const {
    bool isMovable = staysInWords &&
                     position % MemoryGranularity::BankInBytes == 0 &&
                     granularity.l1Rule != L1Rule::Windows;
    if (!isMovable) {
      llvm::SmallVector<int64_t, 32> moved(offsets);
      for (int64_t &offset : moved)
        offset += position;
      return countRequest(moved, mask, bytesPerLane, granularity);
    }
    RequestCounts counts = atFirst;
    counts.sectors = distinct(position, granularity.sectorInBytes);
    counts.lines = distinct(position, granularity.lineInBytes);
    setL1Cycles(granularity.l1Rule, counts);
    return counts;
  }

  llvm::SmallVector<Interval, 8> piecesOf(uint32_t lanes) const {
    SortedLanes sorted(offsets, lanes);
    llvm::SmallVector<Interval, 8> result;
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
  unsigned distinct(int64_t position, unsigned size) const {
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
};

/// Tells requests apart: only the distances between lanes and the position
/// within a period matter.
class RequestCounter {
public:
  RequestCounter(unsigned bytesPerLane, const MemoryGranularity &granularity)
      : period(periodOf(granularity)), bytesPerLane(bytesPerLane),
        granularity(granularity) {}

  /// The offsets of a warp: which distances, and where it begins.
  struct Warp {
    unsigned pattern = 0;
    int64_t position = 0;
  };

  Warp describe(llvm::ArrayRef<int64_t> offsets) {
    Distances distances;
    for (unsigned lane = 0; lane < 32; ++lane)
      distances[lane] = offsets[lane] - offsets[0];
    auto [entry, isNew] = numbers.try_emplace(distances, patterns.size());
    if (isNew)
      patterns.push_back(&entry->first);
    return {entry->second, floorMod(offsets[0], period)};
  }

  /// The requests of warps of one pattern with the lanes of \p mask.
  MovableRequest &request(unsigned pattern, uint32_t mask) {
    return requests
        .try_emplace({mask, pattern}, *patterns[pattern], mask, bytesPerLane,
                     granularity)
        .first->second;
  }

  const int64_t period;

private:
  using Distances = std::array<int64_t, 32>;
  unsigned bytesPerLane;
  MemoryGranularity granularity;
  std::map<Distances, unsigned> numbers;
  std::vector<const Distances *> patterns;
  std::map<std::pair<uint32_t, unsigned>, MovableRequest> requests;
};

} // namespace

/// The requests of accesses with the same slopes over a domain, for one that
/// begins at 0, and the counts of those that begin elsewhere.
class auspex::LinearRequests {
public:
  LinearRequests(const IterationDomain &domain, llvm::ArrayRef<int64_t> slopes,
                 unsigned bytesPerLane, const MemoryGranularity &granularity)
      : domain(domain), slopes(slopes), counter(bytesPerLane, granularity) {
    describeWarps();
    for (const IterationDomain::Piece &piece : domain.pieces())
      addPiece(piece);
  }

  const RequestCounts &countsFrom(int64_t first) {
    auto [entry, isNew] = known.try_emplace(floorMod(first, counter.period));
    RequestCounts &counts = entry->second;
    if (!isNew)
      return counts;
    counts.exact = domain.isExact();
    for (auto &[key, group] : groups)
      for (int64_t position : group.positions) {
        int64_t moved = floorMod(position + first, counter.period);
        counts.add(group.request->countsAt(moved), group.times[position]);
      }
    return counts;
  }

private:
  const IterationDomain &domain;
  std::vector<int64_t> slopes;
  RequestCounter counter;
  std::vector<RequestCounter::Warp> warps;
  /// Warps of one pattern and mask.
  struct Group {
    /// How often one is where in a period, and where that is not never.
    std::vector<double> times;
    llvm::SmallVector<int64_t, 16> positions;
    MovableRequest *request = nullptr;
  };
  std::map<std::pair<unsigned, uint32_t>, Group> groups;
  std::map<int64_t, RequestCounts> known;

  int64_t offsetAt(int64_t thread) const {
    auto index = domain.shape().threadIndex(thread);
    return slopes[0] * index[0] + slopes[1] * index[1] + slopes[2] * index[2];
  }

  /// The distances between the lanes of a warp depend on where in a row it
  /// begins and, if it goes over the end of a plane, in which row; few warps of
  /// a block differ in that.
  void describeWarps() {
    const Dim3 &block = domain.shape().block;
    llvm::SmallDenseMap<int64_t, unsigned, 32> seen;
    std::array<int64_t, LaunchShape::WarpSize> offsets;
    for (int64_t first = 0; first < block.count();
         first += LaunchShape::WarpSize) {
      int64_t place = first % (block.x * block.y);
      bool staysInPlane = place + LaunchShape::WarpSize <= block.x * block.y;
      auto [entry, isNew] =
          seen.try_emplace(staysInPlane ? place % block.x : -1 - place);
      if (isNew) {
        // Lanes beyond the last thread are in no mask.
        for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
          offsets[lane] = offsetAt(first + lane);
        entry->second = counter.describe(offsets).pattern;
      }
      warps.push_back(
          {entry->second, floorMod(offsetAt(first), counter.period)});
    }
  }

  /// Where the blocks and iterations of a piece move its warps to.
  void addPiece(const IterationDomain::Piece &piece) {
    Residues residues{{0, 1}};
    for (auto [slope, side] : llvm::zip(llvm::drop_begin(slopes, 3), piece.box))
      spread(residues, slope, side, counter.period);
    for (auto [warp, mask] : llvm::zip(warps, *piece.masks)) {
      if (!mask)
        continue;
      Group &group = groups[{warp.pattern, mask}];
      group.times.resize(counter.period, 0);
      group.request = &counter.request(warp.pattern, mask);
      for (auto [residue, occurrences] : residues) {
        int64_t position = (warp.position + residue) % counter.period;
        if (group.times[position] == 0)
          group.positions.push_back(position);
        group.times[position] += occurrences;
      }
    }
  }
};

namespace {
/// Walks a domain and counts the requests of one access.
class DomainCounter {
public:
  DomainCounter(const IterationDomain &domain, const Expr &offset,
                unsigned bytesPerLane, const MemoryGranularity &granularity)
      : domain(domain), offset(offset, domain.symbols()),
        counter(bytesPerLane, granularity), slots({"tid.x", "tid.y", "tid.z"}) {
    llvm::append_range(slots, domain.symbols());
    total.exact = domain.isExact();
  }

  std::optional<RequestCounts> run() {
    CompiledExpr compiled(offset.rest, slots);
    if (!compiled.isUsable())
      return std::nullopt;
    std::vector<int64_t> values(slots.size());
    if (offset.mixed.empty())
      describeWarps(compiled, values);
    for (const IterationDomain::Piece &piece : domain.pieces())
      if (offset.mixed.empty())
        countAt(piece, residuesOf(offset, piece.box, counter.period), 1);
      else
        countPoints(piece, compiled, values);
    if (failed)
      return std::nullopt;
    return total;
  }

private:
  /// Points of a piece that are looked at one by one where the offset is not
  /// linear in blocks and counters.
  static constexpr int64_t MaxSamples = 4096;

  const IterationDomain &domain;
  SeparatedOffset offset;
  RequestCounter counter;
  std::vector<std::string> slots;
  std::vector<RequestCounter::Warp> warps;
  RequestCounts total;
  bool failed = false;

  /// Evaluates the rest of the offset for every thread of a block.
  void describeWarps(const CompiledExpr &rest, std::vector<int64_t> &values) {
    const LaunchShape &shape = domain.shape();
    std::array<int64_t, LaunchShape::WarpSize> offsets;
    warps.clear();
    for (int64_t first = 0; first < shape.block.count();
         first += LaunchShape::WarpSize) {
      offsets.fill(0);
      for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane) {
        if (first + lane >= shape.block.count())
          break;
        auto index = shape.threadIndex(first + lane);
        std::copy(index.begin(), index.end(), values.begin());
        offsets[lane] = rest.evaluate(values, failed);
        failed |= std::abs(offsets[lane]) > MaxOffset;
      }
      warps.push_back(counter.describe(offsets));
    }
  }

  void countAt(const IterationDomain::Piece &piece, const Residues &residues,
               double times) {
    for (auto [residue, occurrences] : residues)
      for (auto [warp, mask] : llvm::zip(warps, *piece.masks))
        if (mask)
          total.add(counter.request(warp.pattern, mask)
                        .countsAt((warp.position + residue) % counter.period),
                    occurrences * times);
  }

  /// Goes through the values of the mixed symbols, or through evenly spaced
  /// ones, each in the middle of what it stands for.
  void countPoints(const IterationDomain::Piece &piece,
                   const CompiledExpr &rest, std::vector<int64_t> &values) {
    double all = 1;
    for (unsigned symbol : offset.mixed)
      all *= static_cast<double>(piece.box[symbol].high -
                                 piece.box[symbol].low + 1);
    auto points = static_cast<int64_t>(std::min(all, 9e18));
    int64_t samples = std::min(points, MaxSamples);
    total.exact &= samples == points;
    Residues residues = residuesOf(offset, piece.box, counter.period);
    for (int64_t sample = 0; sample < samples; ++sample) {
      auto position = static_cast<int64_t>(
          (static_cast<__int128>(2 * sample + 1) * points) / (2 * samples));
      for (unsigned symbol : offset.mixed) {
        Interval side = piece.box[symbol];
        int64_t extent = side.high - side.low + 1;
        values[3 + symbol] = side.low + position % extent;
        position /= extent;
      }
      describeWarps(rest, values);
      countAt(piece, residues, all / samples);
    }
  }
};

} // namespace

RequestFamily::RequestFamily(const IterationDomain &domain, Expr offset,
                             unsigned bytesPerLane,
                             const MemoryGranularity &granularity)
    : domain(&domain), offset(std::move(offset)), bytesPerLane(bytesPerLane),
      granularity(granularity) {
  if (!this->offset.isValid())
    return;
  if (auto found = linearOffset(this->offset, domain)) {
    first = found->first;
    linear = std::make_unique<LinearRequests>(domain, found->slopes,
                                              bytesPerLane, granularity);
  }
}

RequestFamily::RequestFamily(RequestFamily &&) = default;
RequestFamily::~RequestFamily() = default;

std::optional<RequestCounts> RequestFamily::countsAt(int64_t constant) {
  if (!offset.isValid())
    return std::nullopt;
  if (linear && std::abs(constant) <= MaxOffset)
    return linear->countsFrom(first + constant);
  return DomainCounter(*domain, offset + Expr(constant), bytesPerLane,
                       granularity)
      .run();
}

std::optional<RequestCounts>
auspex::countRequests(const IterationDomain &domain, const Expr &offset,
                      unsigned bytesPerLane,
                      const MemoryGranularity &granularity) {
  return RequestFamily(domain, offset, bytesPerLane, granularity).countsAt(0);
}
