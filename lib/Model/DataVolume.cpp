// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equations of the data-volume model; what is counted for them is in
// DataVolumeBlock.cpp and DataVolumeWave.cpp.

#include "auspex/Model/DataVolume.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

DataVolumeLaunch auspex::launchOf(const DataVolumeInput &in) {
  DataVolumeLaunch launch;
  for (size_t i = 0; i < 3; ++i)
    launch.grid[i] = (in.domain[i] - 1) / (in.block[i] * in.fold[i]) + 1;
  // Registers are handed out by eights. Shared memory and whole warps do not
  // count in this model.
  constexpr int64_t RegistersPerSM = 65536, MaxBlocksPerSM = 32;
  int64_t registers = (std::max<int64_t>(in.registers, 32) + 7) / 8 * 8;
  launch.blocksPerSM = std::min(
      MaxBlocksPerSM, RegistersPerSM / (in.threadsPerBlock() * registers));
  if (launch.blocksPerSM == 0)
    launch.failure =
        llvm::formatv("{0} threads of {1} registers need {2} "
                      "registers; an SM has {3}",
                      in.threadsPerBlock(), registers,
                      in.threadsPerBlock() * registers, RegistersPerSM);
  launch.blocksPerWave = launch.blocksPerSM * in.hardware.smCount;
  return launch;
}

namespace {
/// The equations of sections 3 to 5, each of them fills its members.
class Equations {
public:
  Equations(const DataVolumeInput &in, const DataVolumeLaunch &launch,
            DataVolumePrediction &out)
      : in(in), launch(launch), out(out) {}

  void run() {
    setL1();
    setL2();
    setDram();
    setRate();
  }

private:
  const DataVolumeInput &in;
  const DataVolumeLaunch &launch;
  DataVolumePrediction &out;

  double perUpdateOfBlock(double bytes) const {
    return bytes /
           static_cast<double>(in.threadsPerBlock() * in.updatesPerThread());
  }

  double perUpdateOfWave(int64_t bytes) const {
    return static_cast<double>(bytes) /
           (static_cast<double>(out.wave.threads) *
            static_cast<double>(in.updatesPerThread()));
  }

  void setL1() {
    // A half warp each, two of them a warp.
    out.l1Cycles =
        2 * out.block.l1Cycles / static_cast<double>(in.updatesPerThread());
    out.l1Alloc = perUpdateOfBlock(out.block.l1AllocInBytes);
    out.l1Load = perUpdateOfBlock(out.block.l1LoadInBytes);
  }

  /// What L1 loses of the lines of the blocks that share it.
  void setL2() {
    double occupied = out.block.l1AllocInBytes *
                      static_cast<double>(launch.blocksPerSM) /
                      (in.hardware.l1SizeInKiB * 1024);
    double lost = 0.73 * std::exp(-4.6 * std::exp(-0.34 * occupied));
    out.l2LoadDistinct = perUpdateOfBlock(out.block.l2LoadInBytes);
    out.l2LoadEvicted = (out.l1Load - out.l2LoadDistinct) * lost;
    out.l2Load = out.l2LoadDistinct + out.l2LoadEvicted;
    out.l2Store = perUpdateOfBlock(out.block.l2StoreInBytes);
  }

  double l2SizeInBytes() const { return in.hardware.l2SizeInKiB * 1024; }

  /// How much of L2 something old takes.
  double oldShare(int64_t bytes) const {
    if (bytes == 0)
      return 0.1;
    return std::clamp(static_cast<double>(bytes) / l2SizeInBytes(), 0.01, 10.0);
  }

  void setDram() {
    const WaveVolumes &wave = out.wave;
    out.dramLoadDistinct = perUpdateOfWave(wave.loadInBytes);
    out.dramStoreDistinct = perUpdateOfWave(wave.storeInBytes);
    double hit0 = std::exp(
        -0.078 * std::exp(1.03 * (oldShare(wave.oldInBytes[0]) - 0.2)));
    double hit1 =
        std::exp(-0.0036 * std::exp(3.97 * oldShare(wave.oldInBytes[1])));
    out.dramLoadReused = out.dramLoadDistinct -
                         perUpdateOfWave(wave.overlapInBytes[0]) * hit0 -
                         perUpdateOfWave(wave.overlapInBytes[1]) * hit1;
    double volume = static_cast<double>(wave.loadInBytes) +
                    static_cast<double>(wave.storeInBytes);
    double lost =
        1 - std::exp(-0.044 * std::exp(0.61 * volume / l2SizeInBytes()));
    out.dramStoreEvicted =
        std::max(0.0, out.l2Store - out.dramStoreDistinct) * lost;
    out.dramLoad = out.dramLoadReused + out.dramStoreEvicted;
    out.dramStore = out.dramStoreDistinct + out.dramStoreEvicted;
  }

  void setRate() {
    const DataVolumeHardware &hw = in.hardware;
    out.rateInGLups = {hw.smCount * hw.clockInGHz * 32 / out.l1Cycles,
                       hw.l2BandwidthInGBps / (out.l2Load + out.l2Store),
                       hw.dramBandwidthInGBps / (out.dramLoad + out.dramStore)};
    out.limiter =
        std::min_element(out.rateInGLups.begin(), out.rateInGLups.end()) -
        out.rateInGLups.begin();
  }
};
} // namespace

llvm::Expected<DataVolumeOutput>
auspex::evaluateDataVolume(const DataVolumeInput &in) {
  DataVolumeOutput out;
  out.launch = launchOf(in);
  if (out.launch.blocksPerSM == 0)
    return out;
  llvm::Expected<BlockVolumes> block = countBlock(in, out.launch);
  if (!block)
    return block.takeError();
  llvm::Expected<WaveVolumes> wave = countWave(in, out.launch);
  if (!wave)
    return wave.takeError();
  out.prediction.emplace();
  out.prediction->block = *block;
  out.prediction->wave = *wave;
  Equations(in, out.launch, *out.prediction).run();
  return out;
}
