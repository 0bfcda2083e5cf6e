// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What memory a machine instruction reads or writes.
#ifndef AUSPEX_LIB_ANALYSIS_MACHINEMEMORY_H
#define AUSPEX_LIB_ANALYSIS_MACHINEMEMORY_H

#include "auspex/Kernel/InstructionMix.h"
#include "llvm/CodeGen/MachineInstr.h"

namespace auspex {

/// The class of a load, store or atomic by its address space; reads of
/// parameters, and what is given to a call in registers, are moves.
InstructionClass memoryClass(const llvm::MachineInstr &instruction);

/// Whether an instruction of this name is ld.global.nc or ldu. The back end
/// does not say of them that they load.
bool isReadOnlyLoad(llvm::StringRef opcode);

/// Whether \p instruction reads a parameter: free, for parameters are operands.
bool readsParameter(const llvm::MachineInstr &instruction);

/// Whether it reads constant memory at a place known when it is compiled, which
/// is an operand, too.
bool readsConstantPlace(const llvm::MachineInstr &instruction);

/// Whether an instruction of this name gives a side of the block or the grid,
/// which is an operand, too.
bool isLaunchSize(llvm::StringRef opcode);

/// What inline assembly does to memory. The assembler goes by the instructions:
/// that it is volatile, or clobbers memory, is for the compiler alone.
enum class AssemblyEffect : uint8_t {
  None,
  ReadsShared,
  ReadsGlobal,
  /// Writes, waits, or is not known.
  Other
};
AssemblyEffect assemblyEffect(llvm::StringRef assembly);

/// The alloca that it accesses; null for any other memory.
const llvm::Value *privateArrayOf(const llvm::MachineInstr &instruction);

/// What it accesses; 0 if that is not known.
uint64_t bytesOf(const llvm::MachineInstr &instruction);

} // namespace auspex

#endif
