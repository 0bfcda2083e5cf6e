// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/LaunchValues.h"

#include "auspex/Kernel/FloatOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

LaunchValues auspex::valuesInLaunch(const KernelSummary &summary,
                                    const LaunchConfig &launch,
                                    const LaunchShape &shape) {
  static constexpr llvm::StringRef axes[] = {"x", "y", "z"};
  LaunchValues values;
  for (unsigned i = 0; i < 3; ++i) {
    values[("ntid." + axes[i]).str()] = shape.block[i];
    values[("nctaid." + axes[i]).str()] = shape.grid[i];
  }
  // What nobody says is null leads somewhere.
  constexpr int64_t AnyAddress = 1;
  for (auto [index, argument] : llvm::enumerate(summary.arguments))
    if (argument.kind == Argument::Kind::Pointer)
      values["arg" + std::to_string(index)] = AnyAddress;
  for (const Access &access : summary.accesses)
    if (isSetByHost(access.base))
      values[access.base] = AnyAddress;
  for (const auto &[name, argument] : launch.arguments)
    values[name] = argument.value;
  for (const auto &[name, argument] : launch.floatArguments)
    values[name] = floatPlace(argument.value);
  return values;
}

Expr auspex::substitute(const Expr &expr, const LaunchValues &values) {
  return expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    auto found = values.find(name);
    if (found == values.end())
      return std::nullopt;
    return Expr(found->second);
  });
}
