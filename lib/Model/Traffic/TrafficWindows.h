// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The blocks and iterations of a launch that stand for all when its traffic is
/// counted.
#ifndef AUSPEX_LIB_MODEL_TRAFFIC_TRAFFICWINDOWS_H
#define AUSPEX_LIB_MODEL_TRAFFIC_TRAFFICWINDOWS_H

#include "WindowFootprints.h"

namespace auspex {

/// The blocks that have something to do: those that all accesses run in, or
/// most of them, the frequent ones first. Which part of a grid that is guards
/// say.
BlockBox activeBlocks(const BoundKernel &kernel);

/// Blocks in the middle of the \p active ones, as many as have different
/// positions within a line, within reason.
std::vector<BlockBox> sampleBlocks(const BoundKernel &kernel,
                                   const BlockBox &active);

/// Consecutive blocks.
struct Wave {
  int64_t first = 0, blocks = 0;
  /// From the first to the last block of the launch that has something to do.
  int64_t blocksOfLaunch = 0;
};

/// A wave in the middle of the middle plane of the \p active blocks, away from
/// their ends, and not the first one.
Wave middleWave(const BoundKernel &kernel, const GPU &gpu,
                const BlockBox &active);

struct NamedWindow {
  std::string name;
  Iterations iterations;
  unsigned accesses = 0;
  /// What it has twice, a later iteration uses again, or a later loop; else
  /// warps do that are side by side.
  bool isInTurns = false;
};

/// Windows of \p whole, a block or a wave, from small to large, up to all
/// accesses in all iterations.
std::vector<NamedWindow> windowsOf(llvm::StringRef whole,
                                   const WindowFootprints &footprints);

} // namespace auspex

#endif
