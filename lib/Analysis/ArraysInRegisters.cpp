// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArraysInRegisters.h"

#include "MachineClasses.h"
#include "MachineMemory.h"
#include "MachineValues.h"
#include "Target.h"
#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <cmath>

using namespace auspex;

/// The pointer that \p instruction accesses, without constant offsets: two that
/// have the same one are at the same index. Of a constant index it is the
/// array.
static const llvm::Value *indexedPlaceOf(const llvm::MachineInstr &access) {
  if (access.memoperands_empty())
    return nullptr;
  const llvm::Value *place = access.memoperands().front()->getValue();
  if (!place)
    return nullptr;
  const llvm::DataLayout &layout = access.getMF()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(place->getType()), 0);
  return place
      ->stripAndAccumulateConstantOffsets(layout, offset,
                                          /*AllowNonInbounds=*/true)
      ->stripPointerCasts();
}

static bool isAtConstantIndex(const llvm::MachineInstr &access) {
  return llvm::isa_and_nonnull<llvm::AllocaInst>(indexedPlaceOf(access));
}

/// Of an array of \p size bytes, those that accesses as wide as this one may be
/// at.
static uint64_t placesOf(const llvm::MachineInstr &access, uint64_t size) {
  return llvm::divideCeil(size, bytesOf(access));
}

/// What brings each word of \p access from or to each of these places.
static double movesOf(const llvm::MachineInstr &access, uint64_t size) {
  return static_cast<double>(placesOf(access, size) *
                             (bytesOf(access) / RegisterInBytes));
}

static bool isOfWords(const llvm::AllocaInst &array) {
  return scalarOf(array.getAllocatedType())->getScalarSizeInBits() ==
         8 * RegisterInBytes;
}

/// Whether \p user, of a place in an array, stores nothing else than constants.
static bool storesConstants(const llvm::User &user) {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user))
    return llvm::isa<llvm::Constant>(store->getValueOperand());
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&user))
    return llvm::isa<llvm::Constant>(set->getValue());
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  return llvm::isa<llvm::LoadInst>(user) ||
         (intrinsic && intrinsic->isLifetimeStartOrEnd());
}

/// Whether nothing but constants is stored to \p array.
static bool holdsConstants(const llvm::AllocaInst &array) {
  llvm::SmallVector<const llvm::Value *, 8> places{&array};
  while (!places.empty())
    for (const llvm::User *user : places.pop_back_val()->users()) {
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user))
        places.push_back(user);
      else if (!storesConstants(*user))
        return false;
    }
  return true;
}

/// What the assembler makes of it.
static double instructionsOf(const llvm::MachineInstr &instruction,
                             llvm::StringRef opcode, unsigned arch) {
  double count = 0;
  if (auto expansion = classifyOpcode(costedName(instruction, opcode), arch))
    for (const ClassCount &part : *expansion)
      count += part.count;
  return std::max(count, 1.0);
}

namespace {
/// What ptxas weighs: so much at each depth of loops, as if each went ten
/// turns.
struct Weight {
  void add(double count, unsigned depth) {
    (depth ? inLoops : outside) += count * std::pow(10, depth);
  }
  double inLoops = 0, outside = 0;
};

/// A private array that may be kept in registers, and what that costs.
struct Candidate {
  uint64_t bytes = 0;
  /// Of the accesses at an index that is not constant: the places that they may
  /// be at, and how many they are.
  Weight places, loads, stores;
  /// Accesses at constant indices, which are no instructions in registers.
  Weight gone;
  bool isTooDear = false;
  bool isOfConstants = false;
  uint64_t widestStore = RegisterInBytes;
  /// By one block.
  double mostLoadedWords = 0;

  void add(const llvm::MachineInstr &access, unsigned depth);
  /// In a function of so many instructions.
  bool pays(const Weight &instructions) const;

private:
  const llvm::MachineBasicBlock *block = nullptr;
  double loadedWords = 0;

  double words() const { return static_cast<double>(bytes / RegisterInBytes); }
  bool isUsedEnough(const Weight &instructions) const;
};
} // namespace

void Candidate::add(const llvm::MachineInstr &access, unsigned depth) {
  uint64_t width = bytesOf(access);
  if (width == 0 || width % RegisterInBytes != 0) {
    isTooDear = true;
    return;
  }
  if (access.mayStore())
    widestStore = std::max(widestStore, width);
  if (isAtConstantIndex(access))
    return gone.add(1, depth);
  if (access.mayLoad()) {
    if (block != access.getParent())
      loadedWords = 0;
    block = access.getParent();
    loadedWords += static_cast<double>(width / RegisterInBytes);
    mostLoadedWords = std::max(mostLoadedWords, loadedWords);
  }
  places.add(static_cast<double>(placesOf(access, bytes)), depth);
  (access.mayStore() ? stores : loads).add(1, depth);
}

/// Whether loads in loops are worth the registers that a larger array takes all
/// the time: there is one in so many instructions, one store in more of them.
/// Of many words these are the fewer the more there are, with those that a
/// block loads from it.
bool Candidate::isUsedEnough(const Weight &instructions) const {
  constexpr double FreeWords = 12, FewWords = 18;
  constexpr double InstructionsByLoad = 85, InstructionsByStore = 250;
  constexpr double ByLoadOfMany = 630, ByStoreOfMany = 730;
  if (isOfConstants || words() <= FreeWords || loads.inLoops == 0)
    return true;
  double most =
      words() <= FewWords
          ? InstructionsByLoad * loads.inLoops +
                InstructionsByStore * stores.inLoops
          : (ByLoadOfMany * loads.inLoops + ByStoreOfMany * stores.inLoops) /
                (words() + mostLoadedWords);
  return instructions.inLoops <= most;
}

bool Candidate::pays(const Weight &instructions) const {
  constexpr double MostShare = 0.95, LessShareByWord = 0.1;
  constexpr double PlacesByWord = 2, LessPlaces = 12;
  if (isTooDear || !isUsedEnough(instructions))
    return false;
  // Each constant is an instruction for ptxas.
  double outside =
      isOfConstants
          ? (MostShare - LessShareByWord * (widestStore / RegisterInBytes)) *
                (instructions.outside + words())
          : instructions.outside - gone.outside + PlacesByWord * words() -
                LessPlaces;
  return places.inLoops + places.outside <=
         instructions.inLoops - gone.inLoops + outside;
}

ArraysInRegisters::ArraysInRegisters(const llvm::MachineFunction &machine)
    : machine(machine) {
  constexpr uint64_t MostInBytes = 64 * RegisterInBytes;
  const llvm::MachineFrameInfo &frame = machine.getFrameInfo();
  if (!frame.hasStackObjects())
    return;
  llvm::DenseMap<const llvm::AllocaInst *, Candidate> candidates;
  for (int i = 0; i < frame.getObjectIndexEnd(); ++i) {
    const llvm::AllocaInst *array = frame.getObjectAllocation(i);
    auto size = array && isOfWords(*array)
                    ? array->getAllocationSize(machine.getDataLayout())
                    : std::nullopt;
    if (size && size->getFixedValue() <= MostInBytes) {
      Candidate &candidate = candidates[array];
      candidate.bytes = size->getFixedValue();
      candidate.isOfConstants = holdsConstants(*array);
    }
  }
  auto &function = const_cast<llvm::MachineFunction &>(machine);
  llvm::MachineDominatorTree dominators(function);
  llvm::MachineLoopInfo loops(dominators);
  const MachineValues values(machine);
  const unsigned arch = archOf(machine);
  Weight instructions;
  for (const llvm::MachineBasicBlock &block : machine)
    for (const llvm::MachineInstr &instruction : block) {
      unsigned depth = loops.getLoopDepth(&block);
      if (!instruction.isCopyLike() && !instruction.isMetaInstruction() &&
          !instruction.isPHI())
        instructions.add(
            instructionsOf(instruction, values.nameOf(instruction), arch),
            depth);
      if (auto array =
              candidates.find(llvm::dyn_cast_if_present<llvm::AllocaInst>(
                  privateArrayOf(instruction)));
          array != candidates.end())
        array->second.add(instruction, depth);
    }
  for (const auto &[array, candidate] : candidates) {
    if (!candidate.pays(instructions))
      continue;
    words[array] = static_cast<unsigned>(candidate.bytes / RegisterInBytes);
    allInBytes += llvm::alignTo(candidate.bytes, array->getAlign());
    if (candidate.isOfConstants)
      constants.insert(array);
  }
}

unsigned
ArraysInRegisters::wordsOf(const llvm::MachineInstr &instruction) const {
  return words.empty() ? 0 : words.lookup(privateArrayOf(instruction));
}

InstructionMix
ArraysInRegisters::selection(const llvm::MachineInstr &instruction) const {
  InstructionMix mix;
  if (isAtConstantIndex(instruction))
    return mix;
  const llvm::Value *place = indexedPlaceOf(instruction);
  bool isCompared = llvm::any_of(
      llvm::make_range(instruction.getParent()->begin(),
                       llvm::MachineBasicBlock::const_iterator(instruction)),
      [&](const llvm::MachineInstr &before) {
        return place && indexedPlaceOf(before) == place;
      });
  uint64_t size = wordsOf(instruction) * RegisterInBytes;
  if (!isCompared)
    mix[InstructionClass::Compare] =
        static_cast<double>(placesOf(instruction, size));
  // IMAD.MOV; by the counters of an RTX 2080 Ti, 27 to 42 %.
  constexpr double ShareOfMultiplyAdds = 1 / 3.0;
  double moves = movesOf(instruction, size);
  mix[InstructionClass::Move] = (1 - ShareOfMultiplyAdds) * moves;
  mix[InstructionClass::IntMul] = ShareOfMultiplyAdds * moves;
  return mix;
}

using MachineBlocks = llvm::SmallSetVector<const llvm::MachineBasicBlock *, 8>;

/// \p blocks and all that \p next leads to from there.
static MachineBlocks reachedFrom(
    MachineBlocks blocks,
    llvm::function_ref<void(const llvm::MachineBasicBlock &, MachineBlocks &)>
        addNext) {
  for (unsigned i = 0; i < blocks.size(); ++i)
    addNext(*blocks[i], blocks);
  return blocks;
}

llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned>
ArraysInRegisters::wordsInBlocks() const {
  llvm::MapVector<const llvm::Value *, MachineBlocks> accesses;
  if (!words.empty())
    for (const llvm::MachineBasicBlock &block : machine)
      for (const llvm::MachineInstr &instruction : block)
        if (const llvm::Value *array = privateArrayOf(instruction);
            words.contains(array) && !constants.contains(array))
          accesses[array].insert(&block);
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned> result;
  for (const auto &[array, blocks] : accesses) {
    MachineBlocks after = reachedFrom(
        blocks, [](const llvm::MachineBasicBlock &block, MachineBlocks &to) {
          to.insert(block.succ_begin(), block.succ_end());
        });
    MachineBlocks before = reachedFrom(
        blocks, [](const llvm::MachineBasicBlock &block, MachineBlocks &to) {
          to.insert(block.pred_begin(), block.pred_end());
        });
    for (const llvm::MachineBasicBlock *block : after)
      if (before.contains(block))
        result[block] += words.lookup(array);
  }
  return result;
}
