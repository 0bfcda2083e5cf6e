// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of sets of launches.
#include "auspex/Validate/Validation.h"

#include "auspex/Support/Table.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace auspex;
using llvm::StringRef;

StringRef auspex::toString(CountOrigin origin) {
  return origin == CountOrigin::Run ? "run" : "static";
}

std::optional<PredictedPair> ValidatedLaunch::pairOf(size_t model) const {
  if (!problem.empty() || !times[model].timeInUs)
    return std::nullopt;
  return PredictedPair{*times[model].timeInUs, measured.measuredInUs};
}

std::string ValidatedLaunch::problemOf(size_t model) const {
  if (!problem.empty() || times[model].timeInUs)
    return problem;
  if (!times[model].problem.empty())
    return times[model].problem;
  return "no time is known: " + unknown;
}

/// The same for launches that differ in clocks alone.
static std::string textWithoutClocks(const MeasuredLaunch &measured) {
  const LaunchConfig &launch = measured.launch;
  std::string text = measured.source + '\n' + launch.kernel + '\n' +
                     launch.grid->value.str() + '\n' +
                     launch.block->value.str() + '\n' +
                     llvm::join(measured.flags, " ") + '\n';
  if (launch.dynamicShared)
    text += std::to_string(launch.dynamicShared->value);
  for (const auto &[name, value] : launch.arguments)
    text += '\n' + name + '=' + std::to_string(value.value);
  for (const auto &[name, value] : launch.floatArguments)
    text += '\n' + name + '=' + std::to_string(value.value);
  for (const auto &[name, value] : measured.problem)
    text += '\n' + name + '=' + std::to_string(value);
  return text;
}

static std::optional<double> errorOverClocks(const ValidationSet &set,
                                             size_t model) {
  std::map<std::string, std::vector<PredictedPair>> groups;
  for (const ValidatedLaunch *launch : set.launches) {
    auto pair = launch->pairOf(model);
    if (pair && pair->predicted > 0 && launch->measured.clocks != Clocks())
      groups[textWithoutClocks(launch->measured)].push_back(*pair);
  }
  std::vector<std::vector<PredictedPair>> found;
  for (auto &[text, group] : groups)
    found.push_back(std::move(group));
  return errorOfChange(found);
}

static ModelScore scoreModel(const ValidationSet &set, size_t model,
                             StringRef name) {
  ModelScore score;
  score.model = name.str();
  std::vector<PredictedPair> pairs;
  for (const ValidatedLaunch *launch : set.launches)
    if (auto pair = launch->pairOf(model))
      pairs.push_back(*pair);
  score.predicted = pairs.size();
  if (pairs.empty())
    return score;
  score.errors = errorStatistics(pairs);
  score.spearman = spearman(pairs);
  score.kendall = kendallTauB(pairs);
  score.pick = pickShare(pairs);
  score.clocks = errorOverClocks(set, model);
  return score;
}

static CountScore scoreCount(StringRef name,
                             const std::vector<PredictedPair> &pairs) {
  constexpr double Right = 0.01;
  auto right = llvm::count_if(pairs, [](const PredictedPair &pair) {
    return std::abs(pair.error()) <= Right;
  });
  return {name.str(), pairs.size(), errorStatistics(pairs),
          static_cast<double>(right) / static_cast<double>(pairs.size())};
}

/// In the order in which launches have them.
static std::vector<CountScore> scoreCounts(const ValidationSet &set) {
  llvm::MapVector<StringRef, std::vector<PredictedPair>> pairs;
  for (const ValidatedLaunch *launch : set.launches)
    for (const CountPair &count : launch->counted)
      if (count.pair.measured > 0)
        pairs[count.name].push_back(count.pair);
  std::vector<CountScore> scores;
  for (const auto &[name, found] : pairs)
    scores.push_back(scoreCount(name, found));
  return scores;
}

static void findWorst(ValidationSet &set) {
  constexpr size_t Most = 10;
  for (const ValidatedLaunch *launch : set.launches)
    if (launch->pairOf(0))
      set.worst.push_back(launch);
  llvm::stable_sort(set.worst, [](const auto *a, const auto *b) {
    return a->pairOf(0)->distance() > b->pairOf(0)->distance();
  });
  set.worst.resize(std::min(set.worst.size(), Most));
}

/// Of the launches for which \p textOf is not empty.
static std::vector<ValidationSet::Cause>
findCauses(const ValidationSet &set,
           llvm::function_ref<std::string(const ValidatedLaunch &)> textOf) {
  std::vector<ValidationSet::Cause> causes;
  for (const ValidatedLaunch *launch : set.launches) {
    std::string text = textOf(*launch);
    if (text.empty())
      continue;
    auto known = llvm::find_if(
        causes, [&](const auto &cause) { return cause.text == text; });
    if (known == causes.end())
      known = causes.insert(known, {text, 0, launch->measured.place});
    ++known->launches;
  }
  llvm::stable_sort(causes, [](const auto &a, const auto &b) {
    return a.launches > b.launches;
  });
  return causes;
}

Validation auspex::score(std::vector<ValidatedLaunch> launches,
                         std::vector<std::string> models, bool byKernel) {
  Validation validation{std::move(models), std::move(launches), {}};
  std::map<std::array<std::string, 3>, ValidationSet> sets;
  for (const ValidatedLaunch &launch : validation.launches) {
    const MeasuredLaunch &measured = launch.measured;
    std::string file = llvm::sys::path::filename(measured.place.file).str();
    std::string kernel = byKernel ? measured.kernel : "";
    ValidationSet &set = sets[{file, measured.gpu, kernel}];
    set.file = file;
    set.gpu = measured.gpu;
    set.kernel = kernel;
    set.launches.push_back(&launch);
  }
  for (auto &[key, set] : sets) {
    for (auto [index, model] : llvm::enumerate(validation.models))
      set.scores.push_back(scoreModel(set, index, model));
    set.counts = scoreCounts(set);
    findWorst(set);
    set.notPredicted = findCauses(
        set, [](const ValidatedLaunch &launch) { return launch.problemOf(0); });
    set.expected = findCauses(set, [](const ValidatedLaunch &launch) {
      return launch.pairOf(0) ? launch.unknown : "";
    });
    validation.sets.push_back(std::move(set));
  }
  return validation;
}
