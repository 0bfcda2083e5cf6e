// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Section 4 of the data-volume model: what a wave of blocks loads and stores,
// and which of it the blocks before have loaded.

#include "DataVolumeAccesses.h"
#include "auspex/Footprint/AddressSet.h"
#include "auspex/Footprint/LabelledBoxes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace auspex;

namespace {
/// The sets of threads that matter, as bits.
enum Region : unsigned { Current = 1, BesideX = 2, BesideY = 4, BelowZ = 8 };

/// Sectors by the regions that touch them.
using Counts = std::array<int64_t, 16>;

struct ThreadBox {
  std::array<Interval, 3> range;
  unsigned region = 0;
};

using ThreadBoxes = llvm::SmallVector<ThreadBox, 4>;

/// A box of blocks: [first, end) along each dimension.
using BoxOfBlocks = std::array<std::array<int64_t, 2>, 3>;
} // namespace

/// How many blocks a wave is wide, high and deep, and by how many rows of
/// blocks it ends before the last. Divisions are those of the estimator, in
/// floating point: with unfolded cells, even if threads update several.
static void shapeWave(const DataVolumeInput &in, const DataVolumeLaunch &launch,
                      std::array<int64_t, 3> &wave, int64_t &shiftY) {
  auto width = static_cast<double>(in.domain[0]);
  auto height = static_cast<double>(in.domain[1]);
  auto blocks = static_cast<double>(launch.blocksPerWave);
  auto blockX = static_cast<double>(in.block[0]);
  auto blockY = static_cast<double>(in.block[1]);
  double rows = std::ceil(blocks / (width / blockX));
  double planes = std::ceil(blocks / (width * height / (blockX * blockY)));
  wave = {std::min(launch.grid[0], launch.blocksPerWave),
          std::min(launch.grid[1], static_cast<int64_t>(rows)),
          std::min(launch.grid[2], static_cast<int64_t>(planes))};
  // The last row of blocks may hang over the edge.
  int64_t rest = in.domain[1] - (launch.grid[1] - wave[1]) * in.block[1];
  shiftY = launch.grid[1] > 1 && static_cast<double>(rest) / blockY < 0.1;
}

/// The threads of each region that lie in the domain; none for those left
/// empty.
static ThreadBoxes regionsOf(const DataVolumeInput &in,
                             const DataVolumeLaunch &launch) {
  std::array<int64_t, 3> wave{};
  int64_t shiftY = 0;
  shapeWave(in, launch, wave, shiftY);
  auto [gx, gy, gz] = launch.grid;
  std::array<int64_t, 2> wholeX{0, gx}, wholeY{0, gy};
  std::array<int64_t, 2> x{gx - wave[0], gx};
  std::array<int64_t, 2> y{gy - wave[1] - shiftY, gy - shiftY};
  std::array<int64_t, 2> z{gz / 2, gz / 2 + wave[2]};
  std::array<int64_t, 2> before{std::max<int64_t>(0, y[0] - wave[1]), y[0]};
  const std::pair<unsigned, BoxOfBlocks> regions[] = {
      {Current, {x, y, z}},
      {BesideX, {std::array{gx - 2 * wave[0], x[0]}, y, z}},
      {BesideY, {wholeX, before, z}},
      {BelowZ, {wholeX, wholeY, std::array{z[0] - 1, z[0]}}}};
  ThreadBoxes boxes;
  for (const auto &[region, blocks] : regions) {
    ThreadBox box{{}, region};
    bool empty = false;
    for (size_t i = 0; i < 3; ++i) {
      box.range[i] = {std::max<int64_t>(0, blocks[i][0] * in.block[i]),
                      std::min(in.domain[i], blocks[i][1] * in.block[i]) - 1};
      empty |= box.range[i].low > box.range[i].high;
    }
    if (!empty)
      boxes.push_back(box);
  }
  return boxes;
}

//===----------------------------------------------------------------------===//
// Uniform accesses: boxes of sectors, rows and planes
//===----------------------------------------------------------------------===//

namespace {
/// A progression of sectors: stride * i + residue for i in an interval.
struct SectorRun {
  int64_t residue = 0;
  Interval index;
};

/// Boxes in a lattice: those of one residue never meet those of another.
struct LatticeBox {
  std::array<int64_t, 3> residue{};
  LabelledBox box;
};
} // namespace

/// The sectors of the elements step * t + residue, t in \p range.
static void appendSectors(const FieldAxis &axis, int64_t residue,
                          Interval range, int64_t elementBytes,
                          llvm::SmallVectorImpl<SectorRun> &runs) {
  int64_t stride = axis.step * elementBytes;
  int64_t offset = residue * elementBytes;
  if (stride <= SectorBytes) { // no sector is left out
    runs.push_back({0,
                    {floorDiv(stride * range.low + offset, SectorBytes),
                     floorDiv(stride * range.high + offset, SectorBytes)}});
    return;
  }
  // t = period * m + phase moves by whole sectors with m.
  int64_t period = SectorBytes / std::gcd(stride, SectorBytes);
  int64_t sectors = stride / std::gcd(stride, SectorBytes);
  for (int64_t phase = 0; phase < period; ++phase) {
    int64_t first = floorDiv(stride * phase + offset, SectorBytes);
    int64_t at = floorDiv(first, sectors);
    Interval index{floorDiv(range.low - phase + period - 1, period) + at,
                   floorDiv(range.high - phase, period) + at};
    if (index.low <= index.high)
      runs.push_back({floorMod(first, sectors), index});
  }
}

static void countUniform(const UniformAccesses &accesses,
                         const ThreadBoxes &regions, int64_t elementBytes,
                         Counts &counts) {
  llvm::SmallVector<LatticeBox, 32> all;
  llvm::SmallVector<SectorRun, 8> runs;
  for (const OffsetBox &offsets : accesses.boxes)
    for (const ThreadBox &threads : regions) {
      LatticeBox lattice{offsets.residue, {{}, threads.region}};
      for (size_t i = 0; i < 3; ++i) {
        Interval range = accesses.axes[i].rangeOf(threads.range);
        lattice.box.range[i] = {range.low + offsets.index[i].low,
                                range.high + offsets.index[i].high};
      }
      runs.clear();
      appendSectors(accesses.axes[0], offsets.residue[0], lattice.box.range[0],
                    elementBytes, runs);
      for (const SectorRun &run : runs) {
        lattice.residue[0] = run.residue;
        lattice.box.range[0] = run.index;
        all.push_back(lattice);
      }
    }
  llvm::stable_sort(all, [](const LatticeBox &a, const LatticeBox &b) {
    return a.residue < b.residue;
  });
  llvm::SmallVector<LabelledBox, 32> boxes;
  for (size_t i = 0; i < all.size(); ++i) {
    boxes.push_back(all[i].box);
    if (i + 1 < all.size() && all[i + 1].residue == all[i].residue)
      continue;
    countByLabels(boxes, counts);
    boxes.clear();
  }
}

//===----------------------------------------------------------------------===//
// Any accesses: unions of strided accesses
//===----------------------------------------------------------------------===//

/// The values of \p index while the threads are in any of \p regions.
static Interval valuesOf(const ThreadIndex &index, const ThreadBoxes &regions) {
  Interval values{INT64_MAX, INT64_MIN};
  for (const ThreadBox &threads : regions) {
    int64_t low = index.constant, high = index.constant;
    for (size_t i = 0; i < 3; ++i) {
      int64_t a = index.factor[i] * threads.range[i].low;
      int64_t b = index.factor[i] * threads.range[i].high;
      low += std::min(a, b);
      high += std::max(a, b);
    }
    values = {std::min(values.low, low), std::max(values.high, high)};
  }
  return values;
}

/// A field of other extents, in bytes, whose rows begin at sectors and never
/// meet, the halo included.
static std::optional<std::array<int64_t, 3>>
pitchesApart(llvm::ArrayRef<FieldAccess> accesses, const ThreadBoxes &regions,
             int64_t elementBytes) {
  std::array<Interval, 3> values;
  for (size_t i = 0; i < 3; ++i) {
    values[i] = {INT64_MAX, INT64_MIN};
    for (const FieldAccess &access : accesses) {
      Interval one = valuesOf(access[i], regions);
      values[i] = {std::min(values[i].low, one.low),
                   std::max(values[i].high, one.high)};
    }
  }
  int64_t row = 0, plane = 0;
  if (llvm::MulOverflow(values[0].high - values[0].low + 1, elementBytes, row))
    return std::nullopt;
  row = llvm::alignTo(row, SectorBytes) + 2 * SectorBytes;
  if (llvm::MulOverflow(values[1].high - values[1].low + 1, row, plane))
    return std::nullopt;
  return std::array<int64_t, 3>{elementBytes, row, plane};
}

/// False if numbers become too large.
static bool appendStrided(const FieldAccess &access, const ThreadBox &threads,
                          const std::array<int64_t, 3> &pitches,
                          AddressSet &set) {
  StridedAccess strided;
  bool overflow = false;
  auto addProduct = [&](int64_t &sum, int64_t a, int64_t b) {
    int64_t product = 0;
    overflow |= llvm::MulOverflow(a, b, product) ||
                llvm::AddOverflow(sum, product, sum);
  };
  for (size_t i = 0; i < 3; ++i) {
    StridedAccess::Dimension along{0, threads.range[i].high -
                                          threads.range[i].low + 1};
    for (size_t j = 0; j < 3; ++j)
      addProduct(along.stride, access[j].factor[i], pitches[j]);
    addProduct(strided.first, along.stride, threads.range[i].low);
    addProduct(strided.first, access[i].constant, pitches[i]);
    strided.dimensions.push_back(along);
  }
  set.push_back(std::move(strided));
  return !overflow;
}

/// From the sizes of all unions: the sectors that no region outside m touches
/// are the whole union without that of the regions outside m.
static bool countUnions(llvm::ArrayRef<FieldAccess> accesses,
                        const ThreadBoxes &regions, int64_t elementBytes,
                        Counts &counts) {
  auto pitches = pitchesApart(accesses, regions, elementBytes);
  if (!pitches)
    return false;
  Counts unions{};
  unsigned all = 0;
  for (const ThreadBox &threads : regions)
    all |= threads.region;
  for (unsigned mask = 1; mask < unions.size(); ++mask) {
    if (mask & ~all)
      continue;
    AddressSet set;
    for (const ThreadBox &threads : regions)
      for (const FieldAccess &access : accesses)
        if (mask & threads.region &&
            !appendStrided(access, threads, *pitches, set))
          return false;
    std::optional<int64_t> count = countUnits(set, SectorBytes);
    if (!count)
      return false;
    unions[mask] = *count;
  }
  for (unsigned mask = 1; mask < counts.size(); ++mask) {
    if (mask & ~all)
      continue;
    for (unsigned part = mask;; part = (part - 1) & mask) {
      int64_t inside = unions[all] - unions[all & ~part];
      counts[mask] += llvm::popcount(mask ^ part) % 2 ? -inside : inside;
      if (part == 0)
        break;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The wave
//===----------------------------------------------------------------------===//

static bool count(llvm::ArrayRef<FieldAccess> accesses,
                  const ThreadBoxes &regions, int64_t elementBytes,
                  Counts &counts) {
  if (accesses.empty())
    return true;
  if (auto uniform = findUniform(accesses)) {
    countUniform(*uniform, regions, elementBytes, counts);
    return true;
  }
  return countUnions(accesses, regions, elementBytes, counts);
}

/// The bytes of the sectors that all regions of \p with and none of \p without
/// touch.
static int64_t bytesSeen(const Counts &counts, unsigned with,
                         unsigned without = 0) {
  int64_t sectors = 0;
  for (unsigned mask = 0; mask < counts.size(); ++mask)
    if ((mask & with) == with && !(mask & without))
      sectors += counts[mask];
  return sectors * SectorBytes;
}

llvm::Expected<WaveVolumes> auspex::countWave(const DataVolumeInput &in,
                                              const DataVolumeLaunch &launch) {
  ThreadBoxes regions = regionsOf(in, launch);
  Counts loads{}, stores{};
  for (const Field &field : in.fields)
    if (!count(field.loads, regions, in.elementBytes, loads) ||
        !count(field.stores, regions, in.elementBytes, stores))
      return makeInputError({}, "the sectors of field '" + field.name +
                                    "' cannot be counted: its subscripts mix "
                                    "thread coordinates, and too many rows "
                                    "overlap without a pattern");
  WaveVolumes wave;
  wave.threads = 1;
  for (const Interval &range : regions.front().range)
    wave.threads *= range.high - range.low + 1;
  wave.loadInBytes = bytesSeen(loads, Current);
  wave.storeInBytes = bytesSeen(stores, Current);
  wave.overlapInBytes = {bytesSeen(loads, Current | BesideX) +
                             bytesSeen(loads, Current | BesideY, BesideX),
                         bytesSeen(loads, Current | BelowZ, BesideX | BesideY)};
  for (const Counts *counts : {&loads, &stores}) {
    wave.oldInBytes[0] +=
        bytesSeen(*counts, BesideX) + bytesSeen(*counts, BesideY);
    wave.oldInBytes[1] += bytesSeen(*counts, BelowZ);
  }
  return wave;
}
