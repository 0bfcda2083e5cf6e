// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What instructions wait for that run one after the other.
#ifndef AUSPEX_LIB_ANALYSIS_CODEDEPENDENCES_H
#define AUSPEX_LIB_ANALYSIS_CODEDEPENDENCES_H

#include "BlockCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineInstr.h"

#include <map>
#include <optional>

namespace auspex {

/// The dependences between machine instructions, through registers and memory,
/// and on the ends of the assembler's blocks. Sees them in their order.
class CodeDependences {
public:
  /// What follows runs or not: if not, its registers keep what they had.
  void beginSide();
  /// What follows always runs.
  void endSide();

  /// Adds the inputs of \p node, which stands for \p instruction: positions of
  /// what was seen before.
  void add(const llvm::MachineInstr &instruction, bool isReadOnly,
           CodeNode &node);

private:
  /// Memory order: reads may pass reads; nothing passes a write of the same
  /// kind of memory; nothing passes a barrier.
  struct Order {
    std::optional<unsigned> write;
    llvm::SmallVector<unsigned, 8> reads;
  };

  unsigned position = 0;
  /// Where the side began that runs or not.
  std::optional<unsigned> side;
  /// The instructions of which a register may have its value.
  llvm::DenseMap<llvm::Register, llvm::SmallVector<unsigned, 1>> definitions;
  std::map<int, Order> memory;
  std::optional<unsigned> barrier;
  /// What ended the assembler's block before this one.
  std::optional<unsigned> blockEnd;

  void addMemoryOrder(const llvm::MachineInstr &instruction, bool isReadOnly,
                      CodeNode &node);
  void waitForAll(CodeNode &node);
  void define(llvm::Register reg);
};

} // namespace auspex

#endif
