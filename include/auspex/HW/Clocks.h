// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same GPU at other clocks: application clocks, power limits, DVFS.
#ifndef AUSPEX_HW_CLOCKS_H
#define AUSPEX_HW_CLOCKS_H

#include "auspex/HW/GPU.h"

namespace auspex {

/// Clocks as nvidia-smi states them; what is absent stays as described.
struct Clocks {
  std::optional<double> coreInMHz, memoryInMHz;

  bool operator==(const Clocks &) const = default;
};

/// \p gpu at other clocks.
///
/// The core clock is that of the SMs and of L2: what is counted in cycles stays
/// so, and the bandwidth of L2, in GB/s, grows with it. Bandwidths of DRAM grow
/// with the memory clock. The latency of DRAM has two parts: up to L2
/// (latency_l2) in core cycles; and behind it in nanoseconds, which neither
/// clock changes: DRAM's timings are set in nanoseconds. Parameters of the
/// published models that stand for DRAM go the same ways; a delay between
/// transactions is a bandwidth. Overheads in microseconds stay.
///
/// An error for a clock out of range, and for a memory clock of a GPU without
/// dram_clock.
llvm::Expected<GPU> atClocks(const GPU &gpu, const Clocks &clocks);

} // namespace auspex

#endif
