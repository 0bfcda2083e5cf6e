// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What atomic operations do.
#ifndef AUSPEX_LIB_EMULATOR_ATOMICS_H
#define AUSPEX_LIB_EMULATOR_ATOMICS_H

#include "llvm/IR/Instructions.h"

#include <optional>

namespace auspex::emulator {

enum class AtomicKind : uint32_t {
  Exchange,
  CompareAndSwap,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  SMax,
  SMin,
  UMax,
  UMin,
  Increment,
  Decrement,
  ConditionalSub,
  SaturatingSub,
  FAdd,
  FSub,
  FMax,
  FMin,
  HalfAdd,
  HalfSub,
  HalfMax,
  HalfMin,
  BfloatAdd,
  BfloatSub,
  BfloatMax,
  BfloatMin,
};

/// None for what there is not. \p type is that of an element.
std::optional<AtomicKind> atomicKind(llvm::AtomicRMWInst::BinOp operation,
                                     const llvm::Type *type);

} // namespace auspex::emulator

#endif
