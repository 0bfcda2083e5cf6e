// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From names of NVPTX opcodes, intrinsics and PTX text to hardware
/// instructions, by the tables of MachineClasses.def.
#ifndef AUSPEX_LIB_ANALYSIS_MACHINECLASSES_H
#define AUSPEX_LIB_ANALYSIS_MACHINECLASSES_H

#include "auspex/Kernel/InstructionMix.h"
#include "llvm/CodeGen/MachineInstr.h"

namespace auspex {

/// Some instructions of one class.
struct ClassCount {
  InstructionClass id;
  unsigned count;
};
using Expansion = llvm::ArrayRef<ClassCount>;

/// The instructions of an NVPTX opcode on \p arch, the oldest if it is 0; none
/// if no row matches.
std::optional<Expansion> classifyOpcode(llvm::StringRef name,
                                        unsigned arch = 0);
/// What it knows \p instruction, whose opcode has this name, by: approximations
/// that take denormals for zero as `..._ftz`. Their operands and results are
/// not scaled.
std::string costedName(const llvm::MachineInstr &instruction,
                       llvm::StringRef name);
/// Whether a sequence branches to code for the operands that it does not
/// handle: divisions, square roots.
bool hasSlowPath(Expansion expansion);
/// The instructions of a call of an intrinsic or device library function.
std::optional<Expansion> classifyIntrinsic(llvm::StringRef name);
/// The instructions of a piece of inline assembly on \p arch, summed; a
/// statement that no row matches is a move.
InstructionMix classifyAssembly(llvm::StringRef text, unsigned arch = 0);

} // namespace auspex

#endif
