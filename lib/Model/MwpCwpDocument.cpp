// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MWP-CWP's documents: reading the input, with a GPU or without, and the names
// of inputs and outputs.

#include "auspex/Model/HardwareReader.h"
#include "auspex/Model/MwpCwp.h"

#include <algorithm>

using namespace auspex;

static void readLaunch(Reader &in, MwpCwpInput &input) {
  input.threadsPerBlock = in.integer("threads_per_block", 1, 1024);
  input.blocks = in.integer("blocks", 1, 1'000'000'000'000);
  input.activeBlocksPerSM = in.integer("active_blocks_per_sm", 1, 128);
}

static void readKernel(const Node &document, Reader &in, MwpCwpInput &input) {
  auto count = [&](llvm::StringRef key) {
    return readCount(document, in, key);
  };
  input.compInsts = count("comp_insts");
  input.coalMemInsts = count("coal_mem_insts");
  input.uncoalMemInsts = count("uncoal_mem_insts");
  input.synchInsts = count("synch_insts");
  input.uncoalPerMw = in.number("uncoal_per_mw", 1, 1024);
  input.loadBytesPerWarp = in.number("load_bytes_per_warp", 1, 65536);
}

static void readClocks(HardwareReader &in, MwpCwpInput &input) {
  input.activeSMs = in.integer("active_sms", 1, 4096, [&](const GPU &gpu) {
    // A grid smaller than the GPU leaves SMs idle.
    std::optional<Supplied> sms = supplyQuantity(gpu, Q::SMCount);
    sms->value = std::min(sms->value, static_cast<double>(input.blocks));
    return sms;
  });
  input.freqInGHz = in.number("freq_ghz", 0.001, 100, [](const GPU &gpu) {
    return supplyQuantity(gpu, Q::SMClock, 1e-3);
  });
  input.memBandwidthInGBps =
      in.number("mem_bandwidth_gbps", 0.001, 1e6, [](const GPU &gpu) {
        return supplyQuantity(gpu, Q::DramBandwidth);
      });
}

/// A warp instruction takes the lanes' time for 32 threads (4 cycles on the
/// paper's 8 lanes), and no less than the schedulers need to issue it.
static Supplied issueCycles(const GPU &gpu) {
  double lanes = gpu[Q::ThroughputFp32];
  double issued = gpu[Q::WarpSchedulers] * gpu[Q::DispatchPerScheduler];
  return supplyDerived(gpu, std::max(32 / lanes, 1 / issued),
                       "32 threads / throughput_fp32, at least 1 / "
                       "(warp_schedulers * dispatch_per_scheduler)");
}

/// The cycles that one transaction of \p bytes takes of the SM's share of the
/// bandwidth, all SMs drawing on it.
static Supplied departureDelay(const GPU &gpu, const MwpCwpInput &input,
                               double bytes, const llvm::Twine &name) {
  double bytesPerCycle =
      input.memBandwidthInGBps / input.freqInGHz / gpu[Q::SMCount];
  return supplyDerived(gpu, bytes / bytesPerCycle,
                       name + " * sm_count * freq_ghz / mem_bandwidth_gbps");
}

/// Reads what Tables 3 and 6 list. Clock and bandwidth have to be read before.
static void readMemory(HardwareReader &in, MwpCwpInput &input) {
  input.issueCycles =
      in.number("issue_cycles", 0.001, 1000, [](const GPU &gpu) {
        auto stated = supplyQuantity(gpu, Q::MwpIssueCycles);
        return stated ? *stated : issueCycles(gpu);
      });
  input.memLdInCycles = in.number("mem_ld", 0.001, 1e6, [](const GPU &gpu) {
    auto stated = supplyQuantity(gpu, Q::MwpMemLd);
    return stated ? stated : supplyQuantity(gpu, Q::LatencyDram);
  });
  input.departureDelUncoalInCycles =
      in.number("departure_del_uncoal", 0.001, 1e6, [&](const GPU &gpu) {
        auto stated = supplyQuantity(gpu, Q::MwpDepartureDelUncoal);
        Q piece = gpu.has(Q::DramFetch) ? Q::DramFetch : Q::Sector;
        return stated ? *stated
                      : departureDelay(gpu, input, gpu[piece], info(piece).key);
      });
  input.departureDelCoalInCycles =
      in.number("departure_del_coal", 0.001, 1e6, [&](const GPU &gpu) {
        auto stated = supplyQuantity(gpu, Q::MwpDepartureDelCoal);
        return stated ? *stated
                      : departureDelay(gpu, input, input.loadBytesPerWarp,
                                       "load_bytes_per_warp");
      });
}

static void readHardware(HardwareReader &in, MwpCwpInput &input) {
  readClocks(in, input);
  readMemory(in, input);
}

llvm::Expected<MwpCwpInput> auspex::readMwpCwpInput(const Node &document,
                                                    const GPU *gpu,
                                                    ValueOrigins *origins) {
  MwpCwpInput input;
  Reader in(document);
  HardwareReader hardware(document, in, gpu, origins);
  in.maybeInteger("schemaVersion", 1, 1);
  readLaunch(in, input);
  readKernel(document, in, input);
  readHardware(hardware, input);
  if (llvm::Error problem = in.finish())
    return std::move(problem);
  return input;
}

llvm::Error auspex::supplyHardware(MwpCwpInput &input, const GPU &gpu) {
  return supplyFrom(
      gpu, [&](HardwareReader &hardware) { readHardware(hardware, input); });
}

NamedValues auspex::listValues(const MwpCwpInput &input) {
  NamedValues values;
  values.add("threads_per_block", "threads", input.threadsPerBlock);
  values.add("blocks", "blocks", static_cast<double>(input.blocks));
  values.add("active_blocks_per_sm", "blocks", input.activeBlocksPerSM);
  values.add("active_sms", "SMs", input.activeSMs);
  values.add("comp_insts", "instructions", input.compInsts);
  values.add("coal_mem_insts", "instructions", input.coalMemInsts);
  values.add("uncoal_mem_insts", "instructions", input.uncoalMemInsts);
  values.add("synch_insts", "instructions", input.synchInsts);
  values.add("uncoal_per_mw", "transactions", input.uncoalPerMw);
  values.add("load_bytes_per_warp", "B", input.loadBytesPerWarp);
  values.add("issue_cycles", "cycles", input.issueCycles);
  values.add("mem_ld", "cycles", input.memLdInCycles);
  values.add("departure_del_uncoal", "cycles",
             input.departureDelUncoalInCycles);
  values.add("departure_del_coal", "cycles", input.departureDelCoalInCycles);
  values.add("freq_ghz", "GHz", input.freqInGHz);
  values.add("mem_bandwidth_gbps", "GB/s", input.memBandwidthInGBps);
  return values;
}

NamedValues auspex::listValues(const MwpCwpOutput &output) {
  NamedValues values;
  values.add("mem_l", "cycles", output.memLInCycles);
  values.add("departure_delay", "cycles", output.departureDelayInCycles);
  values.add("mwp_without_bw_full", "warps", output.mwpWithoutBwFull);
  values.add("mwp_peak_bw", "warps", output.mwpPeakBw);
  values.add("mwp", "warps", output.mwp);
  values.add("cwp_full", "warps", output.cwpFull);
  values.add("cwp", "warps", output.cwp);
  values.add("rep", "1", output.rep);
  values.add("comp_cycles", "cycles", output.compCycles);
  values.add("mem_cycles", "cycles", output.memCycles);
  values.addName("case", toString(output.kind));
  values.add("exec_cycles_app", "cycles", output.execCyclesApp);
  values.add("synch_cost", "cycles", output.synchCost);
  values.add("exec_cycles", "cycles", output.execCycles);
  values.add("cpi", "cycles", output.cpi);
  return values;
}
