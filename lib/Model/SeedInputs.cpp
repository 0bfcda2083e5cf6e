// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/SeedInputs.h"

#include "Traffic/Caches.h"
#include "auspex/Model/Operational.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

namespace {
/// Requests to global and local memory, summed over the launch.
struct GlobalRequests {
  double coalesced = 0, uncoalesced = 0;
  double uncoalescedSectors = 0, sectors = 0, bytes = 0;

  explicit GlobalRequests(const BoundKernel &kernel) {
    for (auto [access, bound] :
         llvm::zip(kernel.summary->accesses, kernel.accesses)) {
      if (access.space == MemorySpace::Shared ||
          access.space == MemorySpace::Constant ||
          access.space == MemorySpace::Texture)
        continue;
      const RequestCounts &counts = bound.counts;
      bool wasteful = counts.sectors >= 2 * counts.fewestSectors &&
                      counts.sectors > counts.requests;
      (wasteful ? uncoalesced : coalesced) += counts.requests;
      uncoalescedSectors += wasteful ? counts.sectors : 0;
      sectors += counts.sectors;
      bytes += counts.lanes * access.bytesPerLane;
    }
  }
  double requests() const { return coalesced + uncoalesced; }
};
} // namespace

llvm::Expected<MwpCwpInput> auspex::mwpCwpInput(const BoundKernel &kernel,
                                                const GPU &gpu) {
  GlobalRequests global(kernel);
  double warps = std::max(1.0, kernel.warps());
  MwpCwpInput input;
  input.threadsPerBlock = kernel.shape.block.count();
  input.blocks = kernel.shape.grid.count();
  double memory = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isGlobalMemory(info.id))
      memory += kernel.instructions[info.id];
  input.compInsts = kernel.instructions.total() - memory;
  input.coalMemInsts = global.coalesced / warps;
  input.uncoalMemInsts = global.uncoalesced / warps;
  input.synchInsts = kernel.instructions[InstructionClass::Barrier];
  constexpr unsigned SegmentsSinceArch = 12;
  if (global.uncoalesced > 0)
    input.uncoalPerMw = gpu.arch < SegmentsSinceArch
                            ? LaunchShape::WarpSize
                            : global.uncoalescedSectors / global.uncoalesced;
  if (global.requests() > 0)
    input.loadBytesPerWarp = std::max(1.0, global.bytes / global.requests());
  if (llvm::Error error = supplyHardware(input, gpu))
    return std::move(error);
  input.activeBlocksPerSM = static_cast<unsigned>(blocksOnSM(kernel, gpu));
  return input;
}

llvm::Expected<GpuperfInput> auspex::gpuperfInput(const BoundKernel &kernel,
                                                  const MemoryTraffic &traffic,
                                                  const GPU &gpu) {
  using enum InstructionClass;
  GlobalRequests global(kernel);
  OperationalInput volumes = operationalInput(kernel, traffic, gpu);
  const InstructionMix &mix = kernel.instructions;
  double warps = std::max(1.0, kernel.warps());
  GpuperfInput input;
  input.sfuInsts = mix[Sfu];
  input.insts = mix.total() - input.sfuInsts;
  input.memInsts = global.requests() / warps;
  input.syncInsts = mix[Barrier];
  input.fpInsts = mix[Fp32] + mix[Fp64] + mix[Fp16];
  input.ilp = kernel.ilp;
  input.mlp = kernel.mlp;
  input.totalWarps = warps;
  double sms =
      std::min(gpu[Q::SMCount], static_cast<double>(kernel.shape.grid.count()));
  input.activeSMs = static_cast<unsigned>(sms);
  input.activeWarpsPerSM =
      std::max(1.0, blocksOnSM(kernel, gpu) *
                        static_cast<double>(kernel.shape.warpsPerBlock()));
  double requested =
      volumes.requestedLoadInBytes + volumes.requestedStoreInBytes;
  double dram = volumes.dramLoadInBytes + volumes.dramStoreInBytes;
  input.missRatio = requested > 0 ? std::min(1.0, dram / requested) : 0;
  if (llvm::Error error = supplyHardware(input, gpu))
    return std::move(error);
  // Transactions are as long as the description says, at least one a request.
  if (global.requests() > 0)
    input.avgTransPerWarp =
        std::max(1.0, global.sectors * gpu[Q::Sector] /
                          input.transactionSizeInBytes / global.requests());
  input.sizeOfDataInTransactions =
      dram * warps / input.transactionSizeInBytes / sms;
  // Each pass beyond the first serialises the warp for one cycle.
  input.bankConflictsInCycles =
      std::max(0.0, volumes.sharedPasses - volumes.fewestSharedPasses) * warps /
      sms;
  return input;
}
