// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one thread leave all lanes of a warp but one idle. Where threads do
// not work together, those of larger blocks can do what the blocks did: with
// blockIdx.x * blockDim.x + threadIdx.x for blockIdx.x, behind a guard. A
// kernel that asks for the size of its blocks needs only larger ones.
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using namespace auspex::fixes;

/// The kernel with the threads of blocks along x for \p blocks blocks of one;
/// none if it does not lend itself to that.
static std::optional<KernelSummary> withThreads(const KernelSummary &kernel,
                                                int64_t blocks) {
  Expr number =
      Expr::symbol("ctaid.x") * Expr::symbol("ntid.x") + Expr::symbol("tid.x");
  // What a block reads once for all its lanes each of them reads by itself.
  if (!kernel.dataSymbols.empty())
    return std::nullopt;
  KernelSummary summary = kernel;
  bool isKnown = changeAll(summary, [&](MaybeExpr &value) {
    if (!value.isKnown())
      return false;
    value.expr =
        value.expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
          if (name.starts_with("tid."))
            return Expr(0);
          if (name.starts_with("ntid."))
            return Expr(1);
          if (name == "nctaid.x")
            return Expr(blocks);
          return name == "ctaid.x" ? std::optional(number) : std::nullopt;
        });
    return true;
  });
  if (!isKnown)
    return std::nullopt;
  for (Block &block : summary.blocks)
    block.guard.expr =
        Expr::conjunction(Expr::isLess(number, Expr(blocks)), block.guard.expr);
  return summary;
}

namespace auspex::fixes {

void findFullWarps(const FixContext &context, std::vector<Variant> &variants) {
  constexpr int64_t Threads = 256;
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  int64_t blocks = kernel.shape.grid[0];
  if (kernel.shape.block.count() != 1 || blocks == 1 || kernel.isFromRun ||
      launch.origin() == LaunchOrigin::Assumed ||
      !hasIndependentThreads(context) ||
      axesOfPresumedSize(*kernel.summary).find('x') == std::string::npos)
    return;
  auto summary = withThreads(*kernel.summary, blocks);
  if (!summary)
    return;
  LaunchConfig other =
      inBlocksOf(launch, {Threads, 1, 1}, launch.block->origin);
  std::string grid = other.grid->value.str();
  addLaunch(context, *summary, std::move(other),
            "let the threads of blocks of " + std::to_string(Threads) +
                " do what blocks of one thread do, "
                "blockIdx.x * blockDim.x + threadIdx.x for blockIdx.x, in a "
                "grid of " +
                grid,
            variants);
}

} // namespace auspex::fixes
