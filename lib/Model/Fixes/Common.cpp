// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchValues.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

static constexpr llvm::StringRef Axes[] = {"x", "y", "z"};

bool fixes::hasIndependentThreads(const FixContext &context) {
  using enum InstructionClass;
  const KernelSummary &summary = *context.kernel.summary;
  if (summary.staticSharedInBytes || summary.usesDynamicShared)
    return false;
  for (InstructionClass together :
       {Barrier, Shuffle, Vote, Redux, Tensor, TensorFp32})
    if (context.input.instructions[together] > 0)
      return false;
  return true;
}

bool fixes::canThreadsBeJoined(const FixContext &context) {
  return hasIndependentThreads(context) &&
         context.kernel.summary->localInBytes == 0;
}

bool fixes::changeAll(KernelSummary &summary,
                      llvm::function_ref<bool(MaybeExpr &)> change) {
  auto all = [&](auto &parts, auto value) {
    return llvm::all_of(parts, [&](auto &part) { return change(part.*value); });
  };
  return all(summary.accesses, &Access::offset) &&
         all(summary.loops, &Loop::tripCount) &&
         all(summary.blocks, &Block::guard) &&
         all(summary.branches, &Branch::condition);
}

void fixes::addLaunch(const FixContext &context, const KernelSummary &summary,
                      LaunchConfig launch, std::string description,
                      std::vector<Variant> &variants) {
  if (auto input = context.inputOf(summary, launch))
    variants.push_back(
        {"", {}, std::move(description), std::move(*input), std::move(launch)});
}

LaunchConfig fixes::withGrid(const LaunchConfig &launch, const Dim3 &grid) {
  LaunchConfig other = launch;
  other.grid = {grid, launch.grid->origin};
  other.gridOfArguments.reset();
  return other;
}

bool fixes::stridesByGrid(const KernelSummary &summary) {
  bool strides = llvm::any_of(summary.loops, [](const Loop &loop) {
    return loop.tripCount.expr.uses("nctaid.x");
  });
  // A place for each block, as out[blockIdx.x], asks for so many blocks.
  return strides && llvm::none_of(summary.accesses, [](const Access &access) {
           const Expr &offset = access.offset.expr;
           return offset.uses("ctaid.y") || offset.uses("ctaid.z") ||
                  (offset.uses("ctaid.x") && !offset.uses("nctaid.x"));
         });
}

Expr fixes::inLaunch(const Expr &expr, const BoundKernel &kernel) {
  return substitute(
      expr, valuesInLaunch(*kernel.summary, kernel.launch, kernel.shape));
}

/// What the launch says about threads and blocks, and \p loops, by number,
/// about counters.
static Interval rangeOf(llvm::StringRef symbol, const BoundKernel &kernel,
                        llvm::ArrayRef<Interval> loops) {
  for (unsigned i = 0; i < 3; ++i) {
    if (symbol == ("tid." + Axes[i]).str())
      return {0, kernel.shape.block[i] - 1};
    if (symbol == ("ctaid." + Axes[i]).str())
      return {0, kernel.shape.grid[i] - 1};
  }
  unsigned number;
  return symbol.consume_front("i") && !symbol.getAsInteger(10, number) &&
                 number < loops.size()
             ? loops[number]
             : Interval();
}

/// The ranges of all counters: trip counts are made of those of outer loops,
/// which come first.
static std::vector<Interval> rangesOfLoops(const BoundKernel &kernel) {
  std::vector<Interval> ranges;
  for (const Loop &loop : kernel.summary->loops) {
    Interval range{0, Interval::Max};
    if (loop.tripCount.isKnown()) {
      Interval trips = fixes::inLaunch(loop.tripCount.expr, kernel)
                           .range([&](llvm::StringRef symbol) {
                             return rangeOf(symbol, kernel, ranges);
                           });
      if (trips.high != Interval::Max)
        range.high = std::max<int64_t>(trips.high, 1) - 1;
    }
    ranges.push_back(range);
  }
  return ranges;
}

/// \p expr is no larger than what this says, of symbols other than counters;
/// these have the ranges \p counters.
static int64_t mostInLaunch(Expr expr, const BoundKernel &kernel,
                            llvm::ArrayRef<Interval> counters) {
  llvm::ArrayRef<Loop> loops = kernel.summary->loops;
  for (size_t i = loops.size(); i-- > 0;) {
    auto linear = expr.linearIn(loops[i].iv);
    auto slope = linear ? linear->factor->constant() : std::nullopt;
    if (!slope || *slope == 0 || !loops[i].tripCount.isKnown())
      continue;
    Expr last = fixes::inLaunch(loops[i].tripCount.expr, kernel) - Expr(1);
    expr = *slope > 0 ? *linear->rest + Expr(*slope) * last : *linear->rest;
  }
  return expr
      .range([&](llvm::StringRef symbol) {
        return rangeOf(symbol, kernel, counters);
      })
      .high;
}

Interval fixes::rangeInLaunch(const Expr &expr, const BoundKernel &kernel) {
  std::vector<Interval> counters = rangesOfLoops(kernel);
  Interval range = expr.range([&](llvm::StringRef symbol) {
    return rangeOf(symbol, kernel, counters);
  });
  int64_t most = mostInLaunch(expr, kernel, counters);
  int64_t least = mostInLaunch(-expr, kernel, counters);
  return {std::max(range.low, least == Interval::Max ? range.low : -least),
          std::min(range.high, most)};
}

std::string fixes::objectName(const KernelSummary &summary,
                              llvm::StringRef base) {
  std::string argument = argumentName(summary, base);
  return argument.empty() ? variableName(base) : argument;
}

SourceLocation
fixes::firstPlace(const KernelSummary &summary,
                  llvm::function_ref<bool(const Access &)> matches) {
  for (const Access &access : summary.accesses)
    if (matches(access) && access.location.isKnown())
      return access.location;
  return {};
}

OperationalInput fixes::coarser(const OperationalInput &input, double factor) {
  using enum InstructionClass;
  OperationalInput result = input;
  result.instructions = {};
  result.instructions.add(input.instructions, factor);
  result.instructions[SpecialRegister] = input.instructions[SpecialRegister];
  result.blocks = std::ceil(input.blocks / factor);
  // The same work in all, where the last block is not full.
  double share = input.blocks / result.blocks;
  for (double OperationalInput::*volume :
       {&OperationalInput::requestedLoadInBytes,
        &OperationalInput::requestedStoreInBytes,
        &OperationalInput::fewestLoadInBytes,
        &OperationalInput::fewestStoreInBytes, &OperationalInput::partialStores,
        &OperationalInput::l1Cycles, &OperationalInput::phaseCycles,
        &OperationalInput::l2LoadInBytes, &OperationalInput::l2StoreInBytes,
        &OperationalInput::dramLoadInBytes, &OperationalInput::dramStoreInBytes,
        &OperationalInput::dramIdleInBytes})
    result.*volume *= share;
  return result;
}
