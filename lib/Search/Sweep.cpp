// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Search/Sweep.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <map>
#include <thread>
#include <tuple>

using namespace auspex;

namespace {

/// What became of one configuration.
struct Outcome {
  RankedConfiguration configuration;
  /// Why it is impossible, and of which part; empty if it is not.
  std::string reason, part;
};

class Sweeper {
public:
  Sweeper(const KernelSummary &summary, const SweepSpace &space, const GPU &gpu,
          const SweepOptions &options)
      : summary(summary), space(space), gpu(gpu), options(options) {}

  SweepResult run() {
    for (uint64_t first = 0; first < space.size(); first += Batch) {
      uint64_t end = std::min(first + Batch, space.size());
      evaluate(first, end);
      for (const Outcome &outcome :
           llvm::ArrayRef(outcomes).take_front(end - first))
        keep(outcome);
      if (options.progress)
        options.progress(end);
    }
    rank();
    for (auto &[part, group] : groups)
      result.groups.push_back(std::move(group));
    return std::move(result);
  }

private:
  /// Evaluated side by side before the best are sorted out, in order.
  static constexpr uint64_t Batch = 4096;

  const KernelSummary &summary;
  const SweepSpace &space;
  const GPU &gpu;
  const SweepOptions &options;
  std::vector<Outcome> outcomes = std::vector<Outcome>(Batch);
  std::map<std::string, ImpossibleGroup> groups;
  SweepResult result;

  Outcome evaluate(uint64_t number) const;
  void evaluate(uint64_t first, uint64_t end);
  void keep(const Outcome &outcome);
  void rank();
};

} // namespace

static RankedConfiguration rankedConfiguration(uint64_t number,
                                               TimeEstimate estimate) {
  RankedConfiguration result;
  result.number = number;
  result.timeInUs = estimate.timeInUs;
  result.timeRangeInUs = estimate.timeRangeInUs;
  result.limiter = std::move(estimate.limiter);
  result.shareOfLimit = estimate.shareOfLimit;
  result.activeBlocksPerSM = estimate.occupancy.activeBlocksPerSM;
  result.activeWarpsPerSM = estimate.occupancy.activeWarpsPerSM;
  result.occupancy = estimate.occupancy.occupancy;
  const OperationalInput &input = estimate.input;
  result.l2LoadInBytes = input.l2LoadInBytes * estimate.warps;
  result.l2StoreInBytes = input.l2StoreInBytes * estimate.warps;
  result.dramLoadInBytes = input.dramLoadInBytes * estimate.warps;
  result.dramStoreInBytes = input.dramStoreInBytes * estimate.warps;
  return result;
}

Outcome Sweeper::evaluate(uint64_t number) const {
  Outcome outcome;
  outcome.configuration.number = number;
  LaunchConfig launch = space.at(number);
  auto problem = space.ruleProblem(launch);
  if (!problem)
    problem = configurationProblem(launch, summary, gpu);
  if (problem) {
    outcome.part = problem->part.str();
    outcome.reason = std::move(problem->message);
    return outcome;
  }
  // The place is that of the base; reasons are about the configuration.
  launch.location = {};
  auto estimate = predictTime(summary, launch, gpu);
  if (!estimate) {
    outcome.part = "occupancy";
    outcome.reason = llvm::toString(estimate.takeError());
    return outcome;
  }
  outcome.configuration = rankedConfiguration(number, std::move(*estimate));
  return outcome;
}

void Sweeper::evaluate(uint64_t first, uint64_t end) {
  std::atomic<uint64_t> next = first;
  auto work = [&] {
    for (uint64_t number; (number = next++) < end;)
      outcomes[number - first] = evaluate(number);
  };
  uint64_t count =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  std::vector<std::thread> helpers;
  for (uint64_t i = 1; i < std::min(count, end - first); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

void Sweeper::keep(const Outcome &outcome) {
  if (outcome.reason.empty()) {
    ++result.possibleCount;
    result.ranked.push_back(outcome.configuration);
    if (options.top && result.ranked.size() >= options.top + Batch)
      rank();
    return;
  }
  ++result.impossibleCount;
  ImpossibleConfiguration impossible{outcome.configuration.number,
                                     outcome.reason};
  ImpossibleGroup &group = groups[outcome.part];
  if (group.count++ == 0)
    group = {outcome.part, 1, impossible};
  if (!options.top)
    result.impossible.push_back(std::move(impossible));
}

/// Sorts what is kept, and forgets what is not among the top.
void Sweeper::rank() {
  auto key = [](const RankedConfiguration &configuration) {
    const std::optional<double> &time = configuration.timeInUs;
    return std::tuple(!time, time.value_or(0), configuration.number);
  };
  llvm::sort(result.ranked,
             [&](const auto &a, const auto &b) { return key(a) < key(b); });
  if (options.top && result.ranked.size() > options.top)
    result.ranked.resize(options.top);
}

/// "x", "x and y", "x, y and z".
static std::string listAxes(llvm::StringRef axes) {
  std::string text;
  for (size_t i = 0; i < axes.size(); ++i)
    text += (i == 0                 ? ""
             : i + 1 == axes.size() ? " and "
                                    : ", ") +
            axes.substr(i, 1).str();
  return text;
}

/// What a kernel presumes of its blocks is not known, but hinted at.
static std::vector<std::string> assumptionsOf(const KernelSummary &summary,
                                              const SweepSpace &space) {
  std::vector<std::string> assumptions;
  const LaunchConfig &base = space.base();
  if (base.grid->origin == LaunchOrigin::Assumed && !space.hasGridRule())
    assumptions.push_back(
        "nobody states a grid: the threads to cover are those "
        "of one full wave of the GPU");
  if (!space.variesBlocks() || summary.requiredBlock[0])
    return assumptions;
  std::string axes = axesOfPresumedSize(summary);
  if (!axes.empty())
    assumptions.push_back("the kernel is right in blocks of any size, although "
                          "it never asks for that along " +
                          listAxes(axes));
  if (summary.staticSharedInBytes)
    assumptions.push_back(
        "the kernel is right in blocks of any size, although it has " +
        std::to_string(summary.staticSharedInBytes) +
        " B of shared arrays that do not grow with the block");
  if (base.dynamicShared->value)
    assumptions.push_back("every block has " +
                          std::to_string(base.dynamicShared->value) +
                          " B of dynamic shared memory, as in the base launch");
  return assumptions;
}

llvm::Expected<SweepResult> auspex::sweep(const KernelSummary &summary,
                                          const SweepSpace &space,
                                          const GPU &gpu,
                                          const SweepOptions &options) {
  auto base = predict(summary, space.base(), gpu);
  if (!base)
    return base.takeError();
  SweepResult result = Sweeper(summary, space, gpu, options).run();
  result.base = std::move(*base);
  result.assumptions = assumptionsOf(summary, space);
  return result;
}
