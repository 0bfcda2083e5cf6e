// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an OperationalInput consists of: names, units and members, written down
/// once for those who list, write, read and compare inputs.
#ifndef AUSPEX_MODEL_OPERATIONALMEMBERS_H
#define AUSPEX_MODEL_OPERATIONALMEMBERS_H

#include "auspex/Model/Operational.h"

namespace auspex {

/// Calls \p visit with the key in JSON, the unit (docs/models/operational.md)
/// and the member, for each member of \p input in the order they are listed.
/// Members are double, unsigned (1 at least) or InstructionMix.
template <typename Input, typename Visitor>
void visitMembers(Input &input, Visitor visit) {
  visit("blocks", "1", input.blocks);
  visit("warps_per_block", "warps", input.warpsPerBlock);
  visit("active_blocks_per_sm", "blocks", input.activeBlocksPerSM);
  visit("mix", "per warp", input.instructions);
  visit("path", "per warp", input.path);
  visit("longest_path", "per warp", input.longestPath);
  visit("three_operands", "per warp", input.threeOperands);
  visit("as_multiply_adds", "per warp", input.asMultiplyAdds);
  visit("share_at_work", "1", input.shareAtWork);
  visit("dram_waits", "per warp", input.globalWaits.dram);
  visit("l2_waits", "per warp", input.globalWaits.l2);
  visit("local_dram_waits", "per warp", input.localWaits.dram);
  visit("local_l2_waits", "per warp", input.localWaits.l2);
  visit("max_warps_per_sm", "warps", input.maxWarpsPerSM);
  visit("active_lanes", "lanes", input.activeLanes);
  visit("shared_requests", "per warp", input.sharedRequests);
  visit("shared_passes", "per warp", input.sharedPasses);
  visit("fewest_shared_passes", "per warp", input.fewestSharedPasses);
  auto &atomics = input.sharedAtomics;
  visit("shared_atomics", "per warp", atomics.requests);
  visit("shared_fao_jobs", "per warp", atomics.faoJobs);
  visit("shared_cas_jobs", "per warp", atomics.casJobs);
  visit("shared_atomic_passes", "per warp", atomics.passes);
  visit("shared_popc_inc_jobs", "per warp", atomics.popcIncJobs);
  visit("shared_popc_inc_passes", "per warp", atomics.popcIncPasses);
  visit("atomic_retries", "per warp", input.atomicRetries);
  visit("global_atomic_steps", "per warp", input.globalAtomicSteps);
  visit("requested_load_bytes", "B per warp", input.requestedLoadInBytes);
  visit("requested_store_bytes", "B per warp", input.requestedStoreInBytes);
  visit("fewest_load_bytes", "B per warp", input.fewestLoadInBytes);
  visit("fewest_store_bytes", "B per warp", input.fewestStoreInBytes);
  visit("partial_stores", "per warp", input.partialStores);
  visit("constant_words", "per warp", input.constantWords);
  visit("l1_cycles", "cycles per warp", input.l1Cycles);
  visit("phase_cycles", "cycles per warp", input.phaseCycles);
  visit("filling_work", "1", input.fillingWork);
  visit("filling_waits", "1", input.fillingWaits);
  visit("l2_load_bytes", "B per warp", input.l2LoadInBytes);
  visit("l2_store_bytes", "B per warp", input.l2StoreInBytes);
  visit("dram_load_bytes", "B per warp", input.dramLoadInBytes);
  visit("dram_store_bytes", "B per warp", input.dramStoreInBytes);
  visit("dram_idle_bytes", "B per warp", input.dramIdleInBytes);
}

} // namespace auspex

#endif
