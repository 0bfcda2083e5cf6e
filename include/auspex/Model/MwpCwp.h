// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The MWP-CWP model: how many warps wait for memory together (memory warp
/// parallelism) and how many compute while one waits (computation warp
/// parallelism), and from the two the cycles of a kernel on one SM.
///
/// Source: S. Hong, H. Kim, "An analytical model for a GPU architecture with
/// memory-level and thread-level parallelism awareness", ISCA 2009. Equation
/// numbers are the paper's. Counts are per thread, which is per instruction of
/// a warp; cycles are SM cycles. What the paper leaves open, and what is
/// decided here, is in docs/models/mwp-cwp.md.
#ifndef AUSPEX_MODEL_MWPCWP_H
#define AUSPEX_MODEL_MWPCWP_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// The parameters of Table 1. The ranges are those readMwpCwpInput accepts.
struct MwpCwpInput {
  // The launch.
  unsigned threadsPerBlock = 1; ///< 1 to 1024
  uint64_t blocks = 1;          ///< at least 1
  unsigned activeBlocksPerSM = 1;
  unsigned activeSMs = 1;

  // The kernel.
  double compInsts = 0;        ///< not memory; shared memory counts here
  double coalMemInsts = 0;     ///< global memory, one transaction a warp
  double uncoalMemInsts = 0;   ///< global memory, uncoalPerMw transactions
  double synchInsts = 0;       ///< barriers
  double uncoalPerMw = 1;      ///< transactions of an uncoalesced warp access
  double loadBytesPerWarp = 1; ///< bytes of one memory instruction of a warp

  // The hardware.
  double issueCycles = 1; ///< to issue one instruction of a warp
  double memLdInCycles = 1;
  double departureDelUncoalInCycles = 1;
  double departureDelCoalInCycles = 1;
  double freqInGHz = 1; ///< SM clock
  double memBandwidthInGBps = 1;
};

/// Which of the paper's cases the kernel is: what its time is made of.
enum class MwpCwpCase { NotEnoughWarps, MemoryBound, ComputeBound };

/// "not-enough-warps", "memory-bound" or "compute-bound".
llvm::StringRef toString(MwpCwpCase kind);

/// All intermediate results. Without memory instructions the quantities of a
/// memory access are absent; without any instruction, those of computation too.
struct MwpCwpOutput {
  std::optional<double> memLInCycles;           ///< Eq. 12
  std::optional<double> departureDelayInCycles; ///< Eq. 15
  std::optional<double> mwpWithoutBwFull;       ///< Eq. 16
  std::optional<double> mwpPeakBw;              ///< Eq. 6
  std::optional<double> mwp;                    ///< Eq. 5
  std::optional<double> cwpFull;                ///< Eq. 8
  std::optional<double> cwp;                    ///< Eq. 9
  double rep = 0;                               ///< Eq. 21
  double compCycles = 0;                        ///< Eq. 19, of one warp
  double memCycles = 0;                         ///< Eq. 18, of one warp
  MwpCwpCase kind = MwpCwpCase::ComputeBound;
  double execCyclesApp = 0;  ///< Eq. 22 to 24
  double synchCost = 0;      ///< Eq. 26, cycles
  double execCycles = 0;     ///< Eq. 27
  std::optional<double> cpi; ///< Eq. 25, of execCyclesApp
};

/// Evaluates the model. Every number is finite and none is negative for any
/// input in the ranges that readMwpCwpInput accepts.
MwpCwpOutput evaluateMwpCwp(const MwpCwpInput &input);

/// Reads the input from \p document, a mapping with the keys of
/// docs/models/mwp-cwp.md. With \p gpu the hardware may be left out and comes
/// from there; \p origins then says which number is from where. Errors name
/// file, line and key: a key that is missing or unknown, a value of the wrong
/// type or out of range.
llvm::Expected<MwpCwpInput> readMwpCwpInput(const Node &document,
                                            const GPU *gpu = nullptr,
                                            ValueOrigins *origins = nullptr);

/// Fills what describes the hardware from \p gpu, by the same rules; what the
/// kernel and the launch say has to be there. An error names what the
/// description lacks.
llvm::Error supplyHardware(MwpCwpInput &input, const GPU &gpu);

/// The values with the keys of docs/models/mwp-cwp.md, in its order.
NamedValues listValues(const MwpCwpInput &input);
NamedValues listValues(const MwpCwpOutput &output);

} // namespace auspex

#endif
