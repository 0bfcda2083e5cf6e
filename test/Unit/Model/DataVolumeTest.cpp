// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/DataVolume.h"

#include "auspex/Expr/Expr.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <set>
#include <tuple>

using namespace auspex;

namespace {

using Triple = std::array<int64_t, 3>;

//===----------------------------------------------------------------------===//
// Every thread of its own
//===----------------------------------------------------------------------===//

int64_t valueOf(const ThreadIndex &index, const Triple &thread) {
  return index.constant + index.factor[0] * thread[0] +
         index.factor[1] * thread[1] + index.factor[2] * thread[2];
}

/// Calls \p visit for every point of [low, high).
template <typename Visit>
void forEach(const Triple &low, const Triple &high, Visit visit) {
  for (int64_t z = low[2]; z < high[2]; ++z)
    for (int64_t y = low[1]; y < high[1]; ++y)
      for (int64_t x = low[0]; x < high[0]; ++x)
        visit(Triple{x, y, z});
}

Triple times(const Triple &a, const Triple &b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}
Triple plus(const Triple &a, const Triple &b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// The model's counts from their definitions.
class BruteForce {
public:
  BruteForce(const DataVolumeInput &in, const DataVolumeLaunch &launch)
      : in(in), launch(launch) {}

  BlockVolumes block() {
    BlockVolumes result;
    Triple sampled = sampledBlocks();
    bool stores = false;
    for (const Field &field : in.fields) {
      stores |= !field.stores.empty();
      for (const auto *accesses : {&field.loads, &field.stores})
        for (const FieldAccess &access : *accesses)
          result.l1Cycles += meanCycles(access, field, sampled);
      for (const FieldAccess &access : field.loads)
        result.l1LoadInBytes += warpSectors(access, field, sampled) * 32;
      for (const FieldAccess &access : field.stores)
        result.l2StoreInBytes += warpSectors(access, field, sampled) * 32;
      result.l1AllocInBytes += blockUnits(field, sampled, 128) * 128;
      result.l2LoadInBytes += blockUnits(field, sampled, 32) * 32;
    }
    auto blocks = static_cast<double>(sampled[0] * sampled[1] * sampled[2]);
    for (double *sum : {&result.l1LoadInBytes, &result.l2StoreInBytes,
                        &result.l1AllocInBytes, &result.l2LoadInBytes})
      *sum /= blocks;
    if (!stores)
      result.l2StoreInBytes = 1;
    return result;
  }

  WaveVolumes wave() {
    auto [gx, gy, gz] = launch.grid;
    auto n = static_cast<double>(launch.blocksPerWave);
    auto w = static_cast<double>(in.domain[0]);
    auto h = static_cast<double>(in.domain[1]);
    auto bx = static_cast<double>(in.block[0]);
    auto by = static_cast<double>(in.block[1]);
    int64_t wx = std::min(gx, launch.blocksPerWave);
    auto wy = std::min(gy, static_cast<int64_t>(std::ceil(n / (w / bx))));
    auto wz =
        std::min(gz, static_cast<int64_t>(std::ceil(n / (w * h / (bx * by)))));
    int64_t rest = in.domain[1] - (gy - wy) * in.block[1];
    int64_t shift = gy > 1 && static_cast<double>(rest) / by < 0.1;
    Triple low{gx - wx, gy - wy - shift, gz / 2};
    Triple high{gx, gy - shift, gz / 2 + wz};
    WaveVolumes result;
    result.threads = 0;
    forEachThread(low, high, [&](const Triple &) { ++result.threads; });
    for (const Field &field : in.fields) {
      auto sets = [&](const std::vector<FieldAccess> &accesses) {
        return std::array<Sectors, 4>{
            sectors(accesses, low, high),
            sectors(accesses, {gx - 2 * wx, low[1], low[2]},
                    {gx - wx, high[1], high[2]}),
            sectors(accesses,
                    {0, std::max<int64_t>(0, gy - 2 * wy - shift), low[2]},
                    {gx, low[1], high[2]}),
            sectors(accesses, {0, 0, gz / 2 - 1}, {gx, gy, gz / 2})};
      };
      auto loads = sets(field.loads), stores = sets(field.stores);
      result.loadInBytes += 32 * loads[0].size();
      result.storeInBytes += 32 * stores[0].size();
      for (const auto *old : {&loads, &stores}) {
        result.oldInBytes[0] += 32 * ((*old)[1].size() + (*old)[2].size());
        result.oldInBytes[1] += 32 * (*old)[3].size();
      }
      for (const auto &sector : loads[0])
        if (loads[1].count(sector) || loads[2].count(sector))
          result.overlapInBytes[0] += 32;
        else if (loads[3].count(sector))
          result.overlapInBytes[1] += 32;
    }
    return result;
  }

private:
  const DataVolumeInput &in;
  const DataVolumeLaunch &launch;

  using Sectors = std::set<std::tuple<int64_t, int64_t, int64_t>>;

  int64_t address(const FieldAccess &access, const Field &field,
                  const Triple &thread) const {
    return (field.alignment + valueOf(access[0], thread) +
            valueOf(access[1], thread) * field.extents[0] +
            valueOf(access[2], thread) * field.extents[0] * field.extents[1]) *
           in.elementBytes;
  }

  Triple sampledBlocks() const {
    auto [gx, gy, gz] = launch.grid;
    int64_t n = launch.blocksPerWave;
    return {
        std::min<int64_t>(4, std::min(gx, n)),
        std::min<int64_t>(4, std::min(gy, std::max<int64_t>(1, n / gx))),
        std::min<int64_t>(4, std::min(gz, std::max<int64_t>(1, n / gx / gy)))};
  }

  /// Calls \p visit with the addresses of every group of \p lanes threads;
  /// returns the number of groups.
  template <typename Visit>
  int64_t forEachGroup(const FieldAccess &access, const Field &field,
                       const Triple &sampled, int64_t lanes, Visit visit) {
    Triple box{std::min(lanes, in.block[0]),
               std::min(in.block[1], std::max<int64_t>(1, lanes / in.block[0])),
               std::min(in.block[2], std::max<int64_t>(1, lanes / in.block[0] /
                                                              in.block[1]))};
    Triple groups;
    for (size_t i = 0; i < 3; ++i)
      groups[i] = sampled[i] * in.block[i] / box[i];
    forEach({}, groups, [&](const Triple &group) {
      std::vector<int64_t> addresses;
      Triple first = times(group, box);
      forEach(first, plus(first, box), [&](const Triple &thread) {
        addresses.push_back(address(access, field, thread));
      });
      visit(addresses);
    });
    return groups[0] * groups[1] * groups[2];
  }

  double meanCycles(const FieldAccess &access, const Field &field,
                    const Triple &sampled) {
    int64_t total = 0;
    int64_t groups = forEachGroup(access, field, sampled, 16,
                                  [&](const std::vector<int64_t> &all) {
                                    std::array<std::set<int64_t>, 16> banks;
                                    std::set<int64_t> windows;
                                    for (int64_t at : all) {
                                      int64_t word = floorDiv(at, 8);
                                      banks[floorMod(word, 16)].insert(word);
                                      windows.insert(floorDiv(at, 1024));
                                    }
                                    size_t cycles = windows.size();
                                    for (const auto &bank : banks)
                                      cycles = std::max(cycles, bank.size());
                                    total += static_cast<int64_t>(cycles);
                                  });
    return static_cast<double>(total) / static_cast<double>(groups);
  }

  double warpSectors(const FieldAccess &access, const Field &field,
                     const Triple &sampled) {
    size_t total = 0;
    forEachGroup(access, field, sampled, 32,
                 [&](const std::vector<int64_t> &all) {
                   std::set<int64_t> sectors;
                   for (int64_t at : all)
                     sectors.insert(floorDiv(at, 32));
                   total += sectors.size();
                 });
    return static_cast<double>(total);
  }

  double blockUnits(const Field &field, const Triple &sampled, int64_t unit) {
    size_t total = 0;
    forEach({}, sampled, [&](const Triple &block) {
      std::set<int64_t> units;
      Triple first = times(block, in.block);
      forEach(first, plus(first, in.block), [&](const Triple &thread) {
        for (const FieldAccess &access : field.loads)
          units.insert(floorDiv(address(access, field, thread), unit));
      });
      total += units.size();
    });
    return static_cast<double>(total);
  }

  /// The threads of blocks [low, high) that lie in the domain.
  template <typename Visit>
  void forEachThread(const Triple &low, const Triple &high, Visit visit) {
    forEach(times(low, in.block), times(high, in.block),
            [&](const Triple &thread) {
              for (size_t i = 0; i < 3; ++i)
                if (thread[i] < 0 || thread[i] >= in.domain[i])
                  return;
              visit(thread);
            });
  }

  Sectors sectors(const std::vector<FieldAccess> &accesses, const Triple &low,
                  const Triple &high) {
    Sectors result;
    forEachThread(low, high, [&](const Triple &thread) {
      for (const FieldAccess &access : accesses)
        result.insert(
            {floorDiv(valueOf(access[0], thread) * in.elementBytes, 32),
             valueOf(access[1], thread), valueOf(access[2], thread)});
    });
    return result;
  }
};

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

class RandomInput {
public:
  explicit RandomInput(unsigned seed) : random(seed) {}

  DataVolumeInput next() {
    DataVolumeInput in;
    in.hardware.smCount = pick(1, 3);
    in.block = {choose({1, 2, 3, 4, 8, 16, 20, 32, 48}),
                choose({1, 1, 2, 3, 4}), choose({1, 1, 2})};
    in.fold = {choose({1, 1, 2}), choose({1, 1, 2}), choose({1, 1, 2})};
    in.domain = {pick(1, 100), pick(1, 12), pick(1, 8)};
    // Few blocks an SM, so that waves do not cover the domain.
    in.registers = in.threadsPerBlock() > 256 ? 128 : choose({32, 255, 255});
    in.elementBytes = choose({1, 2, 4, 8, 8, 8, 12, 16, 40});
    in.fields.resize(pick(1, 2));
    for (Field &field : in.fields)
      fill(field, in);
    in.fields[0].loads.push_back(uniform(in.fold));
    return in;
  }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

private:
  std::mt19937 random;

  int64_t choose(std::vector<int64_t> values) {
    return values[pick(0, static_cast<int64_t>(values.size()) - 1)];
  }

  /// A stencil's, mostly; sometimes one that is strided, transposed, mirrored
  /// or mixes coordinates.
  void fill(Field &field, const DataVolumeInput &in) {
    field.extents = {pick(1, 110), pick(1, 14), pick(1, 9)};
    field.alignment = pick(-5, 5);
    FieldAccess pattern = uniform(in.fold);
    if (pick(0, 2) == 0)
      for (ThreadIndex &index : pattern)
        index.factor = factors();
    if (pick(0, 4) == 0)
      std::swap(pattern[0], pattern[1]);
    bool same = pick(0, 3) != 0;
    for (auto *accesses : {&field.loads, &field.stores})
      for (int64_t i = pick(0, 6); i > 0; --i) {
        FieldAccess access = pattern;
        if (!same)
          access[0].factor = factors();
        access[pick(0, 2)].constant = pick(-4, 4);
        accesses->push_back(access);
      }
  }

  static FieldAccess uniform(const Triple &fold) {
    FieldAccess access;
    for (size_t i = 0; i < 3; ++i)
      access[i].factor[i] = fold[i];
    return access;
  }

  Triple factors() {
    Triple result{};
    for (int64_t i = pick(0, 2); i > 0; --i)
      result[pick(0, 2)] = choose({-1, 1, 2, 3, 5, 7, 16, -9});
    return result;
  }
};

TEST(DataVolume, BlocksEqualEnumeration) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    DataVolumeInput in = RandomInput(seed).next();
    DataVolumeLaunch launch = launchOf(in);
    BlockVolumes expected = BruteForce(in, launch).block();
    BlockVolumes actual = llvm::cantFail(countBlock(in, launch));
    EXPECT_DOUBLE_EQ(actual.l1Cycles, expected.l1Cycles);
    EXPECT_EQ(actual.l1AllocInBytes, expected.l1AllocInBytes);
    EXPECT_EQ(actual.l1LoadInBytes, expected.l1LoadInBytes);
    EXPECT_EQ(actual.l2LoadInBytes, expected.l2LoadInBytes);
    EXPECT_EQ(actual.l2StoreInBytes, expected.l2StoreInBytes);
    if (HasFailure())
      break;
  }
}

TEST(DataVolume, WavesEqualEnumeration) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    DataVolumeInput in = RandomInput(seed).next();
    DataVolumeLaunch launch = launchOf(in);
    WaveVolumes expected = BruteForce(in, launch).wave();
    WaveVolumes actual = llvm::cantFail(countWave(in, launch));
    EXPECT_EQ(actual.threads, expected.threads);
    EXPECT_EQ(actual.loadInBytes, expected.loadInBytes);
    EXPECT_EQ(actual.storeInBytes, expected.storeInBytes);
    EXPECT_EQ(actual.overlapInBytes, expected.overlapInBytes);
    EXPECT_EQ(actual.oldInBytes, expected.oldInBytes);
    if (HasFailure())
      break;
  }
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

ThreadIndex move(size_t coordinate, int64_t factor = 1, int64_t constant = 0) {
  ThreadIndex index;
  index.constant = constant;
  index.factor[coordinate] = factor;
  return index;
}

/// B[x] = A[x] of doubles on two SMs.
DataVolumeInput copy() {
  DataVolumeInput in;
  in.hardware = {2, 1, 128, 6144, 100, 10};
  in.domain = {1 << 20, 1, 1};
  in.block = {256, 1, 1};
  in.fields.resize(2);
  in.fields[0].extents = in.fields[1].extents = in.domain;
  in.fields[0].loads = {{move(0), {}, {}}};
  in.fields[1].stores = {{move(0), {}, {}}};
  return in;
}

TEST(DataVolume, Copy) {
  DataVolumeOutput out = llvm::cantFail(evaluateDataVolume(copy()));
  EXPECT_EQ(out.launch.grid, (Triple{4096, 1, 1}));
  EXPECT_EQ(out.launch.blocksPerSM, 8); // 65536 / (256 * 32)
  const DataVolumePrediction &p = *out.prediction;
  // 16 lanes of 8 B: each bank once, one window; two half warps, two accesses.
  EXPECT_EQ(p.l1Cycles, 4);
  EXPECT_EQ(p.block.l1AllocInBytes, 2048);
  EXPECT_EQ(p.l2Load, 8);
  EXPECT_EQ(p.l2Store, 8);
  EXPECT_EQ(p.wave.threads, 16 * 256);
  EXPECT_EQ(p.wave.loadInBytes, 16 * 256 * 8);
  EXPECT_EQ(p.wave.overlapInBytes, (std::array<int64_t, 2>{0, 0}));
  EXPECT_EQ(p.wave.oldInBytes[0], 2 * 16 * 256 * 8); // loads and stores
  EXPECT_EQ(p.dramLoad, 8);
  EXPECT_EQ(p.rateInGLups[0], 2 * 1 * 32 / 4.0);
  EXPECT_EQ(p.rateInGLups[1], 100 / 16.0);
  EXPECT_EQ(p.glups(), 10 / 16.0);
  EXPECT_EQ(p.limiter, 2u);
}

TEST(DataVolume, MisalignedCopyCostsSectorsAndWindows) {
  DataVolumeInput in = copy();
  in.fields[0].alignment = 1;
  BlockVolumes block = llvm::cantFail(countBlock(in, launchOf(in)));
  EXPECT_EQ(block.l1LoadInBytes, 8 * 9 * 32); // 8 warps, 9 sectors each
  EXPECT_EQ(block.l2LoadInBytes, 65 * 32);
  EXPECT_EQ(block.l1AllocInBytes, 17 * 128);
  // One half warp in eight crosses a boundary of 1024 B.
  EXPECT_EQ(block.l1Cycles, 1 + 1 / 8.0 + 1);
}

TEST(DataVolume, StridesConflictInBanks) {
  DataVolumeInput in = copy();
  in.fields[1].stores.clear();
  in.fields[0].loads = {{move(0, 16), {}, {}}};
  BlockVolumes block = llvm::cantFail(countBlock(in, launchOf(in)));
  EXPECT_EQ(block.l1Cycles, 16);
  EXPECT_EQ(block.l2StoreInBytes, 1) << "the estimator's, without stores";
}

TEST(DataVolume, FoldDividesGridAndVolumes) {
  DataVolumeInput in = copy();
  in.fold = {2, 1, 1};
  for (Field &field : in.fields)
    for (auto *accesses : {&field.loads, &field.stores})
      if (!accesses->empty())
        *accesses = {{move(0, 2, 0), {}, {}}, {move(0, 2, 1), {}, {}}};
  DataVolumeOutput out = llvm::cantFail(evaluateDataVolume(in));
  EXPECT_EQ(out.launch.grid[0], 2048);
  EXPECT_EQ(out.prediction->dramLoadReused, 8);
  EXPECT_EQ(out.prediction->dramStore, 8 + out.prediction->dramStoreEvicted);
  // Each warp store touches every sector of its 512 B, twice over.
  EXPECT_EQ(out.prediction->l2Store, 16);
  EXPECT_EQ(out.prediction->l1Cycles, 2 * 4 * 2 / 2.0);
}

TEST(DataVolume, LaunchThatFailsHasNoPrediction) {
  DataVolumeInput in = copy();
  in.block = {1024, 1, 1};
  in.registers = 65; // 72 are given
  DataVolumeOutput out = llvm::cantFail(evaluateDataVolume(in));
  EXPECT_EQ(out.launch.blocksPerSM, 0);
  EXPECT_FALSE(out.prediction);
  EXPECT_EQ(out.launch.failure, "1024 threads of 72 registers need 73728 "
                                "registers; an SM has 65536");
}

TEST(DataVolume, LinearisedSubscriptsEqualThoseOfAField) {
  // A[x + 64 y + 4096 z] as one subscript, in a wave of whole rows.
  DataVolumeInput in = copy();
  in.domain = {64, 64, 64};
  in.block = {64, 4, 1};
  in.fields.resize(1);
  in.fields[0].extents = {64, 64, 64};
  in.fields[0].loads.clear();
  for (size_t axis = 0; axis < 3; ++axis)
    for (int64_t r : {-1, 0, 1}) {
      FieldAccess access{move(0), move(1), move(2)};
      access[axis].constant = 4 * r; // whole sectors
      in.fields[0].loads.push_back(access);
    }
  DataVolumeInput linear = in;
  linear.fields[0].extents = {1 << 18, 1, 1};
  for (FieldAccess &access : linear.fields[0].loads) {
    ThreadIndex index{access[0].constant + 64 * access[1].constant +
                          4096 * access[2].constant,
                      {1, 64, 4096}};
    access = {index, {}, {}};
  }
  BlockVolumes a = llvm::cantFail(countBlock(in, launchOf(in)));
  BlockVolumes b = llvm::cantFail(countBlock(linear, launchOf(linear)));
  EXPECT_EQ(a.l1AllocInBytes, b.l1AllocInBytes);
  EXPECT_EQ(a.l2LoadInBytes, b.l2LoadInBytes);
  EXPECT_EQ(a.l1Cycles, b.l1Cycles);
  // Here a row's halo is its neighbour; in the field's wave it counts apart.
  WaveVolumes wave = llvm::cantFail(countWave(linear, launchOf(linear)));
  EXPECT_LT(wave.loadInBytes,
            llvm::cantFail(countWave(in, launchOf(in))).loadInBytes);
}

} // namespace
