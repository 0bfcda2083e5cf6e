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

/// Of too many, as many as may be, evenly over all, with the first and the
/// last.
static std::vector<Supposition> spread(std::vector<Supposition> all) {
  constexpr size_t Most = 256;
  if (all.size() <= Most)
    return all;
  std::vector<Supposition> kept;
  for (size_t i = 0; i < Most; ++i)
    kept.push_back(std::move(all[i * (all.size() - 1) / (Most - 1)]));
  return kept;
}

std::vector<Supposition> HostWays::choices(HostWay way,
                                           llvm::function_ref<void()> ask) {
  std::vector<Supposition> all = {std::move(way.supposition)};
  while (true) {
    std::vector<Supposition> next;
    bool isLast = true;
    for (const Supposition &one : all) {
      evaluator.suppose(one);
      if (llvm::any_of(way.needed, [&](const Condition &condition) {
            return evaluator.isRuledOut(condition);
          }))
        continue;
      evaluator.suppose(one);
      ask();
      const Choice *choice = evaluator.choice();
      if (!choice)
        next.push_back(one);
      else
        for (int64_t value : choice->values)
          next.emplace_back(one).choose(*choice, value);
      isLast &= !choice;
    }
    all = spread(std::move(next));
    if (isLast)
      return all;
  }
}
