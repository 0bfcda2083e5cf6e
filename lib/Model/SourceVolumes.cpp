// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceVolumes.h"

#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace auspex;

std::vector<AccessVolume>
auspex::accessVolumes(const BoundKernel &kernel,
                      llvm::ArrayRef<AccessPlace> places) {
  std::vector<AccessVolume> volumes;
  for (const AccessPlace &place : places) {
    const Access &access = *place.access;
    volumes.push_back({place.location, access.kind, access.space,
                       access.operation, access.bytesPerLane, access.base,
                       argumentName(*kernel.summary, access.base),
                       place.isKnown, place.counts});
  }
  return volumes;
}

std::vector<LineVolume> auspex::lineVolumes(const BoundKernel &kernel) {
  std::map<std::pair<llvm::StringRef, unsigned>, InstructionMix> lines;
  double warps = std::max(1.0, kernel.warps());
  for (auto [block, runs] : llvm::zip(kernel.summary->blocks, kernel.blocks)) {
    if (runs.warpExecutions == 0)
      continue;
    for (auto [code, times] :
         llvm::zip(block.code, codeExecutions(block, runs)))
      for (const LineCode &line : code.lines)
        if (times > 0)
          lines[{line.location.file, line.location.line}].add(line.mix,
                                                              times / warps);
  }
  std::vector<LineVolume> volumes;
  for (const auto &[place, mix] : lines)
    volumes.push_back({{place.first.str(), place.second, 0, {}}, mix});
  return volumes;
}

std::vector<LoopVolume> auspex::loopVolumes(const BoundKernel &kernel) {
  const KernelSummary &summary = *kernel.summary;
  std::vector<LoopVolume> volumes(summary.loops.size());
  for (auto [loop, volume] : llvm::zip(summary.loops, volumes))
    volume.location = loop.location.outsideSystemHeaders();
  // The body runs as often as the block in it that runs most.
  for (auto [block, runs] : llvm::zip(summary.blocks, kernel.blocks)) {
    if (block.loop < 0)
      continue;
    LoopVolume &volume = volumes[block.loop];
    volume.iterations = std::max(volume.iterations, runs.warpExecutions);
    if (!block.code.empty())
      volume.unroll = std::max(volume.unroll, block.code.front().unroll);
  }
  for (LoopVolume &volume : volumes)
    volume.iterations /= std::max(1.0, kernel.warps());
  llvm::erase_if(
      volumes, [](const LoopVolume &volume) { return volume.iterations == 0; });
  return volumes;
}
