// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/HardwareReader.h"
#include "auspex/Model/Gpuperf.h"
#include "auspex/Model/MwpCwp.h"

#include "ReferenceCases.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// Round numbers, and only what every description has.
GPU plainGPU() {
  GPU gpu;
  gpu.name = "Plain";
  auto set = [&](Q id, double value) {
    gpu.set(id, {value, SourceKind::Documented, "the test"});
  };
  set(Q::SMCount, 100);
  set(Q::SMClock, 1500);
  set(Q::DramBandwidth, 1500);
  set(Q::LatencyDram, 500);
  set(Q::LatencyFp32, 4);
  set(Q::ThroughputFp32, 128);
  set(Q::ThroughputSfu, 16);
  set(Q::WarpSchedulers, 4);
  set(Q::DispatchPerScheduler, 1);
  set(Q::Sector, 32);
  return gpu;
}

const char *const mwpCwpKernel = R"({
  "threads_per_block": 128, "blocks": 640, "active_blocks_per_sm": 4,
  "comp_insts": 20, "coal_mem_insts": 2, "uncoal_mem_insts": 0,
  "synch_insts": 0, "uncoal_per_mw": 4, "load_bytes_per_warp": 128})";

const char *const gpuperfKernel = R"({
  "insts": 100, "mem_insts": 10, "sync_insts": 0, "sfu_insts": 0,
  "fp_insts": 50, "total_warps": 6400, "active_warps_per_sm": 16, "ilp": 1.5,
  "mlp": 2, "avg_trans_per_warp": 1, "miss_ratio": 0.5, "size_of_data": 1000,
  "o_cfdiv": 0, "o_bank": 0})";

template <typename T> std::string message(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

TEST(HardwareReader, NeedsTheHardwareWithoutAGPU) {
  EXPECT_EQ(message(readMwpCwpInput(parse(mwpCwpKernel))),
            "in.json:2: active_sms: the key is missing; give it, or name a GPU "
            "that supplies it");
}

TEST(HardwareReader, TakesTheDescriptionsNumbers) {
  GPU gpu = plainGPU();
  gpu.set(Q::MwpIssueCycles, {4, SourceKind::Documented, "Table 1"});
  gpu.set(Q::MwpMemLd, {450, SourceKind::Derived, "of Other"});
  gpu.set(Q::MwpDepartureDelUncoal, {40, SourceKind::Measured, "Table 6"});
  gpu.set(Q::MwpDepartureDelCoal, {5, SourceKind::Measured, "Table 6"});
  ValueOrigins origins;
  MwpCwpInput in =
      llvm::cantFail(readMwpCwpInput(parse(mwpCwpKernel), &gpu, &origins));
  EXPECT_EQ(in.activeSMs, 100u);
  EXPECT_EQ(in.freqInGHz, 1.5);
  EXPECT_EQ(in.memBandwidthInGBps, 1500);
  EXPECT_EQ(in.issueCycles, 4);
  EXPECT_EQ(in.memLdInCycles, 450);
  EXPECT_EQ(in.departureDelUncoalInCycles, 40);
  EXPECT_EQ(in.departureDelCoalInCycles, 5);
  EXPECT_EQ(origins.size(), 7u);
  EXPECT_EQ(origins["freq_ghz"], "sm_clock of Plain (documented)");
  EXPECT_EQ(origins["mem_ld"], "mwp_mem_ld of Plain (derived: of Other)");
}

TEST(HardwareReader, ComputesWhatTheDescriptionLacks) {
  GPU gpu = plainGPU();
  ValueOrigins origins;
  MwpCwpInput in =
      llvm::cantFail(readMwpCwpInput(parse(mwpCwpKernel), &gpu, &origins));
  EXPECT_EQ(in.issueCycles, 0.25);
  EXPECT_EQ(in.memLdInCycles, 500);
  // 1500 GB/s at 1.5 GHz are 1000 B a cycle, 10 B for each of 100 SMs.
  EXPECT_DOUBLE_EQ(in.departureDelUncoalInCycles, 3.2);
  EXPECT_DOUBLE_EQ(in.departureDelCoalInCycles, 12.8);
  EXPECT_EQ(origins["departure_del_coal"],
            "computed for Plain: load_bytes_per_warp * sm_count * freq_ghz / "
            "mem_bandwidth_gbps");
  // One dispatch port is then what limits issue.
  gpu.set(Q::WarpSchedulers, {1, SourceKind::Documented, "the test"});
  gpu.set(Q::DramFetch, {64, SourceKind::Documented, "the test"});
  in = llvm::cantFail(readMwpCwpInput(parse(mwpCwpKernel), &gpu));
  EXPECT_EQ(in.issueCycles, 1);
  EXPECT_DOUBLE_EQ(in.departureDelUncoalInCycles, 6.4);
}

TEST(HardwareReader, PrefersTheDocument) {
  std::string text = mwpCwpKernel;
  text.insert(1, "\"mem_bandwidth_gbps\": 3000, \"active_sms\": 7, ");
  GPU gpu = plainGPU();
  ValueOrigins origins;
  MwpCwpInput in = llvm::cantFail(readMwpCwpInput(parse(text), &gpu, &origins));
  EXPECT_EQ(in.memBandwidthInGBps, 3000);
  EXPECT_EQ(in.activeSMs, 7u);
  EXPECT_FALSE(origins.count("mem_bandwidth_gbps"));
  // What is computed follows the bandwidth that is tried out.
  EXPECT_DOUBLE_EQ(in.departureDelCoalInCycles, 6.4);
}

TEST(HardwareReader, LeavesSMsIdleForASmallGrid) {
  std::string text = mwpCwpKernel;
  text.replace(text.find("640"), 3, "30");
  GPU gpu = plainGPU();
  EXPECT_EQ(llvm::cantFail(readMwpCwpInput(parse(text), &gpu)).activeSMs, 30u);
}

TEST(HardwareReader, SuppliesGpuperf) {
  GPU gpu = plainGPU();
  EXPECT_EQ(
      message(readGpuperfInput(parse(gpuperfKernel), &gpu)),
      "in.json:2: hit_lat: the key is missing, and Plain does not say it");
  gpu.set(Q::LatencyL1, {30, SourceKind::Measured, "the test"});
  GpuperfInput in =
      llvm::cantFail(readGpuperfInput(parse(gpuperfKernel), &gpu));
  EXPECT_EQ(in.hitLatInCycles, 30);
  gpu.set(Q::LatencyL2, {200, SourceKind::Measured, "the test"});
  ValueOrigins origins;
  in = llvm::cantFail(readGpuperfInput(parse(gpuperfKernel), &gpu, &origins));
  EXPECT_EQ(in.hitLatInCycles, 200);
  EXPECT_EQ(in.avgInstLatInCycles, 4);
  EXPECT_EQ(in.fpLatInCycles, 4);
  EXPECT_EQ(in.dramLatInCycles, 500);
  EXPECT_EQ(in.simdWidth, 128);
  EXPECT_EQ(in.sfuWidth, 16);
  EXPECT_EQ(in.transactionSizeInBytes, 128);
  EXPECT_DOUBLE_EQ(in.departureDelayInCycles, 12.8);
  EXPECT_EQ(in.gamma, 64);
  EXPECT_EQ(origins["gamma"], "computed for Plain: the paper's Gamma");
}

TEST(HardwareReader, ChecksRangesAndKeys) {
  std::string text = gpuperfKernel;
  text.replace(text.find("0.5"), 3, "1.5");
  EXPECT_EQ(message(readGpuperfInput(parse(text))),
            "in.json:4: miss_ratio: 1.5 is out of range; it has to be at most "
            "1");
  text = mwpCwpKernel;
  text.replace(text.find("blocks"), 6, "blcks");
  EXPECT_EQ(message(readMwpCwpInput(parse(text))),
            "in.json:2: blocks: the key is missing; 'blcks' stands there");
  text = mwpCwpKernel;
  text.replace(text.find("20,"), 2, "1e-9");
  EXPECT_EQ(message(readMwpCwpInput(parse(text))),
            "in.json:3: comp_insts: a count has to be 0 or at least 0.000001");
  EXPECT_EQ(message(readMwpCwpInput(parse("[1]"))),
            "in.json:1: expected a mapping, found a list");
}

TEST(HardwareReader, ReadsWhatItWrites) {
  GPU gpu = plainGPU();
  gpu.set(Q::LatencyL2, {200, SourceKind::Measured, "the test"});
  auto in = llvm::cantFail(readGpuperfInput(parse(gpuperfKernel), &gpu));
  llvm::json::Value written = listValues(in).toJSON();
  auto again = llvm::cantFail(
      readGpuperfInput(parse(llvm::formatv("{0}", written).str())));
  EXPECT_EQ(llvm::json::Value(listValues(again).toJSON()), written);
}

} // namespace
