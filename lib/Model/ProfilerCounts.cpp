// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/ProfilerCounts.h"

#include "SharedRequests.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

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
  double sector = gpu[Q::Sector];
  std::vector<ProfilerCount> counts;
  auto add = [&](llvm::StringRef name, llvm::StringRef metric, double value) {
    counts.push_back({name, metric, value});
  };
  auto addSectors = [&](llvm::StringRef name, llvm::StringRef metric,
                        double bytes) { add(name, metric, bytes / sector); };

  add("warp instructions", "smsp__inst_executed.sum",
      input.instructions.total() * kernel.warps());
  bool hasCopies = kernel.instructions[InstructionClass::CopyAsync] > 0;
  if (!hasCopies) {
    add("global load requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", loads.requests);
    add("global load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        loads.sectors);
  }
  add("global store requests",
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", stores.requests);
  add("global store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      stores.sectors);
  addSectors("local load sectors",
             "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
             local.requestedLoadInBytes);
  addSectors("local store sectors",
             "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
             local.requestedStoreInBytes);
  add("shared load passes",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      loads.sharedPasses);
  if (!hasCopies)
    add("shared store passes",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        stores.sharedPasses);
  addSectors("L2 read sectors", "lts__t_sectors_op_read.sum",
             traffic.sum(&ObjectTraffic::l2LoadInBytes));
  addSectors("L2 write sectors", "lts__t_sectors_op_write.sum",
             traffic.sum(&ObjectTraffic::l2StoreInBytes));
  addSectors("DRAM read sectors", "dram__sectors_read.sum",
             traffic.sum(&ObjectTraffic::dramLoadInBytes));
  addSectors("DRAM write sectors", "dram__sectors_write.sum",
             traffic.sum(&ObjectTraffic::dramStoreInBytes));
  return counts;
}
