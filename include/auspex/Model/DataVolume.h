// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The data-volume model: how many bytes a kernel moves through L1, from and to
/// L2 and from and to DRAM for each lattice update, from the addresses of its
/// accesses alone, and the rate that the slowest of the three allows. L1 and L2
/// are credited with the reuse inside a block and between the blocks that run
/// at the same time (a wave), as far as their capacity goes.
///
/// Source: D. Ernst, M. Holzer, G. Hager, M. Knorr, G. Wellein, "Analytical
/// performance estimation during code generation on modern GPUs", 2022; the
/// reference values are of the authors' estimator, which is followed where the
/// paper leaves something open. Section numbers below are of
/// docs/models/data-volume.md, which states the equations. All counts are
/// exact. Their time depends on the accesses and the block, not on the domain.
#ifndef AUSPEX_MODEL_DATAVOLUME_H
#define AUSPEX_MODEL_DATAVOLUME_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// What the model knows of a GPU.
struct DataVolumeHardware {
  unsigned smCount = 1;
  double clockInGHz = 1;
  double l1SizeInKiB = 1; ///< of one SM
  double l2SizeInKiB = 1; ///< what one SM can use of it
  double l2BandwidthInGBps = 1;
  double dramBandwidthInGBps = 1;
};

/// constant + factor . thread, where thread is the global coordinate: tidx,
/// tidy, tidz.
struct ThreadIndex {
  int64_t constant = 0;
  std::array<int64_t, 3> factor{};

  bool operator==(const ThreadIndex &) const = default;
};

/// The subscripts of an access, in elements; x runs fastest.
using FieldAccess = std::array<ThreadIndex, 3>;

/// An array and its accesses. The address of the element [x, y, z] is
/// alignment + x + y * extents[0] + z * extents[0] * extents[1] elements.
struct Field {
  std::string name;
  std::array<int64_t, 3> extents{1, 1, 1};
  int64_t alignment = 0;
  std::vector<FieldAccess> loads, stores;
};

/// The ranges are those readDataVolumeInput accepts; products of them, which it
/// checks too, keep all that is counted in 63 bits.
struct DataVolumeInput {
  DataVolumeHardware hardware;
  std::array<int64_t, 3> domain{1, 1, 1}; ///< lattice cells
  std::array<int64_t, 3> block{1, 1, 1};  ///< threads
  /// Cells a thread updates. The accesses hold the fold; here it divides the
  /// grid and what is said per lattice update.
  std::array<int64_t, 3> fold{1, 1, 1};
  int64_t registers = 32; ///< of a thread
  int64_t elementBytes = 8;
  std::vector<Field> fields;

  int64_t threadsPerBlock() const { return block[0] * block[1] * block[2]; }
  /// Lattice updates of a thread.
  int64_t updatesPerThread() const { return fold[0] * fold[1] * fold[2]; }
};

/// Section 1: what runs where.
struct DataVolumeLaunch {
  std::array<int64_t, 3> grid{};
  int64_t blocksPerSM = 0;   ///< 0: the launch fails
  int64_t blocksPerWave = 0; ///< blocks that run at the same time
  std::string failure;       ///< why it fails; empty if it does not
};

/// Sections 2 and 3: means over the first blocks, per block.
struct BlockVolumes {
  double l1Cycles = 0;       ///< of a half warp, over all accesses
  double l1AllocInBytes = 0; ///< distinct lines, 128 B each
  double l1LoadInBytes = 0;  ///< distinct sectors of each warp and load
  double l2LoadInBytes = 0;  ///< distinct sectors of the block
  double l2StoreInBytes = 0; ///< distinct sectors of each warp and store
};

/// Section 4: the distinct sectors of a wave, of the blocks before it, and of
/// both.
struct WaveVolumes {
  int64_t threads = 0;
  int64_t loadInBytes = 0, storeInBytes = 0;
  /// Loads that earlier blocks of the same rows and planes (0) or of the plane
  /// of blocks before (1) have loaded.
  std::array<int64_t, 2> overlapInBytes{};
  /// What has to stay in L2 for that.
  std::array<int64_t, 2> oldInBytes{};
};

/// Sections 3 to 5: bytes per lattice update, and rates.
struct DataVolumePrediction {
  BlockVolumes block;
  WaveVolumes wave;
  double l1Cycles = 0;
  double l1Alloc = 0, l1Load = 0;
  double l2LoadDistinct = 0; ///< if L1 kept everything that a block loads
  double l2LoadEvicted = 0;  ///< what it loses and loads again
  double l2Load = 0, l2Store = 0;
  double dramLoadDistinct = 0; ///< if L2 kept nothing of earlier waves
  double dramLoadReused = 0;   ///< with what L2 keeps
  double dramStoreDistinct = 0;
  double dramStoreEvicted = 0; ///< partly written sectors that L2 loses
  double dramLoad = 0, dramStore = 0;
  /// 10^9 lattice updates a second that L1, L2 and DRAM allow.
  std::array<double, 3> rateInGLups{};
  size_t limiter = 0;

  double glups() const { return rateInGLups[limiter]; }
};

struct DataVolumeOutput {
  DataVolumeLaunch launch;
  /// Absent if the launch fails.
  std::optional<DataVolumePrediction> prediction;
};

/// Evaluates the model. An error says which field's sectors could not be
/// counted: subscripts that mix thread coordinates such that millions of rows
/// overlap without a pattern.
llvm::Expected<DataVolumeOutput>
evaluateDataVolume(const DataVolumeInput &input);

/// Parts of it, for tests and for other models. The counts are of a launch that
/// does not fail.
DataVolumeLaunch launchOf(const DataVolumeInput &input);
llvm::Expected<BlockVolumes> countBlock(const DataVolumeInput &input,
                                        const DataVolumeLaunch &launch);
llvm::Expected<WaveVolumes> countWave(const DataVolumeInput &input,
                                      const DataVolumeLaunch &launch);

/// Reads the input from \p document, a mapping with the keys of
/// docs/models/data-volume.md. The hardware comes from \p gpu; without it from
/// the document's device or gpu; \p origins says which number is from where.
/// Errors name file, line and key.
llvm::Expected<DataVolumeInput>
readDataVolumeInput(const Node &document, const GPU *gpu = nullptr,
                    ValueOrigins *origins = nullptr);

/// The values with the keys of docs/models/data-volume.md, in its order.
NamedValues listValues(const DataVolumeInput &input);
NamedValues listValues(const DataVolumeOutput &output);

} // namespace auspex

#endif
