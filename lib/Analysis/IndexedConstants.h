// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How ptxas loads from constant memory at a place that is no constant. Two
/// words of the same eight bytes it loads at once (LDC.64). From 7.5 on a load
/// whose place is counted by a loop that all lanes leave together goes to a
/// uniform register (ULDC), which asks nothing of the constant cache's own
/// pipe. Found by trying CUDA 11.8 for 7.0 to 9.0.
#ifndef AUSPEX_LIB_ANALYSIS_INDEXEDCONSTANTS_H
#define AUSPEX_LIB_ANALYSIS_INDEXEDCONSTANTS_H

#include "MachineValues.h"
#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <tuple>

namespace auspex {

class IndexedConstants : MachineValues {
public:
  IndexedConstants(const llvm::MachineFunction &machine, unsigned arch);

  /// What \p load costs, one from constant memory with an index.
  InstructionMix costOf(const llvm::MachineInstr &load) const;

private:
  using Seen = llvm::SmallPtrSet<const llvm::MachineInstr *, 16>;
  /// Four bytes that a block loads: a register and how far from what it says.
  using Word = std::tuple<const llvm::MachineBasicBlock *, unsigned, int64_t>;
  const unsigned arch;
  llvm::DenseSet<Word> words;

  static std::optional<Word> wordOf(const llvm::MachineInstr &load);
  bool isPaired(const llvm::MachineInstr &load) const;
  bool isArithmetic(const llvm::MachineInstr &instruction) const;
  bool isSameForAll(const llvm::MachineOperand &operand,
                    const llvm::MachineBasicBlock &loop, bool isCounted,
                    Seen &seen) const;
  bool endsTogether(const llvm::MachineBasicBlock &loop) const;
};

} // namespace auspex

#endif
