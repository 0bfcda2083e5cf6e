// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inline PTX, translated to the operations that IR is translated to.
#ifndef AUSPEX_LIB_EMULATOR_ASSEMBLYDECODER_H
#define AUSPEX_LIB_EMULATOR_ASSEMBLYDECODER_H

#include "Decoder.h"
#include "auspex/Support/PtxText.h"
#include "llvm/ADT/StringMap.h"

namespace auspex::emulator {

/// One inline assembly of a function.
class AssemblyDecoder {
public:
  AssemblyDecoder(Decoder &decoder, const llvm::CallBase &call)
      : decoder(decoder), call(call) {}

  /// What cannot be translated is noted as unsupported.
  void run();

private:
  using StringRef = llvm::StringRef;

  using Statement = PtxStatement;

  Decoder &decoder;
  const llvm::CallBase &call;
  /// Values of "$0", "$1", ..., and of what is declared or assigned.
  llvm::StringMap<Part> registers;
  /// Operands that are constants ("n").
  llvm::StringMap<int64_t> constants;
  unsigned numOutputs = 0;
  llvm::SmallVector<llvm::Type *, 4> outputTypes;
  bool failed = false;

  // Where lanes may go different ways, a register is a slot of its own, and
  // what is written to it is merged there.
  bool hasBranches = false;
  /// The first operation, those of labels, and branches to be told where these
  /// are; by their place in the basic block.
  size_t begin = 0;
  llvm::StringMap<size_t> labels;
  llvm::SmallVector<std::pair<size_t, StringRef>, 4> branches;

  std::vector<Operation> &operations() {
    return decoder.blocks[decoder.currentBlock].operations;
  }
  void bindOperands();
  void bindOutputs();
  void declare(const Statement &statement);
  void finish();
  void runStatement(const Statement &statement);
  void runUnderPredicate(const Statement &statement);
  /// Lanes with \p predicate, or all if it is empty, go to \p label.
  void emitBranch(StringRef predicate, StringRef label);
  void emitLabel(StringRef label);
  void placeBranches();
  bool translate(const Statement &statement);
  bool translateMove(const Statement &statement);
  bool translateInteger(const Statement &statement);
  bool translateCarry(const Statement &statement);
  bool translateFloat(const Statement &statement);
  bool translateBits(const Statement &statement);
  bool translateVideo(const Statement &statement);
  bool translateCompare(const Statement &statement);
  bool translateComparePair(const Statement &statement);
  bool translateConversion(const Statement &statement);
  bool translateMemory(const Statement &statement);
  bool translateAtomic(const Statement &statement);
  bool translateWarp(const Statement &statement);
  bool translateBarrier(const Statement &statement);
  bool translateAsyncCopy(const Statement &statement);
  bool translateMatrix(const Statement &statement);
  bool translateMemoryBarrier(const Statement &statement);
  bool translateTexture(const Statement &statement);
  void emitTexture(Opcode opcode, AccessKind kind, TextureInfo info);
  bool translateSurface(const Statement &statement);
  bool readPlace(StringRef operand, Width width, TextureInfo &info);
  static bool hasSharedAddress(const Statement &statement);

  struct Kind;
  // Groups of opcodes for integers.
  bool translatePredicate(const Statement &statement);
  bool translateProduct(const Statement &statement, const Kind &kind);
  bool translateIntegerPair(const Statement &statement, const Kind &kind);
  bool translateShift(const Statement &statement, const Kind &kind);
  bool translateDifference(const Statement &statement, const Kind &kind);
  bool translateIntegerAlone(const Statement &statement, const Kind &kind);

  /// Computes a result of operands of a float type, or of each half of "f16x2".
  bool mapFloats(
      const Statement &statement, StringRef typeName, unsigned numOperands,
      llvm::function_ref<SlotOffset(const Kind &, llvm::ArrayRef<SlotOffset>)>
          compute);

  /// A type's width, whether it is signed, the IR type of a float.
  struct Kind {
    Width width = Width::W32;
    bool isSigned = false, isFloat = false;
    llvm::Type *type = nullptr;
  };
  std::optional<Kind> kindOf(StringRef type) const;
  Leaf leafOf(const Kind &kind) const;

  SlotOffset read(StringRef operand, Width width);
  std::optional<int64_t> constantOf(StringRef operand) const;
  SlotOffset resize(Part part, Width width, bool isSigned = false);
  void write(StringRef operand, Part value);
  Decoder::Address addressIn(StringRef operand, bool isShared);
};

} // namespace auspex::emulator

#endif
