// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that load and store 2 or 4 neighbouring elements as one vector. Where
// the threads' work hangs on their number i = blockIdx.x * blockDim.x +
// threadIdx.x alone, a thread that does elements w * i to w * i + w - 1 has the
// same expressions with w times both indices in them.
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;
using namespace auspex::fixes;

/// \p expr with w * i for i, and w times the threads of the grid.
static Expr widened(const Expr &expr, unsigned width) {
  return expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    if (name == "tid.x" || name == "ctaid.x" || name == "nctaid.x")
      return Expr(width) * Expr::symbol(name);
    return std::nullopt;
  });
}

/// Whether \p expr stays what it is when threads move from one block to the
/// next.
static bool dependsOnNumberAlone(const Expr &expr) {
  Expr next = expr.substitute([](llvm::StringRef name) -> std::optional<Expr> {
    if (name == "tid.x")
      return Expr::symbol("tid.x") + Expr::symbol("ntid.x");
    if (name == "ctaid.x")
      return Expr::symbol("ctaid.x") - Expr(1);
    return std::nullopt;
  });
  return next == expr;
}

static bool isOfThread(const Expr &expr) {
  return expr.uses("tid.x") || expr.uses("ctaid.x");
}

/// Whether the elements of neighbouring threads are side by side, and aligned
/// for a vector of \p width of them.
static bool canBeVector(const Access &access, unsigned width,
                        const BoundKernel &kernel) {
  const Expr &offset = access.offset.expr;
  auto linear = offset.linearIn("tid.x");
  if (!linear || linear->factor->constant() != access.bytesPerLane)
    return false;
  Expr rest = inLaunch(*linear->rest, kernel);
  int64_t bytes = static_cast<int64_t>(access.bytesPerLane) * width;
  return llvm::all_of(rest.sum(), [&](const Expr::Term &term) {
    // What the number of the thread moves, it moves by vectors.
    bool isOfBlock = llvm::any_of(term.factors, [](const Expr::Factor &factor) {
      return factor.atom->name == "ctaid.x";
    });
    return isOfBlock || term.coefficient % bytes == 0;
  });
}

/// The kernel with vectors of \p width elements; none if it does not lend
/// itself to that.
static std::optional<KernelSummary>
withVectors(const BoundKernel &kernel, unsigned width, double &registers) {
  constexpr unsigned WidestInBytes = 16;
  for (const Access &access : kernel.summary->accesses)
    if (access.space != MemorySpace::Global ||
        access.kind == AccessKind::Atomic || !access.offset.isKnown() ||
        (isOfThread(access.offset.expr) &&
         (access.bytesPerLane * width > WidestInBytes ||
          !canBeVector(access, width, kernel))))
      return std::nullopt;
  KernelSummary summary = *kernel.summary;
  auto widen = [&](MaybeExpr &expr) {
    if (!expr.isKnown() || !dependsOnNumberAlone(expr.expr))
      return false;
    expr.expr = widened(expr.expr, width);
    return true;
  };
  bool any = false;
  for (Access &access : summary.accesses) {
    if (isOfThread(access.offset.expr)) {
      if (access.kind == AccessKind::Load)
        registers += (width - 1.0) * access.bytesPerLane /
                     MemoryGranularity::BankInBytes;
      access.bytesPerLane *= width;
      any = true;
    }
  }
  if (!any || !changeAll(summary, widen))
    return std::nullopt;
  // All but the accesses is done for each element.
  using enum InstructionClass;
  for (Block &block : summary.blocks)
    for (MachineCode &code : block.code)
      for (const InstructionClassInfo &info : instructionClassInfos())
        if (!isMemory(info.id) && info.id != SpecialRegister)
          code.mix[info.id] *= width;
  return summary;
}

/// The most that vectors of \p width elements can gain: they share all but what
/// DRAM moves.
static OperationalInput ideal(const OperationalInput &input, unsigned width) {
  OperationalInput result = coarser(input, width);
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isMemory(info.id))
      result.instructions[info.id] = input.instructions[info.id];
  result.requestedLoadInBytes /= width;
  result.requestedStoreInBytes /= width;
  result.l1Cycles /= width;
  result.l2LoadInBytes =
      std::max(result.dramLoadInBytes, result.l2LoadInBytes / width);
  result.l2StoreInBytes =
      std::max(result.dramStoreInBytes, result.l2StoreInBytes / width);
  return result;
}

namespace auspex::fixes {

void findVectorWidth(const FixContext &context,
                     std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  bool isStride = llvm::any_of(kernel.summary->loops, [](const Loop &loop) {
    return loop.tripCount.isKnown() && loop.tripCount.expr.uses("nctaid.x");
  });
  if (!canThreadsBeJoined(context) ||
      kernel.launch.origin() == LaunchOrigin::Assumed)
    return;
  for (unsigned width : {4, 2}) {
    if (!context.isFaster(ideal(context.input, width)))
      continue;
    double registers = kernel.registers;
    auto summary = withVectors(kernel, width, registers);
    if (!summary)
      continue;
    LaunchConfig launch = kernel.launch;
    // A loop over the grid's threads has fewer iterations; else there are
    // fewer blocks.
    if (!isStride)
      launch.grid->value.x = ceilDiv(launch.grid->value.x, width);
    launch.registers = {static_cast<unsigned>(registers),
                        LaunchOrigin::Assumed};
    auto input = context.inputOf(*summary, launch);
    if (!input)
      continue;
    unsigned bytes = 0;
    for (const Access &access : summary->accesses)
      bytes = std::max(bytes, access.bytesPerLane);
    variants.push_back({"",
                        firstPlace(*kernel.summary,
                                   [](const Access &access) {
                                     return isOfThread(access.offset.expr);
                                   }),
                        "let a thread do " + std::to_string(width) +
                            " neighbouring elements with accesses of " +
                            std::to_string(bytes) + " B, in a grid of " +
                            launch.grid->value.str(),
                        std::move(*input)});
    // Each takes a binding of the kernel.
    return;
  }
}

} // namespace auspex::fixes
