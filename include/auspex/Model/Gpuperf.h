// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The GPUPerf model: MWP-CWP with instruction- and memory-level parallelism,
/// caches, special functions and serialisation; and what a kernel could gain
/// from more of each.
///
/// Source: J. Sim, A. Dasgupta, H. Kim, R. Vuduc, "A performance analysis
/// framework for identifying potential benefits in GPGPU applications", PPoPP
/// 2012. Equation numbers are the paper's; A.n are its appendix. Counts are per
/// warp; times are SM cycles. Eq. 8 is kept as printed, which makes any kernel
/// with barriers enormous: see docs/models/gpuperf.md.
#ifndef AUSPEX_MODEL_GPUPERF_H
#define AUSPEX_MODEL_GPUPERF_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// The parameters of Table 2. The ranges are those readGpuperfInput accepts.
struct GpuperfInput {
  // The kernel. Counts may be fractions: the mean over the warps of a launch.
  double insts = 0;    ///< memory instructions included, SFU instructions not
  double memInsts = 0; ///< global memory
  double syncInsts = 0;
  double sfuInsts = 0;
  double fpInsts = 0;
  double ilp = 1; ///< of one warp
  double mlp = 1; ///< of one warp
  double avgTransPerWarp = 1;
  double missRatio = 0;                 ///< 0 to 1
  double sizeOfDataInTransactions = 0;  ///< DRAM transactions per SM
  double controlDivergenceInCycles = 0; ///< O_CFdiv
  double bankConflictsInCycles = 0;     ///< O_bank

  // The launch.
  double totalWarps = 1;
  unsigned activeSMs = 1;
  double activeWarpsPerSM = 1; ///< N, at least 1

  // The hardware.
  double avgInstLatInCycles = 1;
  double fpLatInCycles = 1;
  double hitLatInCycles = 1;
  double dramLatInCycles = 1;
  double departureDelayInCycles = 1;
  double gamma = 64;     ///< weight of synchronisation, Eq. 8
  double simdWidth = 32; ///< lanes of an SM
  double sfuWidth = 4;   ///< special function units of an SM
  double freqInGHz = 1;  ///< SM clock
  double memBandwidthInGBps = 1;
  double transactionSizeInBytes = 128;
};

/// A point of the benefit chart (Fig. 4): memory cost to the right, computation
/// cost upwards, both in cycles.
struct ChartPoint {
  double memInCycles = 0;
  double compInCycles = 0;
};

/// The benefit chart (Fig. 4). From overlapped, b_memlp leads to the left and
/// b_itilp, b_serial and b_fp lead down to the ideal computation cost.
struct BenefitChart {
  ChartPoint actual;     ///< A: T_mem, T_comp
  ChartPoint overlapped; ///< A': T_mem - T_overlap, T_comp
  ChartPoint ideal;      ///< T_mem_min, T_fp

  /// Whether A is on the memory side of the diagonal.
  bool memoryBound() const { return actual.memInCycles > actual.compInCycles; }
};

/// All intermediate results. Without any instruction the quantities of warps
/// that take turns (CWP and what follows from it) are absent.
struct GpuperfOutput {
  double itilp = 0;              ///< Eq. 4
  double itilpMax = 0;           ///< Eq. 5
  double wParallelInCycles = 0;  ///< Eq. 3
  double avgDramLatInCycles = 0; ///< Eq. 13
  double amatInCycles = 0;       ///< Eq. 12
  double oSyncInCycles = 0;      ///< Eq. 7, 8
  double oSfuInCycles = 0;       ///< Eq. 9, 10
  double wSerialInCycles = 0;    ///< Eq. 6
  double tCompInCycles = 0;      ///< Eq. 2
  double mwp = 0;                ///< Eq. A.5
  double mwpPeakBw = 0;          ///< Eq. A.6
  std::optional<double> cwp;     ///< Eq. A.1
  std::optional<double> mwpCp;   ///< Eq. 15
  std::optional<double> itmlp;   ///< Eq. 14
  double tMemInCycles = 0;       ///< Eq. 11
  double tOverlapInCycles = 0;   ///< Eq. 16, 17
  double tExecInCycles = 0;      ///< Eq. 1
  double tFpInCycles = 0;        ///< Eq. 18
  double tMemMinInCycles = 0;    ///< Eq. 19
  double bItilpInCycles = 0;     ///< Eq. 20
  double bSerialInCycles = 0;    ///< Eq. 21
  double bFpInCycles = 0;        ///< Eq. 22; may be negative
  double bMemlpInCycles = 0;     ///< Eq. 23
  BenefitChart chart;            ///< Fig. 4
};

/// Evaluates the model. Every number is finite and none but b_fp is negative
/// for any input in the ranges that readGpuperfInput accepts.
GpuperfOutput evaluateGpuperf(const GpuperfInput &input);

/// Reads the input from \p document, a mapping with the keys of
/// docs/models/gpuperf.md. With \p gpu the hardware may be left out and comes
/// from there; \p origins then says which number is from where. Errors name
/// file, line and key: a key that is missing or unknown, a value of the wrong
/// type or out of range.
llvm::Expected<GpuperfInput> readGpuperfInput(const Node &document,
                                              const GPU *gpu = nullptr,
                                              ValueOrigins *origins = nullptr);

/// Fills what describes the hardware from \p gpu, by the same rules; what the
/// kernel and the launch say has to be there. An error names what the
/// description lacks.
llvm::Error supplyHardware(GpuperfInput &input, const GPU &gpu);

/// The values with the keys of docs/models/gpuperf.md, in its order.
NamedValues listValues(const GpuperfInput &input);
NamedValues listValues(const GpuperfOutput &output);

} // namespace auspex

#endif
