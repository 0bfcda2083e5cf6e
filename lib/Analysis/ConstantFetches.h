// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How often machine code fetches constants into registers.
#ifndef AUSPEX_LIB_ANALYSIS_CONSTANTFETCHES_H
#define AUSPEX_LIB_ANALYSIS_CONSTANTFETCHES_H

#include "MachineValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <cstdint>
#include <utility>

namespace auspex {

/// Whether instructions take no constants as operands, for \p arch, as 90.
inline bool fetchesConstants(unsigned arch) { return arch >= 90; }

/// What gives \p use its value, if that is a parameter, a size of the launch,
/// or constant memory at a place that is known when code is compiled; null
/// otherwise.
const llvm::MachineInstr *constantOf(const MachineValues &values,
                                     const llvm::MachineOperand &use);

/// These constants. Up to compute capability 8.9 an instruction takes one
/// of them as operand. From 9.0 on it takes registers alone, and ptxas (of CUDA
/// 13) fetches 64 bits at a time (LDC, ULDC, LDCU), and moves doubles that
/// stand in the code in two halves, if the lower one is not 0; anew in each
/// block that has use for them, but for innermost loops, before which it does
/// so once.
class ConstantFetches : MachineValues {
public:
  ConstantFetches(const llvm::MachineFunction &machine, unsigned arch);

  /// Instructions of \p block that fetch constants.
  unsigned of(const llvm::MachineBasicBlock &block) const;

private:
  /// 64 bits of parameters, of launch sizes, or of a variable, or 32 of a
  /// number in the code.
  using Word = std::pair<const void *, int64_t>;
  using Words = llvm::SmallSetVector<Word, 8>;

  const llvm::MachineFunction &machine;
  /// Of each parameter, in bytes from the first.
  llvm::SmallVector<int64_t> offsets;
  llvm::DenseMap<const llvm::MachineBasicBlock *, Words> words;

  void findWordsOf(const llvm::MachineBasicBlock &block);
  Word wordOf(const llvm::MachineInstr &constant) const;
  void addLiteral(const llvm::MachineOperand &use, Words &to) const;
  void moveOutOfLoops();
};

} // namespace auspex

#endif
