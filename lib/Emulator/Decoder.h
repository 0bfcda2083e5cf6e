// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the IR of a function to operations over slots.
#ifndef AUSPEX_LIB_EMULATOR_DECODER_H
#define AUSPEX_LIB_EMULATOR_DECODER_H

#include "Atomics.h"
#include "ProgramCode.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

namespace auspex::emulator {

/// One scalar of a value.
struct Part {
  SlotOffset slot = NoSlot;
  Width width = Width::W32;
};
using Parts = llvm::SmallVector<Part, 4>;

/// A scalar in a type, and where it lies in memory.
struct Leaf {
  llvm::Type *type = nullptr;
  uint64_t offset = 0;
  Width width = Width::W32;
  /// Of an integer; less than the width's if it is an odd one.
  unsigned bits = 0;
};
using Leaves = llvm::SmallVector<Leaf, 4>;

/// By the words of PTX or of an intrinsic's name, after "mbarrier".
std::optional<MemoryBarrierKind>
memoryBarrierKind(llvm::ArrayRef<llvm::StringRef> words);

class Decoder {
public:
  Decoder(ProgramCode &program, Code &code)
      : program(program), code(code), function(*code.function),
        layout(program.layout()) {}

  /// Fills the code. An error names the first thing that is not supported and
  /// its place.
  llvm::Error run();

private:
  ProgramCode &program;
  Code &code;
  const llvm::Function &function;
  const llvm::DataLayout &layout;

  //===--------------------------------------------------------------------===//
  // Slots (Decoder.cpp)

  uint32_t persistentBytes = 0, temporaryBytes = 0, temporaryMost = 0;
  /// Temporary slots of the block that are free again, by width.
  std::vector<SlotOffset> freeSlots[6];
  std::vector<std::pair<SlotOffset, Width>> temporaries;
  llvm::DenseMap<const llvm::Value *, Parts> values;
  /// Uses to come of the values of this block.
  llvm::DenseMap<const llvm::Value *, unsigned> usesLeft;
  llvm::SmallPtrSet<const llvm::Value *, 32> pinned;
  /// Temporaries of the instruction that is decoded, for others after it.
  llvm::SmallVector<Part, 8> scratch;
  std::map<std::pair<Width, std::pair<uint64_t, uint64_t>>, SlotOffset>
      constants;
  std::map<const llvm::GlobalVariable *, SlotOffset> sharedArrays;
  bool resultsPersist = false;
  /// Within the block, from an instruction on.
  bool lanesMayPart = false;

  SlotOffset allocate(Width width);
  SlotOffset allocatePersistent(Width width, unsigned count = 1);
  /// \p count slots side by side.
  SlotOffset allocateRow(Width width, unsigned count);
  SlotOffset constantSlot(Width width, uint64_t low, uint64_t high = 0);
  SlotOffset constantOf(Width width, const llvm::APInt &value);
  SlotOffset sharedSlot(const llvm::GlobalVariable &array);
  Parts partsOf(const llvm::Value *value);
  SlotOffset slotOf(const llvm::Value *value) { return partsOf(value)[0].slot; }
  Parts constantParts(const llvm::Constant &constant);
  void define(const llvm::Instruction &instruction, Parts parts);
  void release(const llvm::Instruction &instruction);
  bool outlivesBlock(const llvm::Instruction &instruction) const;

  //===--------------------------------------------------------------------===//
  // Types

  void flatten(llvm::Type *type, uint64_t offset, Leaves &leaves) const;
  Leaves leavesOf(llvm::Type *type) const;
  /// Which scalar of \p type is the first of the member that \p indices name.
  unsigned leafIndex(llvm::Type *type, llvm::ArrayRef<unsigned> indices) const;
  static std::optional<Width> widthOfBits(uint64_t bits);

  //===--------------------------------------------------------------------===//
  // Operations

  /// Operations of each block in the preferred order, and what they are of.
  struct BlockCode {
    std::vector<Operation> operations;
    std::vector<const llvm::Instruction *> origins;
  };
  std::vector<BlockCode> blocks;
  BlockCode prologue;
  unsigned currentBlock = 0;
  bool inPrologue = false;
  const llvm::Instruction *current = nullptr;
  std::string problem;
  const llvm::Instruction *problemAt = nullptr;

  Operation &emitRaw(Opcode opcode);
  SlotOffset emit(Opcode opcode, Width result,
                  std::initializer_list<SlotOffset> operands,
                  int64_t immediate = 0);
  void unsupported(const llvm::Twine &what);

  //===--------------------------------------------------------------------===//
  // Control flow (Decoder.cpp)

  std::vector<const llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockNumbers;
  /// Edges from outside of a loop to its header.
  llvm::DenseSet<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      loopEntries;
  /// Of the blocks that only hold the copies of an edge.
  std::map<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
           uint32_t>
      edgeNumbers;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> counters;

  void findLoopEntries();
  void numberBlocks();
  void prepareParameters();
  void decodeBlock(const llvm::BasicBlock &block);
  void decodeTerminator(const llvm::Instruction &terminator);
  uint32_t targetOf(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  void emitEdge(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  void emitPhiCopies(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  void emitMerge(Part to, SlotOffset from);
  void finish();

  //===--------------------------------------------------------------------===//
  // Instructions (DecodeInstructions.cpp, DecodeArithmetic.cpp)

  void decode(const llvm::Instruction &instruction);
  void decodeBinary(const llvm::BinaryOperator &operation);
  void decodeCast(const llvm::CastInst &cast);
  void decodeCompare(const llvm::CmpInst &compare);
  void decodeAddress(const llvm::GetElementPtrInst &address);
  void decodeExtractValue(const llvm::ExtractValueInst &extract);
  void decodeInsertValue(const llvm::InsertValueInst &insert);
  void decodeExtractElement(const llvm::ExtractElementInst &extract);
  void decodeInsertElement(const llvm::InsertElementInst &insert);
  void decodeShuffle(const llvm::ShuffleVectorInst &shuffle);
  void decodeCall(const llvm::CallBase &call);
  void decodePlainCall(const llvm::CallBase &call);
  Part castPart(llvm::Instruction::CastOps opcode, Part from,
                llvm::Type *fromType, llvm::Type *toType);
  /// Parts side by side as one word, and back.
  Part packParts(const Parts &parts, const Leaves &leaves);
  Parts unpackPart(Part part, const Leaves &leaves);
  Part integerOperation(Opcode family, const Leaf &leaf, SlotOffset a,
                        SlotOffset b, bool isSigned);
  SlotOffset normalized(SlotOffset slot, const Leaf &leaf);
  SlotOffset signExtended(SlotOffset slot, const Leaf &leaf);
  SlotOffset compareIntegers(llvm::CmpInst::Predicate predicate,
                             const Leaf &leaf, SlotOffset a, SlotOffset b);
  SlotOffset compareFloats(llvm::CmpInst::Predicate predicate, llvm::Type *type,
                           SlotOffset a, SlotOffset b);
  SlotOffset maskNot(SlotOffset mask);
  SlotOffset selectSlots(Width width, SlotOffset condition, SlotOffset a,
                         SlotOffset b);
  /// \p a where \p index is \p number, else \p b.
  SlotOffset selectWhere(Part index, unsigned number, Width width, SlotOffset a,
                         SlotOffset b);
  /// Computes in float or double; half and bfloat go by way of them. \p family
  /// is the one for float, that for double follows.
  SlotOffset floatOperation(Opcode family, llvm::Type *type,
                            llvm::ArrayRef<SlotOffset> operands);
  SlotOffset widen(llvm::Type *type, SlotOffset slot, llvm::Type *to);
  SlotOffset narrow(llvm::Type *type, SlotOffset slot, llvm::Type *from);
  /// The multiplication that becomes one operation with this addition or
  /// subtraction.
  const llvm::BinaryOperator *fusedFactor(const llvm::Instruction &sum) const;
  bool isFused(const llvm::Instruction &product) const;
  bool isFoldedAddress(const llvm::Value *value) const;
  bool isFoldedExtension(const llvm::Value *value) const;
  Parts mapParts(
      const llvm::Instruction &instruction,
      llvm::function_ref<SlotOffset(const Leaf &, llvm::ArrayRef<SlotOffset>)>
          compute);

  //===--------------------------------------------------------------------===//
  // Memory (DecodeMemory.cpp)

  struct Address {
    SlotOffset slot = NoSlot;
    int64_t displacement = 0;
  };
  bool hasAccessNumbers = false;
  /// Of the first access of each instruction that has some.
  llvm::DenseMap<const llvm::Instruction *, uint32_t> accessNumbers;

  void numberAccesses();
  Address addressOf(const llvm::Value *pointer);
  /// A state for an access; \p number is that of the summary.
  uint32_t addAccess(AccessKind kind, unsigned bytes, uint32_t number);
  /// The number of the current instruction's access \p index.
  uint32_t accessNumber(unsigned index = 0) const;
  /// Accesses of the current instruction, an inline assembly, before the next.
  unsigned accessOffset = 0;
  Operation &emitAccess(Opcode opcode, Address address, AccessKind kind,
                        unsigned bytes, uint64_t alignment, uint32_t number);
  void decodeLoad(const llvm::Instruction &instruction,
                  const llvm::Value *pointer, llvm::Type *type,
                  llvm::Align alignment, bool mayWait);
  void loadOddInteger(const llvm::Instruction &instruction, Address address,
                      const Leaf &leaf, unsigned bytes, uint64_t alignment);
  Parts emitAtomic(AtomicKind kind, const Leaves &leaves, Address address,
                   const Parts &values, const Parts &compared, unsigned bytes);
  void decodeStore(const llvm::StoreInst &store);
  void decodeAtomic(const llvm::AtomicRMWInst &atomic);
  void decodeExchange(const llvm::AtomicCmpXchgInst &exchange);
  void decodeAlloca(const llvm::AllocaInst &alloca);
  void decodeDynamicAlloca(const llvm::AllocaInst &alloca);
  void decodeCopy(const llvm::MemIntrinsic &copy);

  //===--------------------------------------------------------------------===//
  // Matrices and barriers in memory (DecodeMatrices.cpp,
  // DecodeMemoryBarriers.cpp)

  bool decodeMatrix(const llvm::IntrinsicInst &call, llvm::StringRef name);
  /// The registers of a matrix, of \p parts from the first on, which are taken
  /// away; too few are a problem.
  Fragment takeFragment(MatrixRole role, MatrixElement type,
                        const MatrixWords &words, bool isWmma,
                        llvm::ArrayRef<Part> &parts);
  /// D, as slots of this width.
  Parts emitMatrixProduct(const MatrixWords &words, bool isWmma,
                          llvm::ArrayRef<Part> operands, Width resultWidth);
  /// \p number is the first access's.
  Parts emitMatrixLoad(const MatrixTransfer &transfer, Address address,
                       SlotOffset stride, Width resultWidth, uint32_t number);
  void emitMatrixStore(const MatrixTransfer &transfer, Address address,
                       SlotOffset stride, llvm::ArrayRef<Part> parts,
                       uint32_t number);
  void emitMatrixMove(Opcode opcode, const MatrixMove &move, MatrixInfo info,
                      Address address, SlotOffset stride, uint32_t number);
  Parts emitLoadRows(Address address, unsigned count, bool isTransposed);
  void emitStoreRows(Address address, llvm::ArrayRef<Part> parts,
                     bool isTransposed);
  /// Waits for all lanes of the warp.
  void emitGatherAll();

  bool decodeMemoryBarrier(const llvm::IntrinsicInst &call,
                           llvm::StringRef name);
  /// The state before, or whether the phase is over. \p value is a count, state
  /// or parity.
  Part emitMemoryBarrier(MemoryBarrierKind kind, Address address,
                         SlotOffset value, SlotOffset bytes = NoSlot);

  //===--------------------------------------------------------------------===//
  // Intrinsics (DecodeIntrinsics.cpp, DecodeNvvm.cpp, DecodeWarps.cpp)

  void decodeIntrinsic(const llvm::IntrinsicInst &call);
  void decodeThreeWayCompare(const llvm::IntrinsicInst &call, bool isSigned);
  /// What \p family computes of \p slots, an element of each operand of
  /// \p call.
  SlotOffset elementOfIntegers(const llvm::IntrinsicInst &call, Opcode family,
                               bool isSigned, const Leaf &leaf,
                               llvm::ArrayRef<SlotOffset> slots);
  // False if there is no such thing.
  bool decodeElementwise(const llvm::IntrinsicInst &call);
  bool decodeWithOverflow(const llvm::IntrinsicInst &call);
  bool decodeVectorReduction(const llvm::IntrinsicInst &call);
  bool decodeNvvm(const llvm::IntrinsicInst &call);
  bool decodeSpecialRegister(const llvm::IntrinsicInst &call,
                             llvm::StringRef name);
  bool decodeWarpIntrinsic(const llvm::IntrinsicInst &call,
                           llvm::StringRef name);
  bool decodeBarrier(const llvm::IntrinsicInst &call, llvm::StringRef name);
  bool decodeNvvmArithmetic(const llvm::IntrinsicInst &call,
                            llvm::StringRef name);
  bool decodeFloat(const llvm::IntrinsicInst &call, llvm::StringRef name);
  bool decodeConversion(const llvm::IntrinsicInst &call, llvm::StringRef name);
  SlotOffset shiftAmount(SlotOffset position, unsigned top);
  bool decodeNvvmMemory(const llvm::IntrinsicInst &call, llvm::StringRef name);
  Part readSpecial(unsigned kind, Width width);
  /// A register by its name in PTX, without "%".
  std::optional<Part> specialRegister(llvm::StringRef name);
  SlotOffset laneConstant(llvm::function_ref<uint32_t(unsigned)> value);
  void emitBarrier(SlotOffset number, SlotOffset threads, bool waits,
                   bool isAligned);
  void emitBarrierWithVote(SlotOffset number, SlotOffset threads,
                           SlotOffset vote, bool waits, bool isAligned);
  Part emitBarrierResult(SlotOffset number, BarrierVote kind);
  /// Waits for those lanes of \p members that are on other ways.
  void emitGather(SlotOffset members, bool isBarrier = false);
  /// The result, and whether the lane read from is in range.
  std::pair<Part, Part> emitShuffle(ShuffleKind kind, SlotOffset value,
                                    SlotOffset lane, SlotOffset control);
  SlotOffset emitVote(VoteKind kind, SlotOffset predicate, SlotOffset members);
  std::pair<Part, Part> emitMatch(Part value, SlotOffset members, bool all);
  Part emitRedux(AtomicKind kind, SlotOffset value, SlotOffset members);
  static std::optional<AtomicKind> reduxKind(llvm::StringRef name);
  void emitAsyncCopy(Address to, Address from, unsigned bytes, SlotOffset size);
  void decodeInlineAssembly(const llvm::CallBase &call);

  friend class AssemblyDecoder;
};

} // namespace auspex::emulator

#endif
