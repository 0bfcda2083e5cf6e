// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What instructions wait for that run one after the other.
#ifndef AUSPEX_LIB_ANALYSIS_CODEDEPENDENCES_H
#define AUSPEX_LIB_ANALYSIS_CODEDEPENDENCES_H

#include "BlockCode.h"
#include "MachineValues.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace auspex {

/// The dependences between machine instructions, through registers and memory,
/// and on the ends of the assembler's blocks. Sees them in their order.
class CodeDependences {
public:
  /// \p values outlives it.
  explicit CodeDependences(const MachineValues &values) : values(values) {}

  /// What follows runs or not: if not, its registers keep what they had.
  void beginSide();
  /// What follows always runs.
  void endSide();

  /// Adds the inputs of \p node, which stands for \p instruction: positions of
  /// what was seen before.
  void add(const llvm::MachineInstr &instruction, CodeNode &node);

private:
  /// An address: bytes from what is known by its number alone.
  struct Address {
    unsigned root = 0;
    int64_t offset = 0;
  };
  struct Write {
    unsigned position;
    Address address;
    int64_t bytes;
  };
  /// Memory order: reads may pass reads, and writes of the same kind of memory
  /// that are a constant number of bytes away; nothing passes a barrier.
  struct Order {
    /// The last, and the last of another root.
    std::optional<Write> write, elsewhere;
    llvm::DenseMap<unsigned, llvm::SmallVector<Write, 4>> ofRoot;
    llvm::SmallVector<unsigned, 8> reads;

    void addWrite(const Write &next);
    /// The writes that a read of \p bytes at \p address waits for.
    void addWritesBefore(const Address &address, int64_t bytes,
                         llvm::SmallVectorImpl<unsigned> &inputs) const;
  };

  const MachineValues &values;
  unsigned position = 0;
  /// Where the side began that runs or not.
  std::optional<unsigned> side;
  /// The instructions of which a register may have its value.
  llvm::DenseMap<llvm::Register, llvm::SmallVector<unsigned, 1>> definitions;
  std::map<int, Order> memory;
  std::optional<unsigned> barrier;
  /// What ended the assembler's block before this one.
  std::optional<unsigned> blockEnd;

  /// Of registers, as far as anything asked for them.
  llvm::DenseMap<llvm::Register, Address> addresses;
  unsigned roots = 0;

  void addMemoryOrder(const llvm::MachineInstr &instruction, CodeNode &node);
  void waitForAll(CodeNode &node);
  void define(llvm::Register reg);
  Address addressIn(const llvm::MachineOperand &operand);
  Address accessed(const llvm::MachineInstr &instruction, int64_t bytes);
  void defineAddress(const llvm::MachineInstr &instruction);
};

} // namespace auspex

#endif
