// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instruction mix, parallelism and dependence height of straight-line code.
#ifndef AUSPEX_LIB_ANALYSIS_BLOCKCODE_H
#define AUSPEX_LIB_ANALYSIS_BLOCKCODE_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace auspex {

/// One machine instruction of a block: what it costs, and which earlier ones it
/// truly depends on (positions in the block).
struct CodeNode {
  InstructionMix cost;
  /// The class that stands for it in latencies and in the memory order.
  InstructionClass main = InstructionClass::Move;
  /// Costs nothing; only passes its inputs on.
  bool free = false;
  /// Floating-point arithmetic that reads three different registers.
  bool hasThreeOperands = false;
  /// The part of one instruction of its main class, integer work, that the
  /// assembler has as a multiply-add.
  double asMultiplyAdd = 0;
  /// A sequence with a branch, over which the assembler moves nothing.
  bool endsBlock = false;
  llvm::SmallVector<unsigned, 4> inputs;
};

/// Sums up a block. The assembler moves loads ahead of what does not need them,
/// so parallelism is measured on a list schedule by the longest path, not on
/// the order in which the instructions come.
MachineCode summarizeBlock(llvm::ArrayRef<CodeNode> nodes);

/// One of several blocks that the assembler makes one.
struct JoinedPart {
  /// The number of its nodes.
  size_t nodes = 0;
  /// It runs or not, its instructions predicated.
  bool isSide = false;
  /// The part that runs in its place, if there is one.
  std::optional<size_t> otherSide{};
};

/// Sums up blocks that the assembler makes one, with the nodes of one after the
/// other. ILP and MLP are those of all. The paths of what always runs add up to
/// the longest through that alone; what the longest of all has more is on the
/// paths of the sides it goes through, and on those of their other sides.
std::vector<MachineCode> summarizeJoined(llvm::ArrayRef<CodeNode> nodes,
                                         llvm::ArrayRef<JoinedPart> parts);

/// By line, then file: the order of MachineCode::lines.
void sortLines(std::vector<LineCode> &lines);

/// Joins code that runs one after the other: mixes and paths add up, ILP and
/// MLP are weighted by instructions and by memory instructions.
void append(MachineCode &code, const MachineCode &next);

/// What one of several versions costs on average, if it is not known which of
/// them runs. There is at least one.
MachineCode average(llvm::ArrayRef<MachineCode> versions);

} // namespace auspex

#endif
