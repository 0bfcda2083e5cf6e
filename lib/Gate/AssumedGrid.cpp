// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssumedGrid.h"

#include <cmath>

using namespace auspex;

static bool hasAssumedGrid(const KernelRecord &record) {
  return record.launch.origin() == LaunchOrigin::Assumed &&
         record.launch.grid && record.launch.block;
}

static void scale(KernelRecord &record, double factor) {
  for (AccessVolume &access : record.accesses) {
    RequestCounts counts;
    counts.add(access.counts, factor);
    access.counts = counts;
  }
  for (ObjectTraffic &object : record.traffic)
    for (double ObjectTraffic::*bytes : VolumesBehindL1)
      object.*bytes *= factor;
}

std::optional<KernelRecord> auspex::withThreadsOf(const KernelRecord &base,
                                                  const KernelRecord &head,
                                                  const GPU &gpu) {
  if (!hasAssumedGrid(base) || !hasAssumedGrid(head) || !head.input)
    return std::nullopt;
  double threads = double(base.launch.grid->value.count()) *
                   base.launch.block->value.count();
  double blocks = head.launch.grid->value.count();
  double blocksThen =
      std::ceil(threads / double(head.launch.block->value.count()));
  if (blocks == blocksThen)
    return std::nullopt;

  KernelRecord result = head;
  scale(result, blocksThen / blocks);
  result.input->blocks = blocksThen;
  result.input->globalAtomicSteps *= blocksThen / blocks;
  double slowdown = evaluateOperational(*result.input, gpu).timeInUs /
                    evaluateOperational(*head.input, gpu).timeInUs;
  if (result.timeInUs)
    *result.timeInUs *= slowdown;
  if (auto &range = result.timeRangeInUs)
    range = {range->first * slowdown, range->second * slowdown};
  bool isBaseGrid = blocksThen == double(base.launch.grid->value.count());
  result.launch.grid->value =
      isBaseGrid ? base.launch.grid->value : Dim3{int64_t(blocksThen), 1, 1};
  return result;
}
