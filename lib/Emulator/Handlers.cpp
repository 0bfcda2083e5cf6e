// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Handlers.h"

#include "llvm/ADT/StringRef.h"

#include <cstdlib>

using namespace auspex::emulator;

namespace {
enum class InstructionSet { Baseline, AVX2, AVX512 };

/// What the processor has; AUSPEX_EMULATOR_ISA=sse2|avx2 asks for less.
InstructionSet chooseInstructionSet() {
#ifdef AUSPEX_X86_ISAS
  llvm::StringRef asked;
  if (const char *value = std::getenv("AUSPEX_EMULATOR_ISA"))
    asked = value;
  if (asked == "sse2")
    return InstructionSet::Baseline;
  if (asked != "avx2" && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return InstructionSet::AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return InstructionSet::AVX2;
#endif
  return InstructionSet::Baseline;
}

struct Table {
  HandlerTable handlers = {};
  RequestFunction request = nullptr;

  Table() {
    switch (chooseInstructionSet()) {
#define USE(isa)                                                               \
  isa::addArithmeticHandlers(handlers);                                        \
  isa::addDataHandlers(handlers);                                              \
  isa::addMemoryHandlers(handlers);                                            \
  isa::addMatrixHandlers(handlers);                                            \
  request = isa::request;                                                      \
  break;
    case InstructionSet::Baseline:
      USE(baseline)
#ifdef AUSPEX_X86_ISAS
    case InstructionSet::AVX2:
      USE(avx2)
    case InstructionSet::AVX512:
      USE(avx512)
#else
    default:
      break;
#endif
#undef USE
    }
    addControlHandlers(handlers);
    addWarpHandlers(handlers);
    addBarrierHandlers(handlers);
    addMemoryBarrierHandlers(handlers);
    addAtomicHandlers(handlers);
    addTextureHandlers(handlers);
    addCallHandlers(handlers);
  }
};

const Table &table() {
  static const Table table;
  return table;
}
} // namespace

const HandlerTable &auspex::emulator::handlerTable() {
  return table().handlers;
}
RequestFunction auspex::emulator::requestFunction() { return table().request; }
