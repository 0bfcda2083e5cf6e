// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants without an f make arithmetic on floats one in double precision.
#include "Common.h"

#include <algorithm>

using namespace auspex;

static bool isOf(const LineCode &code, const KernelSummary &summary) {
  return llvm::any_of(summary.doublesOfFloats,
                      [&](const SourceLocation &place) {
                        return place.file == code.location.file &&
                               place.line == code.location.line;
                      });
}

/// Moves from \p mix the share of what is done in double precision, and leaves
/// its conversions out.
static void toSingle(InstructionMix &mix, double share) {
  using enum InstructionClass;
  mix[Fp32] += share * mix[Fp64];
  mix[Fp64] *= 1 - share;
  mix[ConvertWide] *= 1 - share;
}

/// The same in a version of code, of the lines that double their floats; false
/// if it has none.
static bool toSingle(MachineCode &code, const KernelSummary &summary) {
  double doubles = 0;
  for (LineCode &line : code.lines)
    if (isOf(line, summary)) {
      doubles += line.mix[InstructionClass::Fp64];
      toSingle(line.mix, 1);
    }
  if (doubles == 0)
    return false;
  double share = std::min(1.0, doubles / code.mix[InstructionClass::Fp64]);
  for (InstructionMix *mix : {&code.mix, &code.path, &code.threeOperands})
    toSingle(*mix, share);
  return true;
}

namespace auspex::fixes {

void findSinglePrecision(const FixContext &context,
                         std::vector<Variant> &variants) {
  const KernelSummary &before = *context.kernel.summary;
  if (before.doublesOfFloats.empty())
    return;
  OperationalInput ideal = context.input;
  toSingle(ideal.instructions, 1);
  toSingle(ideal.path, 1);
  if (!context.isFaster(ideal))
    return;
  KernelSummary summary = before;
  bool any = false;
  for (Block &block : summary.blocks)
    for (MachineCode &code : block.code)
      any |= toSingle(code, before);
  if (!any)
    return;
  auto input = context.inputOf(summary, context.kernel.launch);
  if (!input)
    return;
  size_t others = before.doublesOfFloats.size() - 1;
  std::string andElsewhere =
      others == 0   ? ""
      : others == 1 ? " and on another line"
                    : " and on " + std::to_string(others) + " other lines";
  variants.push_back({"", before.doublesOfFloats.front(),
                      "write constants with an f (0.5f): here" + andElsewhere +
                          " floats are calculated with as doubles, since a "
                          "constant is one",
                      std::move(*input)});
}

} // namespace auspex::fixes
