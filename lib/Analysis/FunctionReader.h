// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads the machine code of one function.
#ifndef AUSPEX_LIB_ANALYSIS_FUNCTIONREADER_H
#define AUSPEX_LIB_ANALYSIS_FUNCTIONREADER_H

#include "CodeOwners.h"
#include "MachineCodeReader.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

/// The instructions of \p machine, given to the blocks of the snapshot. \p
/// assembled is what ptxas says of the kernel; null if nobody asked.
KernelCode readFunction(const llvm::MachineFunction &machine,
                        const CodeSnapshot &snapshot, const CodeOwners &owners,
                        const AssembledKernel *assembled);

} // namespace auspex

#endif
