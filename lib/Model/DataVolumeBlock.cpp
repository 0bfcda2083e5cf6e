// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections 2 and 3 of the data-volume model: the L1 cycles of half warps, and
// the lines and sectors of warps and blocks, over the first blocks of a wave.
//
// What a half warp, a warp or a block costs depends on where its first address
// lies within 1024, 32 or 128 bytes; so each position is looked at once, and
// taken times the groups that lie there. Accesses that move alike share both.

#include "DataVolumeAccesses.h"
#include "auspex/Footprint/AddressSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <memory>
#include <numeric>

using namespace auspex;

using Dimension = StridedAccess::Dimension;

namespace {
/// How many members of a group lie at a position.
struct Position {
  int64_t at = 0, count = 0;
};

using Positions = llvm::SmallVector<Position, 32>;
} // namespace

/// The values of the sum of stride * i, each i in [0, count), modulo \p size.
static Positions positionsOf(llvm::ArrayRef<Dimension> dimensions,
                             int64_t size) {
  Positions result{{0, 1}}, next;
  for (auto [stride, count] : dimensions) {
    int64_t step = floorMod(stride, size);
    int64_t period = step ? size / std::gcd(step, size) : 1;
    int64_t distinct = std::min(period, count);
    bool mayMeet = result.size() > 1 && distinct > 1;
    next.clear();
    for (int64_t i = 0; i < distinct; ++i) {
      int64_t times = (count - i - 1) / period + 1;
      for (Position position : result)
        next.push_back(
            {(position.at + i * step) % size, position.count * times});
    }
    if (mayMeet) {
      llvm::sort(next, [](const Position &a, const Position &b) {
        return a.at < b.at;
      });
      size_t kept = 0;
      for (const Position &position : llvm::drop_begin(next))
        if (position.at == next[kept].at)
          next[kept].count += position.count;
        else
          next[++kept] = position;
      next.truncate(kept + 1);
    }
    result.swap(next);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Groups of lanes
//===----------------------------------------------------------------------===//

using Offsets = llvm::SmallVector<int64_t, 32>;

/// Section 2: the cycles of a half warp with sorted addresses. Banks are 8 B
/// wide whatever the element; an element counts where it begins.
static int64_t halfWarpCycles(llvm::ArrayRef<int64_t> offsets, int64_t at) {
  std::array<uint8_t, 16> words{};
  int64_t windows = 0, lastWord = INT64_MIN, lastWindow = INT64_MIN;
  for (int64_t offset : offsets) {
    int64_t word = (at + offset) >> 3, window = (at + offset) >> 10;
    words[word & 15] += word != lastWord;
    windows += window != lastWindow;
    lastWord = word;
    lastWindow = window;
  }
  return std::max<int64_t>(windows, *llvm::max_element(words));
}

static int64_t sectorsOf(llvm::ArrayRef<int64_t> offsets, int64_t at) {
  int64_t sectors = 0, last = INT64_MIN;
  for (int64_t offset : offsets) {
    int64_t sector = (at + offset) >> 5;
    sectors += sector != last;
    last = sector;
  }
  return sectors;
}

namespace {
/// The groups of lanes of the first blocks, for accesses that move alike.
class Groups {
public:
  /// What a group costs whose first address is at a position.
  using Cost = int64_t (*)(llvm::ArrayRef<int64_t> offsets, int64_t at);

  /// \p lanes threads a group, a box of them; \p threads are those of the first
  /// blocks. \p period is what positions are taken modulo.
  Groups(const std::array<int64_t, 3> &factor, int64_t lanes,
         const std::array<int64_t, 3> &block,
         const std::array<int64_t, 3> &threads, Cost cost, int64_t period)
      : factor(factor), cost(cost), period(period), known(period, -1) {
    std::array<int64_t, 3> box{
        std::min(lanes, block[0]),
        std::min(block[1], std::max<int64_t>(1, lanes / block[0])),
        std::min(block[2], std::max<int64_t>(1, lanes / block[0] / block[1]))};
    for (int64_t z = 0; z < box[2]; ++z)
      for (int64_t y = 0; y < box[1]; ++y)
        for (int64_t x = 0; x < box[0]; ++x)
          offsets.push_back(x * factor[0] + y * factor[1] + z * factor[2]);
    if (!llvm::is_sorted(offsets)) // rarely: a store of a transposition
      llvm::sort(offsets, std::less<>());
    llvm::SmallVector<Dimension, 3> steps;
    for (size_t i = 0; i < 3; ++i) {
      steps.push_back({factor[i] * box[i], threads[i] / box[i]});
      groups *= threads[i] / box[i];
    }
    positions = positionsOf(steps, period);
  }

  bool moveLike(const std::array<int64_t, 3> &other) const {
    return factor == other;
  }

  int64_t count() const { return groups; }

  /// Of all groups of an access whose first address is \p base.
  int64_t totalCost(int64_t base) {
    int64_t total = 0, start = floorMod(base, period);
    for (const Position &position : positions) {
      int64_t at = (start + position.at) % period;
      int8_t &value = known[at];
      if (value < 0)
        value = static_cast<int8_t>(cost(offsets, at));
      total += value * position.count;
    }
    return total;
  }

private:
  std::array<int64_t, 3> factor;
  Cost cost;
  int64_t period;
  int64_t groups = 1;
  Offsets offsets;
  Positions positions;
  llvm::SmallVector<int8_t, 1024> known;
};

/// One Groups for each way in which accesses move.
class GroupCosts {
public:
  using Make = llvm::function_ref<Groups(const std::array<int64_t, 3> &)>;

  Groups &get(const std::array<int64_t, 3> &factor, Make make) {
    for (auto &entry : all)
      if (entry->moveLike(factor))
        return *entry;
    all.push_back(std::make_unique<Groups>(make(factor)));
    return *all.back();
  }

private:
  llvm::SmallVector<std::unique_ptr<Groups>, 4> all;
};
} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What one block of threads touches: the block at the origin.
static AddressSet addressesOf(const Field &field,
                              llvm::ArrayRef<ThreadIndex> addresses,
                              const DataVolumeInput &in) {
  AddressSet set;
  auto uniform = findUniform(field.loads);
  if (!uniform) {
    for (const ThreadIndex &address : addresses) {
      StridedAccess &access = set.emplace_back();
      access.first = address.constant;
      for (size_t i = 0; i < 3; ++i)
        access.dimensions.push_back({address.factor[i], in.block[i]});
    }
    return set;
  }
  std::array<Interval, 3> block;
  for (size_t i = 0; i < 3; ++i)
    block[i] = {0, in.block[i] - 1};
  std::array<int64_t, 3> pitch{
      in.elementBytes, in.elementBytes * field.extents[0],
      in.elementBytes * field.extents[0] * field.extents[1]};
  for (const OffsetBox &offsets : uniform->boxes) {
    StridedAccess &access = set.emplace_back();
    access.first = field.alignment * in.elementBytes;
    for (size_t i = 0; i < 3; ++i) {
      const FieldAxis &axis = uniform->axes[i];
      Interval range = axis.rangeOf(block);
      int64_t low = range.low + offsets.index[i].low;
      int64_t high = range.high + offsets.index[i].high;
      access.first += (axis.step * low + offsets.residue[i]) * pitch[i];
      access.dimensions.push_back({axis.step * pitch[i], high - low + 1});
    }
  }
  return set;
}

namespace {
/// The distinct units that the loads of a field touch, summed over the first
/// blocks.
class BlockUnits {
public:
  BlockUnits(const Field &field, llvm::ArrayRef<ThreadIndex> addresses,
             const DataVolumeInput &in, const std::array<int64_t, 3> &sampled)
      : field(field), addresses(addresses), in(in), sampled(sampled) {}

  /// None if they could not be counted.
  std::optional<int64_t> count(int64_t unit) {
    bool moveAlike = llvm::all_of(addresses, [&](const ThreadIndex &address) {
      return address.factor == addresses.front().factor;
    });
    return moveAlike ? countByPosition(unit) : countEach(unit);
  }

private:
  const Field &field;
  llvm::ArrayRef<ThreadIndex> addresses;
  const DataVolumeInput &in;
  const std::array<int64_t, 3> &sampled;
  /// No unit lies in gaps that this fills; whatever the larger unit and
  /// wherever the set is moved.
  std::optional<AddressSet> origin;

  std::optional<int64_t> countByPosition(int64_t unit) {
    if (!origin)
      origin = simplify(addressesOf(field, addresses, in), SectorBytes);
    if (!origin)
      return std::nullopt;
    llvm::SmallVector<Dimension, 3> steps;
    for (size_t i = 0; i < 3; ++i)
      steps.push_back({addresses.front().factor[i] * in.block[i], sampled[i]});
    int64_t total = 0;
    for (const Position &position : positionsOf(steps, unit)) {
      AddressSet moved = *origin;
      for (StridedAccess &access : moved)
        access.first += position.at;
      std::optional<int64_t> units = countUnits(moved, unit);
      if (!units)
        return std::nullopt;
      total += *units * position.count;
    }
    return total;
  }

  std::optional<int64_t> countEach(int64_t unit) const {
    int64_t total = 0;
    for (int64_t z = 0; z < sampled[2]; ++z)
      for (int64_t y = 0; y < sampled[1]; ++y)
        for (int64_t x = 0; x < sampled[0]; ++x) {
          std::optional<int64_t> units = countAt({x, y, z}, unit);
          if (!units)
            return std::nullopt;
          total += *units;
        }
    return total;
  }

  std::optional<int64_t> countAt(const std::array<int64_t, 3> &block,
                                 int64_t unit) const {
    AddressSet set;
    for (const ThreadIndex &address : addresses) {
      StridedAccess &access = set.emplace_back();
      access.first = address.constant;
      for (size_t i = 0; i < 3; ++i) {
        access.first += address.factor[i] * in.block[i] * block[i];
        access.dimensions.push_back({address.factor[i], in.block[i]});
      }
    }
    return countUnits(set, unit);
  }
};
} // namespace

/// The blocks that stand for all: at most four along each dimension of a wave,
/// which takes the blocks in the order of their numbers.
static std::array<int64_t, 3> sampledBlocks(const DataVolumeLaunch &launch) {
  auto [gx, gy, gz] = launch.grid;
  int64_t n = launch.blocksPerWave;
  std::array<int64_t, 3> wave{std::min(gx, n),
                              std::min(gy, std::max<int64_t>(1, n / gx)),
                              std::min(gz, std::max<int64_t>(1, n / gx / gy))};
  for (int64_t &blocks : wave)
    blocks = std::min<int64_t>(blocks, 4);
  return wave;
}

namespace {
/// Sums over the first blocks.
class BlockCounter {
public:
  BlockCounter(const DataVolumeInput &in, const DataVolumeLaunch &launch)
      : in(in), sampled(sampledBlocks(launch)) {
    for (size_t i = 0; i < 3; ++i)
      threads[i] = sampled[i] * in.block[i];
  }

  llvm::Expected<BlockVolumes> run() {
    for (const Field &field : in.fields)
      if (!add(field))
        return makeInputError({}, "the sectors of field '" + field.name +
                                      "' cannot be counted: they are too far "
                                      "apart, or overlap without a pattern");
    auto blocks = static_cast<double>(sampled[0] * sampled[1] * sampled[2]);
    BlockVolumes result;
    result.l1Cycles = cycles;
    result.l1AllocInBytes = static_cast<double>(lines * LineBytes) / blocks;
    result.l1LoadInBytes =
        static_cast<double>(warpLoadSectors * SectorBytes) / blocks;
    result.l2LoadInBytes =
        static_cast<double>(blockSectors * SectorBytes) / blocks;
    result.l2StoreInBytes =
        static_cast<double>(warpStoreSectors * SectorBytes) / blocks;
    // The estimator lets a kernel without stores write one byte a block.
    if (llvm::all_of(in.fields,
                     [](const Field &field) { return field.stores.empty(); }))
      result.l2StoreInBytes = 1;
    return result;
  }

private:
  const DataVolumeInput &in;
  std::array<int64_t, 3> sampled, threads{};
  GroupCosts halfWarps, warps;
  double cycles = 0;
  int64_t lines = 0, blockSectors = 0;
  int64_t warpLoadSectors = 0, warpStoreSectors = 0;

  bool add(const Field &field) {
    llvm::SmallVector<ThreadIndex, 32> loads;
    for (const FieldAccess &access : field.loads) {
      loads.push_back(addressOf(access, field, in.elementBytes));
      addCycles(loads.back());
      warpLoadSectors += sectorsOfWarps(loads.back());
    }
    for (const FieldAccess &access : field.stores) {
      ThreadIndex address = addressOf(access, field, in.elementBytes);
      addCycles(address);
      warpStoreSectors += sectorsOfWarps(address);
    }
    if (loads.empty())
      return true;
    BlockUnits units(field, loads, in, sampled);
    std::optional<int64_t> ofLines = units.count(LineBytes);
    std::optional<int64_t> ofSectors = units.count(SectorBytes);
    if (!ofLines || !ofSectors)
      return false;
    lines += *ofLines;
    blockSectors += *ofSectors;
    return true;
  }

  void addCycles(const ThreadIndex &address) {
    Groups &groups =
        halfWarps.get(address.factor, [&](const std::array<int64_t, 3> &f) {
          return Groups(f, 16, in.block, threads, halfWarpCycles, 1024);
        });
    cycles += static_cast<double>(groups.totalCost(address.constant)) /
              static_cast<double>(groups.count());
  }

  int64_t sectorsOfWarps(const ThreadIndex &address) {
    return warps
        .get(address.factor,
             [&](const std::array<int64_t, 3> &f) {
               return Groups(f, 32, in.block, threads, ::sectorsOf,
                             SectorBytes);
             })
        .totalCost(address.constant);
  }
};
} // namespace

llvm::Expected<BlockVolumes>
auspex::countBlock(const DataVolumeInput &in, const DataVolumeLaunch &launch) {
  return BlockCounter(in, launch).run();
}
