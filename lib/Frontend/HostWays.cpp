// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostWays.h"

using namespace auspex;

HostWay HostWays::along(const Site &site, const CallPath &path,
                        bool withoutArguments) {
  HostWay way;
  way.supposition.site = site;
  way.supposition.path = path;
  way.supposition.withoutArguments = withoutArguments;
  evaluator.suppose(way.supposition);
  way.needed = site.conditions;
  for (const auto &[function, call] : path)
    llvm::append_range(way.needed, call->conditions);
  for (const Condition &condition : way.needed)
    llvm::append_range(way.supposition.found,
                       evaluator.consequences(condition));
  return way;
}

/// Whether some choices let hold what \p way needs: a loop may never come to
/// the value that a condition asks for.
bool HostWays::isPossible(const HostWay &way) {
  auto askAll = [&] {
    for (const Condition &condition : way.needed)
      evaluator.isRuledOut(condition);
  };
  return way.needed.empty() || !choices(way, askAll).empty();
}

void HostWays::follow(const Site &site,
                      llvm::function_ref<void(HostWay)> follow) {
  auto followIfPossible = [&](HostWay way) {
    if (isPossible(way))
      follow(std::move(way));
  };
  for (const CallPath &path : callers.pathsTo(site.function)) {
    bool isOfNoArguments = llvm::any_of(path, [](const auto &entry) {
      return entry.second->isWithoutArguments;
    });
    evaluator.takeAskedForArguments();
    HostWay ofAny = along(site, path, isOfNoArguments);
    auto found = ofAny.supposition.found;
    followIfPossible(std::move(ofAny));
    if (!evaluator.takeAskedForArguments() || isOfNoArguments)
      continue;
    HostWay way = along(site, path, /*withoutArguments=*/true);
    if (isPossible(way)) {
      follow(std::move(way));
      continue;
    }
    // Or of one with an argument that alone lets a variable hold what leads
    // here.
    way.supposition.found = std::move(found);
    followIfPossible(std::move(way));
  }
}

/// Of more than \p most, as many as that, evenly over all, with the first and
/// the last.
template <typename T>
static std::vector<T> spread(std::vector<T> all, size_t most) {
  if (all.size() <= most)
    return all;
  std::vector<T> kept;
  for (size_t i = 0; i < most; ++i)
    kept.push_back(std::move(all[i * (all.size() - 1) / (most - 1)]));
  return kept;
}

/// The values of \p choice with which \p way is possible; of many the first,
/// the middle and the last.
std::vector<int64_t> HostWays::possibleValues(const Choice &choice,
                                              const Supposition &one,
                                              const HostWay &way) {
  constexpr size_t MostTried = 1024;
  std::vector<int64_t> values = choice.values;
  if (values.size() <= Choice::MostValues)
    return values;
  values = spread(std::move(values), MostTried);
  if (!way.needed.empty())
    llvm::erase_if(values, [&](int64_t value) {
      Supposition tried = one;
      tried.choose(choice, value);
      evaluator.suppose(std::move(tried));
      return isRuledOut(way);
    });
  if (values.size() <= Choice::MostValues)
    return values;
  return {values.front(), values[values.size() / 2], values.back()};
}

bool HostWays::isRuledOut(const HostWay &way) {
  return llvm::any_of(way.needed, [&](const Condition &condition) {
    return evaluator.isRuledOut(condition);
  });
}

std::vector<Supposition> HostWays::choices(HostWay way,
                                           llvm::function_ref<void()> ask) {
  constexpr size_t Most = 256;
  std::vector<Supposition> all = {std::move(way.supposition)};
  while (true) {
    std::vector<Supposition> next;
    bool isLast = true;
    for (const Supposition &one : all) {
      evaluator.suppose(one);
      if (isRuledOut(way))
        continue;
      evaluator.suppose(one);
      ask();
      if (!evaluator.choice()) {
        next.push_back(one);
        continue;
      }
      Choice choice = *evaluator.choice();
      for (int64_t value : possibleValues(choice, one, way))
        next.emplace_back(one).choose(choice, value);
      isLast = false;
    }
    all = spread(std::move(next), Most);
    if (isLast)
      return all;
  }
}
