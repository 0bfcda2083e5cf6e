// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MwpCwp.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

llvm::StringRef auspex::toString(MwpCwpCase kind) {
  switch (kind) {
  case MwpCwpCase::NotEnoughWarps:
    return "not-enough-warps";
  case MwpCwpCase::MemoryBound:
    return "memory-bound";
  case MwpCwpCase::ComputeBound:
    return "compute-bound";
  }
  llvm_unreachable("covered switch");
}

static double warpsPerBlock(const MwpCwpInput &in) {
  return std::ceil(in.threadsPerBlock / 32.0);
}

/// N, Eq. 20.
static double activeWarpsPerSM(const MwpCwpInput &in) {
  return in.activeBlocksPerSM * warpsPerBlock(in);
}

static double memInsts(const MwpCwpInput &in) {
  return in.coalMemInsts + in.uncoalMemInsts;
}

static double totalInsts(const MwpCwpInput &in) {
  return in.compInsts + memInsts(in);
}

/// Eq. 10: the transactions of an uncoalesced access leave one after another.
static double memLUncoal(const MwpCwpInput &in) {
  return in.memLdInCycles +
         (in.uncoalPerMw - 1) * in.departureDelUncoalInCycles;
}

/// Eq. 5 to 7 and 12 to 17. Needs a memory instruction: the weights of Eq. 13
/// and 14 are shares of them.
static void setMemoryParallelism(const MwpCwpInput &in, MwpCwpOutput &out) {
  double weightUncoal = in.uncoalMemInsts / memInsts(in); // Eq. 13
  double weightCoal = in.coalMemInsts / memInsts(in);     // Eq. 14
  double memL = memLUncoal(in) * weightUncoal +
                in.memLdInCycles * weightCoal; // Eq. 11, 12
  double departureDelay =
      in.departureDelUncoalInCycles * in.uncoalPerMw * weightUncoal +
      in.departureDelCoalInCycles * weightCoal;                 // Eq. 15
  double bwPerWarp = in.freqInGHz * in.loadBytesPerWarp / memL; // Eq. 7
  out.memLInCycles = memL;
  out.departureDelayInCycles = departureDelay;
  out.mwpWithoutBwFull = memL / departureDelay;                       // Eq. 16
  out.mwpPeakBw = in.memBandwidthInGBps / (bwPerWarp * in.activeSMs); // Eq. 6
  out.mwp = std::min({*out.mwpWithoutBwFull, *out.mwpPeakBw,
                      activeWarpsPerSM(in)}); // Eq. 5, 17
}

/// Eq. 8, 9, 18, 19, 21.
static void setCycles(const MwpCwpInput &in, MwpCwpOutput &out) {
  out.compCycles = in.issueCycles * totalInsts(in); // Eq. 19
  out.memCycles = memLUncoal(in) * in.uncoalMemInsts +
                  in.memLdInCycles * in.coalMemInsts; // Eq. 11, 18
  if (out.compCycles > 0) {
    out.cwpFull = (out.memCycles + out.compCycles) / out.compCycles; // Eq. 8
    out.cwp = std::min(*out.cwpFull, activeWarpsPerSM(in));          // Eq. 9
  }
  // Eq. 21. A plain ratio: the paper does not round it up, so a last round with
  // few blocks costs less than a full one.
  out.rep = static_cast<double>(in.blocks) /
            (static_cast<double>(in.activeBlocksPerSM) * in.activeSMs);
}

/// The cases are tried in the order of the equations. A kernel that never goes
/// to memory satisfies the condition of Eq. 23 but is not bound by it.
static MwpCwpCase chooseCase(const MwpCwpInput &in, const MwpCwpOutput &out) {
  if (!out.mwp)
    return MwpCwpCase::ComputeBound;
  double n = activeWarpsPerSM(in);
  if (*out.mwp == n && *out.cwp == n)
    return MwpCwpCase::NotEnoughWarps;
  if (*out.cwp >= *out.mwp || out.compCycles > out.memCycles)
    return MwpCwpCase::MemoryBound;
  return MwpCwpCase::ComputeBound;
}

/// MWP - 1 in Eq. 22, 23 and 26: the warps in memory besides the first. MWP is
/// below 1 where one warp alone needs more than the SM's share of bandwidth; as
/// printed the terms would then be negative, and the time with them.
static double otherMemoryWarps(const MwpCwpOutput &out) {
  return out.mwp ? std::max(*out.mwp - 1, 0.0) : 0;
}

/// Eq. 22 to 24.
static double execCyclesApp(const MwpCwpInput &in, const MwpCwpOutput &out) {
  double n = activeWarpsPerSM(in);
  // Eq. 22 and 23 divide by the memory instructions. Without any there is
  // nothing to wait for, and what is left of Eq. 24 is the computation.
  if (!out.mwp)
    return out.compCycles * n * out.rep;
  double otherPeriods = out.compCycles / memInsts(in) * otherMemoryWarps(out);
  switch (out.kind) {
  case MwpCwpCase::NotEnoughWarps: // Eq. 22
    return (out.memCycles + out.compCycles + otherPeriods) * out.rep;
  case MwpCwpCase::MemoryBound: // Eq. 23
    return (out.memCycles * n / *out.mwp + otherPeriods) * out.rep;
  case MwpCwpCase::ComputeBound: // Eq. 24
    return (*out.memLInCycles + out.compCycles * n) * out.rep;
  }
  llvm_unreachable("covered switch");
}

MwpCwpOutput auspex::evaluateMwpCwp(const MwpCwpInput &in) {
  MwpCwpOutput out;
  if (memInsts(in) > 0)
    setMemoryParallelism(in, out);
  setCycles(in, out);
  out.kind = chooseCase(in, out);
  out.execCyclesApp = execCyclesApp(in, out);
  out.synchCost = out.departureDelayInCycles.value_or(0) *
                  otherMemoryWarps(out) * in.synchInsts * in.activeBlocksPerSM *
                  out.rep;                            // Eq. 26
  out.execCycles = out.execCyclesApp + out.synchCost; // Eq. 27
  // Eq. 25, with whole warps: a block of 33 threads issues for two.
  double instsPerSM = totalInsts(in) * warpsPerBlock(in) *
                      static_cast<double>(in.blocks) / in.activeSMs;
  if (instsPerSM > 0)
    out.cpi = out.execCyclesApp / instsPerSM;
  return out;
}
