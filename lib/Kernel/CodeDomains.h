// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where each part of the code runs: how often its loops turn, and which lanes
/// of which warps come to it. What the launch leaves open is decided by the
/// scenario, and said so.
#ifndef AUSPEX_LIB_KERNEL_CODEDOMAINS_H
#define AUSPEX_LIB_KERNEL_CODEDOMAINS_H

#include "UniformBranches.h"

namespace auspex {

/// Which warps run a block, and how often a warp comes to its innermost loop.
struct Executions {
  const BoundDomain *made = nullptr;
  double loopEntries = 0, warpsPerRunner = 1;
  /// A bit for each warp of a block of threads that ever takes part.
  uint32_t runners = 0;

  const IterationDomain &domain() const { return *made->domain; }
};

/// What is open stands in \p result, each sentence once.
class CodeDomains {
public:
  CodeDomains(SharedBinding &shared, Scenario scenario, BoundKernel &result);

  /// Of each block of the summary.
  std::vector<Executions> ofBlocks;
  /// The loops that run whose trip counts have no upper end: their bodies are
  /// taken to run once.
  std::vector<int> endlessLoops;

  /// Of \p access: those of its block, by the lanes that take part.
  const Executions &of(const Access &access);
  /// Of code in \p loop, or in none, that runs where \p guard holds, of which
  /// nothing is open.
  const Executions &of(int loop, const Expr &guard);
  /// BoundBlock::shares of the block numbered \p number, which is in a loop.
  llvm::SmallVector<double, 2> sharesOf(unsigned number);
  /// What one version of the code of a loop does of an access.
  struct VersionTurns {
    /// The counter begins anew in each version.
    const IterationDomain *turns = nullptr;
    std::string counter;
    /// Turns that a lane has done before.
    Expr turnsBefore;

    /// \p expr of the loop's counter, as this version counts.
    Expr asCounted(const Expr &expr) const;
  };
  /// Of \p access, by version of the code around it; empty where its lanes
  /// leave the loop together, or if that is not known.
  llvm::SmallVector<VersionTurns, 2> versionsOf(const Access &access);

private:
  SharedBinding &shared;
  const KernelSummary &summary;
  Scenario scenario;
  BoundKernel &result;
  const LaunchSymbols &symbols;
  UniformBranches branches;
  std::vector<std::optional<Expr>> trips;
  std::map<std::pair<int, Expr>, Executions> knownExecutions;
  /// Open conditions; those of blocks have many in common.
  std::map<Expr, Expr> decided;

  Expr decide(const Expr &condition);
  Expr decideOpen(const Expr &condition);
  struct Rows {
    const Access *access;
    /// Turns of a lane in the mean, and at most of a warp if all warps have as
    /// much to do.
    int64_t mean, most;
  };
  double countRows(const Expr &row, const IterationDomain &domain) const;
  double rowsToPickFrom(const Expr &first) const;
  std::optional<Rows> rowsOf(int number);
  Expr bindTripCount(int number);
  std::vector<int> loopChain(int loop) const;
  std::vector<DomainLoop> makeNest(llvm::ArrayRef<int> loops,
                                   const Expr &condition);
  const BoundDomain &makeDomain(std::vector<DomainLoop> nest,
                                const Expr &condition);
  Expr guardBefore(int loop, const Expr &guard) const;
  Expr conditionOf(const Access &access);
};

} // namespace auspex

#endif
