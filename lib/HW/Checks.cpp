// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checks.h"

#include "auspex/Support/Table.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace auspex;

namespace {

/// \p small is at most \p large times \p slack.
struct AtMost {
  Q small, large;
  double slack = 1;
};

constexpr AtMost Orders[] = {
    {Q::SMClockBase, Q::SMClock},
    // A measured bandwidth may round up, not beat the peak.
    {Q::DramReadBandwidth, Q::DramBandwidth, 1.02},
    {Q::DramWriteBandwidth, Q::DramBandwidth, 1.02},
    {Q::DramMixedBandwidth, Q::DramBandwidth, 1.02},
    {Q::L2Effective, Q::L2Size},
    {Q::Sector, Q::L1Line},
    {Q::MaxThreadsPerBlock, Q::MaxThreadsPerSM},
    {Q::MaxRegistersPerBlock, Q::RegistersPerSM},
    {Q::SharedPerBlock, Q::SharedPerBlockOptIn},
    {Q::SharedPerBlockOptIn, Q::SharedPerSM},
    {Q::LatencyShared, Q::LatencyL2},
    {Q::LatencyShared, Q::LatencyDram},
    {Q::LatencyL1, Q::LatencyL2},
    {Q::LatencyL2, Q::LatencyL2Far},
    {Q::LatencyL2, Q::LatencyDram},
    {Q::LatencyL2Far, Q::LatencyDram},
    {Q::LaunchOverheadGraph, Q::LaunchOverhead},
};

/// \p value is a multiple of \p unit.
struct MultipleOf {
  Q value, unit;
};

constexpr MultipleOf Multiples[] = {
    {Q::MaxThreadsPerBlock, Q::WarpSize},
    {Q::MaxThreadsPerSM, Q::WarpSize},
    {Q::RegistersPerSM, Q::SubPartitions},
    {Q::SharedPerSM, Q::SharedAllocationUnit},
    {Q::L1Line, Q::Sector},
};

/// Addresses are told apart by shifts.
constexpr Q PowersOf2[] = {Q::Sector, Q::L1Line};

std::string valueText(const GPU &gpu, Q id) {
  return formatNumber(gpu[id], 7) + " " + info(id).unit.str();
}

std::optional<std::string> carveoutProblem(const GPU &gpu) {
  if (gpu.sharedCarveouts.empty())
    return "the list is empty; give at least the whole shared memory";
  for (size_t i = 1; i < gpu.sharedCarveouts.size(); ++i)
    if (gpu.sharedCarveouts[i - 1] >= gpu.sharedCarveouts[i])
      return "the sizes have to ascend, " +
             std::to_string(gpu.sharedCarveouts[i]) + " follows " +
             std::to_string(gpu.sharedCarveouts[i - 1]);
  if (gpu.sharedCarveouts.back() * 1024.0 > gpu[Q::SharedPerSM])
    return std::to_string(gpu.sharedCarveouts.back()) +
           " KiB are more than shared_per_sm, " +
           valueText(gpu, Q::SharedPerSM);
  return std::nullopt;
}

} // namespace

std::vector<Inconsistency> auspex::findInconsistencies(const GPU &gpu) {
  std::vector<Inconsistency> problems;
  for (const AtMost &order : Orders)
    if (gpu.has(order.small) && gpu.has(order.large) &&
        gpu[order.small] > gpu[order.large] * order.slack)
      problems.push_back({order.small, valueText(gpu, order.small) +
                                           " is more than " +
                                           info(order.large).key.str() + ", " +
                                           valueText(gpu, order.large)});
  for (const MultipleOf &rule : Multiples)
    if (gpu.has(rule.value) && gpu.has(rule.unit) &&
        std::fmod(gpu[rule.value], gpu[rule.unit]) != 0)
      problems.push_back({rule.value, valueText(gpu, rule.value) +
                                          " is not a multiple of " +
                                          info(rule.unit).key.str() + ", " +
                                          valueText(gpu, rule.unit)});
  for (Q id : PowersOf2)
    if (gpu.has(id) && !llvm::isPowerOf2_64(std::llround(gpu[id])))
      problems.push_back({id, valueText(gpu, id) + " is no power of 2"});
  if (std::optional<std::string> problem = carveoutProblem(gpu))
    problems.push_back({std::nullopt, *problem});
  return problems;
}
