// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUPerf's documents: reading the input, with a GPU or without, and the names
// of inputs and outputs.

#include "auspex/Model/Gpuperf.h"
#include "auspex/Model/HardwareReader.h"

#include <algorithm>

using namespace auspex;

static void readKernel(const Node &document, Reader &in, GpuperfInput &input) {
  auto count = [&](llvm::StringRef key) {
    return readCount(document, in, key);
  };
  input.insts = count("insts");
  input.memInsts = count("mem_insts");
  input.syncInsts = count("sync_insts");
  input.sfuInsts = count("sfu_insts");
  input.fpInsts = count("fp_insts");
  input.totalWarps = in.number("total_warps", 1, 1e15);
  input.activeWarpsPerSM = in.number("active_warps_per_sm", 1, 1024);
  input.ilp = in.number("ilp", 0.001, 1e6);
  input.mlp = in.number("mlp", 0.001, 1e6);
  input.avgTransPerWarp = in.number("avg_trans_per_warp", 1, 1024);
  input.missRatio = in.number("miss_ratio", 0, 1);
  input.sizeOfDataInTransactions = in.number("size_of_data", 0, 1e15);
  input.controlDivergenceInCycles = in.number("o_cfdiv", 0, 1e15);
  input.bankConflictsInCycles = in.number("o_bank", 0, 1e15);
}

static void readWidths(HardwareReader &in, GpuperfInput &input) {
  input.activeSMs = in.integer("active_sms", 1, 4096, [&](const GPU &gpu) {
    // Fewer warps than SMs leave SMs idle.
    std::optional<Supplied> sms = supplyQuantity(gpu, Q::SMCount);
    sms->value = std::min(sms->value, input.totalWarps);
    return sms;
  });
  input.simdWidth = in.number("simd_width", 0.1, 4096, [](const GPU &gpu) {
    return supplyQuantity(gpu, Q::ThroughputFp32);
  });
  input.sfuWidth = in.number("sfu_width", 0.1, 4096, [](const GPU &gpu) {
    return supplyQuantity(gpu, Q::ThroughputSfu);
  });
  input.freqInGHz = in.number("freq_ghz", 0.001, 100, [](const GPU &gpu) {
    return supplyQuantity(gpu, Q::SMClock, 1e-3);
  });
  input.memBandwidthInGBps =
      in.number("mem_bandwidth_gbps", 0.001, 1e6, [](const GPU &gpu) {
        return supplyQuantity(gpu, Q::DramBandwidth);
      });
  input.transactionSizeInBytes =
      in.number("transaction_size", 1, 65536, [](const GPU &gpu) {
        auto line = supplyQuantity(gpu, Q::L1Line);
        return line ? *line : supplyDerived(gpu, 128, "the paper's 128 B");
      });
}

static void readLatencies(HardwareReader &in, GpuperfInput &input) {
  auto latency = [&](llvm::StringRef key, Q first, std::optional<Q> second) {
    return in.number(key, 0.001, 1e6, [=](const GPU &gpu) {
      auto stated = supplyQuantity(gpu, first);
      return stated || !second ? stated : supplyQuantity(gpu, *second);
    });
  };
  input.avgInstLatInCycles =
      latency("avg_inst_lat", Q::LatencyFp32, std::nullopt);
  input.fpLatInCycles = latency("fp_lat", Q::LatencyFp32, std::nullopt);
  // Eq. 12 sends every miss to DRAM, so the hit is one in the last cache.
  input.hitLatInCycles = latency("hit_lat", Q::LatencyL2, Q::LatencyL1);
  input.dramLatInCycles = latency("dram_lat", Q::LatencyDram, std::nullopt);
}

/// The cycles that one transaction takes of the SM's share of the bandwidth,
/// all SMs drawing on it.
static Supplied departureDelay(const GPU &gpu, const GpuperfInput &input) {
  double bytesPerCycle =
      input.memBandwidthInGBps / input.freqInGHz / gpu[Q::SMCount];
  return supplyDerived(
      gpu, input.transactionSizeInBytes / bytesPerCycle,
      "transaction_size * sm_count * freq_ghz / mem_bandwidth_gbps");
}

/// Clock, bandwidth and transaction size have to be read before.
static void readParameters(HardwareReader &in, GpuperfInput &input) {
  input.departureDelayInCycles =
      in.number("departure_delay", 0.001, 1e6, [&](const GPU &gpu) {
        auto stated = supplyQuantity(gpu, Q::GpuperfDepartureDelay);
        return stated ? *stated : departureDelay(gpu, input);
      });
  input.gamma = in.number("gamma", 0, 1e6, [](const GPU &gpu) {
    auto stated = supplyQuantity(gpu, Q::GpuperfGamma);
    return stated ? *stated : supplyDerived(gpu, 64, "the paper's Gamma");
  });
}

static void readHardware(HardwareReader &in, GpuperfInput &input) {
  readWidths(in, input);
  readLatencies(in, input);
  readParameters(in, input);
}

llvm::Expected<GpuperfInput> auspex::readGpuperfInput(const Node &document,
                                                      const GPU *gpu,
                                                      ValueOrigins *origins) {
  GpuperfInput input;
  Reader in(document);
  HardwareReader hardware(document, in, gpu, origins);
  in.maybeInteger("schemaVersion", 1, 1);
  readKernel(document, in, input);
  readHardware(hardware, input);
  if (llvm::Error problem = in.finish())
    return std::move(problem);
  return input;
}

llvm::Error auspex::supplyHardware(GpuperfInput &input, const GPU &gpu) {
  return supplyFrom(
      gpu, [&](HardwareReader &hardware) { readHardware(hardware, input); });
}

NamedValues auspex::listValues(const GpuperfInput &input) {
  NamedValues values;
  values.add("insts", "instructions", input.insts);
  values.add("mem_insts", "instructions", input.memInsts);
  values.add("sync_insts", "instructions", input.syncInsts);
  values.add("sfu_insts", "instructions", input.sfuInsts);
  values.add("fp_insts", "instructions", input.fpInsts);
  values.add("total_warps", "warps", input.totalWarps);
  values.add("active_sms", "SMs", input.activeSMs);
  values.add("active_warps_per_sm", "warps", input.activeWarpsPerSM);
  values.add("ilp", "instructions", input.ilp);
  values.add("mlp", "requests", input.mlp);
  values.add("avg_inst_lat", "cycles", input.avgInstLatInCycles);
  values.add("fp_lat", "cycles", input.fpLatInCycles);
  values.add("avg_trans_per_warp", "transactions", input.avgTransPerWarp);
  values.add("miss_ratio", "1", input.missRatio);
  values.add("hit_lat", "cycles", input.hitLatInCycles);
  values.add("dram_lat", "cycles", input.dramLatInCycles);
  values.add("departure_delay", "cycles", input.departureDelayInCycles);
  values.add("gamma", "1", input.gamma);
  values.add("simd_width", "lanes", input.simdWidth);
  values.add("sfu_width", "lanes", input.sfuWidth);
  values.add("freq_ghz", "GHz", input.freqInGHz);
  values.add("mem_bandwidth_gbps", "GB/s", input.memBandwidthInGBps);
  values.add("transaction_size", "B", input.transactionSizeInBytes);
  values.add("size_of_data", "transactions", input.sizeOfDataInTransactions);
  values.add("o_cfdiv", "cycles", input.controlDivergenceInCycles);
  values.add("o_bank", "cycles", input.bankConflictsInCycles);
  return values;
}

static llvm::json::Object pointObject(const ChartPoint &point) {
  return llvm::json::Object{{"t_mem", point.memInCycles},
                            {"t_comp", point.compInCycles}};
}

static llvm::json::Object chartObject(const BenefitChart &chart) {
  return llvm::json::Object{
      {"a", pointObject(chart.actual)},
      {"a_prime", pointObject(chart.overlapped)},
      {"ideal", pointObject(chart.ideal)},
      {"zone", chart.memoryBound() ? "memory-bound" : "compute-bound"}};
}

NamedValues auspex::listValues(const GpuperfOutput &output) {
  NamedValues values;
  values.add("itilp", "instructions", output.itilp);
  values.add("itilp_max", "instructions", output.itilpMax);
  values.add("w_parallel", "cycles", output.wParallelInCycles);
  values.add("avg_dram_lat", "cycles", output.avgDramLatInCycles);
  values.add("amat", "cycles", output.amatInCycles);
  values.add("o_sync", "cycles", output.oSyncInCycles);
  values.add("o_sfu", "cycles", output.oSfuInCycles);
  values.add("w_serial", "cycles", output.wSerialInCycles);
  values.add("t_comp", "cycles", output.tCompInCycles);
  values.add("mwp", "warps", output.mwp);
  values.add("mwp_peak_bw", "warps", output.mwpPeakBw);
  values.add("cwp", "warps", output.cwp);
  values.add("mwp_cp", "warps", output.mwpCp);
  values.add("itmlp", "requests", output.itmlp);
  values.add("t_mem", "cycles", output.tMemInCycles);
  values.add("t_overlap", "cycles", output.tOverlapInCycles);
  values.add("t_exec", "cycles", output.tExecInCycles);
  values.add("t_fp", "cycles", output.tFpInCycles);
  values.add("t_mem_min", "cycles", output.tMemMinInCycles);
  values.add("b_itilp", "cycles", output.bItilpInCycles);
  values.add("b_serial", "cycles", output.bSerialInCycles);
  values.add("b_fp", "cycles", output.bFpInCycles);
  values.add("b_memlp", "cycles", output.bMemlpInCycles);
  values.addObject("chart", "cycles", chartObject(output.chart));
  return values;
}
