// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Gpuperf.h"

#include <algorithm>

using namespace auspex;

static constexpr double warpSize = 32;

static double warpsPerSM(const GpuperfInput &in) {
  return in.totalWarps / in.activeSMs;
}

/// The computation of an SM at a parallelism of \p itilp, Eq. 3 and 20. One
/// function for both, so that b_itilp is exactly zero at the maximum.
static double parallelWork(const GpuperfInput &in, double itilp) {
  return in.insts * warpsPerSM(in) * in.avgInstLatInCycles / itilp;
}

/// Eq. 10. Special functions overlap with other instructions as long as their
/// share is no larger than the share of their units. Without other instructions
/// there is nothing to overlap with.
static double visibleSfuShare(const GpuperfInput &in) {
  if (in.insts == 0)
    return 1;
  double excess = in.sfuInsts / in.insts - in.sfuWidth / in.simdWidth;
  return std::clamp(excess, 0.0, 1.0);
}

/// Eq. 7 and 8, as printed. Gamma (64) times the DRAM latency is some 28 000
/// cycles a barrier and warp, scaled by the share of memory instructions only:
/// any kernel with barriers comes out enormous.
static double syncOverhead(const GpuperfInput &in, double avgDramLat) {
  if (in.insts == 0)
    return 0;
  double fSync = in.gamma * avgDramLat * in.memInsts / in.insts; // Eq. 8
  return in.syncInsts * warpsPerSM(in) * fSync;                  // Eq. 7
}

/// Eq. 2 to 6, 9, 12 and 13.
static void setComputation(const GpuperfInput &in, GpuperfOutput &out) {
  out.itilpMax = in.avgInstLatInCycles / (warpSize / in.simdWidth); // Eq. 5
  out.itilp = std::min(in.ilp * in.activeWarpsPerSM, out.itilpMax); // Eq. 4
  out.wParallelInCycles = parallelWork(in, out.itilp);              // Eq. 3
  out.avgDramLatInCycles =
      in.dramLatInCycles +
      (in.avgTransPerWarp - 1) * in.departureDelayInCycles; // Eq. 13
  out.amatInCycles =
      out.avgDramLatInCycles * in.missRatio + in.hitLatInCycles; // Eq. 12
  out.oSyncInCycles = syncOverhead(in, out.avgDramLatInCycles);
  out.oSfuInCycles = in.sfuInsts * warpsPerSM(in) * (warpSize / in.sfuWidth) *
                     visibleSfuShare(in); // Eq. 9
  out.wSerialInCycles = out.oSyncInCycles + out.oSfuInCycles +
                        in.controlDivergenceInCycles +
                        in.bankConflictsInCycles;                  // Eq. 6
  out.tCompInCycles = out.wParallelInCycles + out.wSerialInCycles; // Eq. 2
}

/// Eq. A.1 to A.7.
static void setWarpParallelism(const GpuperfInput &in, GpuperfOutput &out) {
  double bwPerWarp =
      in.freqInGHz * in.transactionSizeInBytes / out.avgDramLatInCycles; // A.7
  out.mwpPeakBw = in.memBandwidthInGBps / (bwPerWarp * in.activeSMs);    // A.6
  out.mwp = std::min({out.avgDramLatInCycles / in.departureDelayInCycles,
                      out.mwpPeakBw, in.activeWarpsPerSM});         // A.5
  double compCycles = in.insts * in.avgInstLatInCycles / out.itilp; // A.3
  double memCycles = in.memInsts * out.amatInCycles / in.mlp;       // A.4
  if (compCycles > 0)
    out.cwp = std::min((memCycles + compCycles) / compCycles,
                       in.activeWarpsPerSM); // A.1, A.2
  else if (memCycles > 0)
    out.cwp = in.activeWarpsPerSM; // the limit of A.2
}

/// Eq. 11 and 14 to 17.
static void setMemory(const GpuperfInput &in, GpuperfOutput &out) {
  if (!out.cwp)
    return; // no instruction: nothing to request, nothing to overlap
  out.mwpCp = std::min(std::max(1.0, *out.cwp - 1), out.mwp); // Eq. 15
  out.itmlp = std::min(in.mlp * *out.mwpCp, out.mwpPeakBw);   // Eq. 14
  out.tMemInCycles =
      in.memInsts * warpsPerSM(in) / *out.itmlp * out.amatInCycles; // Eq. 11
  double zeta = *out.cwp <= out.mwp ? 1 : 0;
  double fOverlap =
      (in.activeWarpsPerSM - zeta) / in.activeWarpsPerSM; // Eq. 17
  out.tOverlapInCycles =
      std::min(out.tCompInCycles * fOverlap, out.tMemInCycles); // Eq. 16
}

/// Eq. 18 to 23.
static void setBenefits(const GpuperfInput &in, GpuperfOutput &out) {
  out.tFpInCycles =
      in.fpInsts * warpsPerSM(in) * in.fpLatInCycles / out.itilp; // Eq. 18
  out.tMemMinInCycles = in.sizeOfDataInTransactions * out.avgDramLatInCycles /
                        out.mwpPeakBw; // Eq. 19
  out.bItilpInCycles =
      out.wParallelInCycles - parallelWork(in, out.itilpMax); // Eq. 20
  out.bSerialInCycles = out.wSerialInCycles;                  // Eq. 21
  // Eq. 22, as printed. T_fp is at the ITILP there is, b_itilp counts up to the
  // maximum: where ITILP is low and most instructions are floating point the
  // two overlap and b_fp is negative.
  out.bFpInCycles = out.tCompInCycles - out.tFpInCycles - out.bItilpInCycles -
                    out.bSerialInCycles;
  out.bMemlpInCycles = std::max(
      out.tMemInCycles - out.tOverlapInCycles - out.tMemMinInCycles, 0.0); // 23
}

GpuperfOutput auspex::evaluateGpuperf(const GpuperfInput &in) {
  GpuperfOutput out;
  setComputation(in, out);
  setWarpParallelism(in, out);
  setMemory(in, out);
  out.tExecInCycles =
      out.tCompInCycles + out.tMemInCycles - out.tOverlapInCycles; // Eq. 1
  setBenefits(in, out);
  out.chart.actual = {out.tMemInCycles, out.tCompInCycles};
  out.chart.overlapped = {out.tMemInCycles - out.tOverlapInCycles,
                          out.tCompInCycles};
  out.chart.ideal = {out.tMemMinInCycles, out.tFpInCycles};
  return out;
}
