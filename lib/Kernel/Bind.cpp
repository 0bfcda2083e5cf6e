// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessBinder.h"
#include "Arms.h"
#include "BindParts.h"
#include "CodeDomains.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <utility>

using namespace auspex;

namespace {
class Binder {
public:
  Binder(SharedBinding &shared, Scenario scenario)
      : shared(shared), summary(shared.summary), scenario(scenario),
        result(shared.resources), domains(shared, scenario, result) {}

  BoundKernel run() {
    result.scenario = scenario;
    bindBlocks();
    bindAccesses(shared, scenario, domains, result);
    bindBranches();
    for (int loop : domains.endlessLoops)
      judgeEndless(loop);
    for (std::string &sentence : callsLeftOut(result))
      leaveEndless(result, std::move(sentence));
    llvm::append_range(result.assumptions, arraysOfHost(result));
    sumObjects(result, shared.gpu, scenario);
    return std::move(result);
  }

private:
  SharedBinding &shared;
  const KernelSummary &summary;
  Scenario scenario;
  BoundKernel result;
  CodeDomains domains;

  void bindBlocks();
  void findLongestPath();
  void bindBranches();
  void judgeEndless(int loop);
};
} // namespace

void Binder::bindBlocks() {
  CodeSums sums;
  for (auto [number, block] : llvm::enumerate(summary.blocks)) {
    const Executions &runs = domains.ofBlocks[number];
    result.blocks.push_back({runs.domain().warpExecutions(),
                             runs.domain().laneExecutions(), runs.loopEntries,
                             runs.warpsPerRunner});
    if (block.loop >= 0 && block.versions().size() > 1)
      result.blocks.back().shares = domains.sharesOf(number);
  }
  auto runners = llvm::map_to_vector(
      domains.ofBlocks, [](const Executions &runs) { return runs.runners; });
  bool hasArms = findArms(runners, shared.gpu, result);
  for (auto [block, runs] : llvm::zip(summary.blocks, result.blocks))
    sums.add(block, runs);
  sums.finish(result);
  // All warps pass the same barriers, in whichever arm these stand.
  if (hasArms)
    result.path[InstructionClass::Barrier] =
        result.instructions[InstructionClass::Barrier];
  findLongestPath();
}

/// One thread that goes through an array alone takes the launch as long as it
/// takes that thread, however little that is in the mean.
void Binder::findLongestPath() {
  // A sample says nothing about single blocks.
  if (!result.isExact)
    return;
  std::vector<InstructionMix> paths;
  for (auto [block, runs] : llvm::zip(summary.blocks, result.blocks))
    paths.push_back(pathOf(block, runs));
  // Of its runs, those that one block of threads has.
  auto shareOf = [](const IterationDomain &domain,
                    const std::array<int64_t, 3> &block) {
    double all = domain.blockExecutions();
    return all > 0 ? domain.blockExecutions(block) / all : 0;
  };
  std::optional<std::array<int64_t, 3>> busiest;
  double most = 0;
  for (auto [runs, path] : llvm::zip(domains.ofBlocks, paths))
    if (auto block = runs.domain().busiestBlock()) {
      double work = shareOf(runs.domain(), *block) * path.total();
      if (work > most) {
        most = work;
        busiest = block;
      }
    }
  if (!busiest)
    return;
  InstructionMix path;
  double warps = result.shape.warpsPerBlock();
  for (auto [runs, part] : llvm::zip(domains.ofBlocks, paths))
    path.add(part, shareOf(runs.domain(), *busiest) / warps);
  if (path.total() > LongestPathOverMean * result.path.total())
    result.longestPath = path;
}

/// A loop that hardly any warp comes to says little of the time, however long
/// it is; of another one the time has no upper end.
void Binder::judgeEndless(int number) {
  constexpr double Few = 0.01;
  std::string at =
      "the loop" + shared.symbols.atLine(summary.loops[number].location);
  std::string &why = result.loops[number].openBecause;
  double entries = 0;
  for (auto [block, runs] : llvm::zip(summary.blocks, result.blocks))
    if (block.loop == number)
      entries = std::max(entries, runs.loopEntries);
  double share = entries / std::max(1.0, result.warps());
  if (share >= Few)
    return leaveEndless(result, "the trip count of " + at + " " + why);
  assume(result,
         at + ", which " + formatShare(share) +
             " of the warps come to, is taken to run once: its trip count " +
             std::exchange(why, ""));
}

/// The warps of \p taken that run with some of their lanes but not all; none if
/// not every warp that comes to the branch has all of its lanes, as \p coming
/// says.
static std::optional<double> partialWarps(const IterationDomain &coming,
                                          const IterationDomain &taken) {
  std::vector<uint32_t> full = coming.shape().fullMasks();
  for (const IterationDomain::Piece &piece : coming.pieces())
    if (*piece.masks != full)
      return std::nullopt;
  double warps = 0;
  for (const IterationDomain::Piece &piece : taken.pieces())
    for (auto [mask, all] : llvm::zip(*piece.masks, full))
      if (mask && mask != all)
        warps += piece.points;
  return warps;
}

/// A warp diverges where some lane takes the branch and some lane does not: the
/// warps of both sides together, less the warps that come to the branch. The
/// side not taken may be the negation of many conditions, of which any may
/// hold: it is looked at only where the side taken does not tell.
void Binder::bindBranches() {
  for (auto [branch, stated] : llvm::zip(summary.branches, shared.conditions)) {
    const Block &block = summary.blocks[branch.block];
    BoundBranch bound;
    bound.executions = result.blocks[branch.block].warpExecutions;
    const Expr &guard = shared.guards[branch.block];
    Expr condition = stated;
    bound.isKnown = !isOpen(guard) && !isOpen(condition);
    auto domainIf = [&](const Expr &side) -> const IterationDomain & {
      return domains.of(block.loop, Expr::conjunction(guard, side)).domain();
    };
    if (bound.isKnown && bound.executions > 0) {
      // Many conditions of which any may hold are the harder side.
      const Atom *atom = condition.asAtom();
      if (atom && atom->kind == Atom::Kind::Max)
        condition = Expr::negate(condition);
      const IterationDomain &taken = domainIf(condition);
      if (auto partial =
              partialWarps(domains.ofBlocks[branch.block].domain(), taken))
        bound.divergent = *partial;
      else
        bound.divergent = std::max(
            0.0, taken.warpExecutions() +
                     domainIf(Expr::negate(condition)).warpExecutions() -
                     bound.executions);
    } else if (!bound.isKnown && scenario != Scenario::Low)
      bound.divergent = bound.executions;
    result.branches.push_back(bound);
  }
}

LaunchBinding::LaunchBinding(const KernelSummary &summary,
                             const LaunchConfig &launch, const GPU &gpu)
    : shared(std::make_unique<SharedBinding>(summary, launch, gpu)) {}

LaunchBinding::~LaunchBinding() = default;

BoundKernel LaunchBinding::bind(Scenario scenario) {
  return Binder(*shared, scenario).run();
}

BoundKernel auspex::bind(const KernelSummary &summary,
                         const LaunchConfig &launch, const GPU &gpu,
                         Scenario scenario) {
  return LaunchBinding(summary, launch, gpu).bind(scenario);
}
