// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fields of a profile with their names in documents: one list for the
/// writer and the reader.
#ifndef AUSPEX_LIB_KERNEL_RUNRECORDFIELDS_H
#define AUSPEX_LIB_KERNEL_RUNRECORDFIELDS_H

#include "auspex/Kernel/RunRecord.h"

#include <concepts>

namespace auspex {

template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// Calls visit(name, field) for every field, in order.
template <Is<BlockProfile> T, typename Visitor>
void forEachField(T &block, Visitor &visit) {
  visit("warps", block.warpExecutions);
  visit("lanes", block.laneExecutions);
  visit("byActiveLanes", block.byActiveLanes);
  visit("divergent", block.divergent);
  visit("loopEntries", block.loopEntries);
}

template <Is<AccessProfile> T, typename Visitor>
void forEachField(T &access, Visitor &visit) {
  visit("requests", access.counts.requests);
  visit("lanes", access.counts.lanes);
  visit("sectors", access.counts.sectors);
  visit("lines", access.counts.lines);
  visit("fewestSectors", access.counts.fewestSectors);
  visit("bankPasses", access.counts.bankPasses);
  visit("fewestBankPasses", access.counts.fewestBankPasses);
  visit("l1Cycles", access.counts.l1Cycles);
  visit("sameAddress", access.counts.sameAddress);
  visit("lanesOnBank", access.counts.lanesOnBank);
  visit("newSectorsInBlock", access.newSectorsInBlock);
  visit("byMultiplicity", access.byMultiplicity);
  visit("extent", access.extent);
}

template <Is<CalleeAccess> T, typename Visitor>
void forEachField(T &access, Visitor &visit) {
  visit("function", access.function);
  visit("file", access.file);
  visit("line", access.line);
  visit("column", access.column);
  visit("kind", access.kind);
  visit("space", access.space);
  forEachField(access.profile, visit);
}

template <Is<ObjectProfile> T, typename Visitor>
void forEachField(T &object, Visitor &visit) {
  visit("name", object.name);
  visit("sizeInBytes", object.sizeInBytes);
  visit("sectorsInWaves", object.sectorsInWaves);
  visit("sectorsInLaunch", object.sectorsInLaunch);
}

/// Those of the profile itself, without its lists, kernel and shape.
template <Is<DynamicProfile> T, typename Visitor>
void forEachField(T &profile, Visitor &visit) {
  visit("blocksPerWave", profile.blocksPerWave);
  visit("warpInstructions", profile.warpInstructions);
  visit("threadInstructions", profile.threadInstructions);
  visit("mostInstructionsOfWarp", profile.mostInstructionsOfWarp);
  visit("calleeWarpInstructions", profile.calleeWarpInstructions);
  visit("calleeThreadInstructions", profile.calleeThreadInstructions);
  visit("unfinishedBlocks", profile.unfinishedBlocks);
  visit("sampledBlocks", profile.sampledBlocks);
  visit("samplingError", profile.samplingError);
}

} // namespace auspex

#endif
