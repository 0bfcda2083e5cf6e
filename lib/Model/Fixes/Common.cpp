// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "auspex/Kernel/FloatOrder.h"
#include "auspex/Kernel/KernelNames.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

static constexpr llvm::StringRef Axes[] = {"x", "y", "z"};

bool fixes::hasIndependentThreads(const FixContext &context) {
  using enum InstructionClass;
  const KernelSummary &summary = *context.kernel.summary;
  if (summary.staticSharedInBytes || summary.usesDynamicShared)
    return false;
  for (InstructionClass together : {Barrier, Shuffle, Vote, Redux, Tensor})
    if (context.input.instructions[together] > 0)
      return false;
  return true;
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
  return expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    for (unsigned i = 0; i < 3; ++i) {
      if (name == ("ntid." + Axes[i]).str())
        return Expr(kernel.shape.block[i]);
      if (name == ("nctaid." + Axes[i]).str())
        return Expr(kernel.shape.grid[i]);
    }
    auto argument = kernel.launch.arguments.find(name.str());
    if (argument != kernel.launch.arguments.end())
      return Expr(argument->second.value);
    auto number = kernel.launch.floatArguments.find(name.str());
    if (number != kernel.launch.floatArguments.end())
      return Expr(floatPlace(number->second.value));
    return std::nullopt;
  });
}

Interval fixes::rangeInLaunch(llvm::StringRef symbol,
                              const BoundKernel &kernel) {
  for (unsigned i = 0; i < 3; ++i) {
    if (symbol == ("tid." + Axes[i]).str())
      return {0, kernel.shape.block[i] - 1};
    if (symbol == ("ctaid." + Axes[i]).str())
      return {0, kernel.shape.grid[i] - 1};
  }
  llvm::ArrayRef<Loop> loops = kernel.summary->loops;
  unsigned number;
  if (!symbol.consume_front("i") || symbol.getAsInteger(10, number) ||
      number >= loops.size())
    return {};
  if (!loops[number].tripCount.isKnown())
    return {0, Interval::Max};
  auto ofOuterLoop = [&](llvm::StringRef name) {
    unsigned outer;
    bool isInner =
        name.starts_with("i") &&
        (name.drop_front().getAsInteger(10, outer) || outer >= number);
    return isInner ? Interval() : rangeInLaunch(name, kernel);
  };
  Interval trips =
      inLaunch(loops[number].tripCount.expr, kernel).range(ofOuterLoop);
  bool isOpen = trips.high == Interval::Max;
  return {0, isOpen ? Interval::Max : std::max<int64_t>(trips.high, 1) - 1};
}

/// \p expr is no larger than what this says, of symbols other than counters.
static int64_t mostInLaunch(Expr expr, const BoundKernel &kernel) {
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
        return fixes::rangeInLaunch(symbol, kernel);
      })
      .high;
}

Interval fixes::rangeInLaunch(const Expr &expr, const BoundKernel &kernel) {
  Interval range = expr.range(
      [&](llvm::StringRef symbol) { return rangeInLaunch(symbol, kernel); });
  int64_t most = mostInLaunch(expr, kernel);
  int64_t least = mostInLaunch(-expr, kernel);
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
