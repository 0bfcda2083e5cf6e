// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/ProfilerCounts.h"

#include "SharedRequests.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static constexpr ProfilerMetric Metrics[] = {
    {"warp instructions", "smsp__inst_executed.sum"},
    {"global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"global load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global store requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"global store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"local load sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    {"local store sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    {"shared load passes",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared store passes",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"L2 read sectors", "lts__t_sectors_op_read.sum"},
    {"L2 write sectors", "lts__t_sectors_op_write.sum"},
    {"DRAM read sectors", "dram__sectors_read.sum"},
    {"DRAM write sectors", "dram__sectors_write.sum"},
};

llvm::ArrayRef<ProfilerMetric> auspex::profilerMetrics() { return Metrics; }

namespace {
/// Of accesses of one kind, over the launch.
struct AccessSums {
  double requests = 0, sectors = 0, sharedPasses = 0;

  AccessSums(const BoundKernel &kernel, AccessKind kind, const GPU &gpu) {
    for (auto [access, bound, left] :
         llvm::zip(kernel.summary->accesses, kernel.accesses,
                   sharesLeftOfLoads(kernel))) {
      if (access.kind != kind)
        continue;
      if (access.space == MemorySpace::Shared)
        sharedPasses +=
            sharedRequestsOf(kernel, access, bound, left, gpu).passes;
      if (access.space != MemorySpace::Global &&
          access.space != MemorySpace::Unknown)
        continue;
      requests += bound.inMachineCode().requests;
      sectors += bound.inMachineCode().sectors;
    }
  }
};
} // namespace

std::vector<ProfilerCount> auspex::profilerCounts(const BoundKernel &kernel,
                                                  const MemoryTraffic &traffic,
                                                  const OperationalInput &input,
                                                  const GPU &gpu) {
  const AccessSums loads(kernel, AccessKind::Load, gpu),
      stores(kernel, AccessKind::Store, gpu);
  const ObjectTraffic local = localMemoryTraffic(kernel, gpu);
  bool hasCopies = kernel.instructions[InstructionClass::CopyAsync] > 0;
  auto unlessCopied = [&](double value) {
    return hasCopies ? std::nullopt : std::optional(value);
  };
  auto sectors = [&](double bytes) { return bytes / gpu[Q::Sector]; };
  auto moved = [&](double ObjectTraffic::*volume) {
    return sectors(traffic.sum(volume));
  };
  // In the order of the metrics.
  const std::optional<double> values[] = {
      input.instructions.total() * kernel.warps(),
      unlessCopied(loads.requests),
      unlessCopied(loads.sectors),
      stores.requests,
      stores.sectors,
      sectors(local.requestedLoadInBytes),
      sectors(local.requestedStoreInBytes),
      loads.sharedPasses,
      unlessCopied(stores.sharedPasses),
      moved(&ObjectTraffic::l2LoadInBytes),
      moved(&ObjectTraffic::l2StoreInBytes),
      moved(&ObjectTraffic::dramLoadInBytes),
      moved(&ObjectTraffic::dramStoreInBytes),
  };
  static_assert(std::size(values) == std::size(Metrics));
  std::vector<ProfilerCount> counts;
  for (auto [metric, value] : llvm::zip(Metrics, values))
    if (value)
      counts.push_back({&metric, *value});
  return counts;
}
