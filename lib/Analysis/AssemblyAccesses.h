// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What inline assembly reads and writes: loads, stores, atomics, asynchronous
/// copies, rows of matrices, textures and surfaces in PTX.
#ifndef AUSPEX_LIB_ANALYSIS_ASSEMBLYACCESSES_H
#define AUSPEX_LIB_ANALYSIS_ASSEMBLYACCESSES_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/IR/InstrTypes.h"

namespace auspex {

struct AssemblyAccess {
  AccessKind kind = AccessKind::Load;
  /// Unknown where the address may be to any.
  MemorySpace space = MemorySpace::Unknown;
  uint64_t bytes = 0;
  /// As in Access.
  unsigned lanes = 32;
  /// Of an atomic: "add", ..., and whether nobody wants the old value.
  std::string operation;
  bool isReduction = false;
  /// Of a load: L1 is passed by, as ld.global.cg does.
  bool bypassesL1 = false;
  /// Made under a predicate: lanes in which that does not hold take no part.
  bool isConditional = false;
  /// A pointer, or an integer that is one; null if the assembly calculates it.
  /// Of a texture its object.
  llvm::Value *address = nullptr;
  int64_t displacement = 0;
};

struct AssemblyAccesses {
  /// In the order of the text; a copy stores before it loads. The emulator
  /// counts the same ones, in the same order.
  std::vector<AssemblyAccess> known;
  /// Whether there is a bulk copy of which the code does not say how many
  /// bytes: a tile of a tensor map, or what a variable holds.
  bool copiesUnknownBytes = false;
};

AssemblyAccesses assemblyAccesses(const llvm::CallBase &call);

} // namespace auspex

#endif
