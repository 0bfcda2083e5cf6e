// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccStructCopies.h"

#include "BaseObjects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace auspex;

namespace {
struct Member {
  llvm::Type *type;
  uint64_t offset;
};
using Members = llvm::SmallVector<Member, 8>;
} // namespace

/// Adds the scalars and vectors in \p type, which is at \p offset.
static void addMembers(llvm::Type *type, uint64_t offset,
                       const llvm::DataLayout &layout, Members &members) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *places = layout.getStructLayout(structure);
    for (auto [i, element] : llvm::enumerate(structure->elements()))
      addMembers(element, offset + places->getElementOffset(i), layout,
                 members);
  } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      addMembers(array->getElementType(), offset + i * size, layout, members);
  } else
    members.push_back({type, offset});
}

/// Whether \p copy is as long as \p variable.
static bool isOfWhole(const llvm::MemCpyInst &copy,
                      const llvm::AllocaInst &variable) {
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  auto whole = variable.getAllocationSize(copy.getDataLayout());
  return size && whole && whole->isFixed() &&
         size->equalsInt(whole->getFixedValue());
}

/// The private variable that \p copy copies the whole of, whichever of two it
/// is; null if there is no choice.
static const llvm::AllocaInst *chosenBy(const llvm::MemCpyInst &copy) {
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(copy.getRawSource());
  if (!choice || copy.isVolatile())
    return nullptr;
  auto *one = llvm::dyn_cast<llvm::AllocaInst>(choice->getTrueValue());
  auto *other = llvm::dyn_cast<llvm::AllocaInst>(choice->getFalseValue());
  if (!one || !other || one->getAllocatedType() != other->getAllocatedType())
    return nullptr;
  return isOfWhole(copy, *one) ? one : nullptr;
}

static llvm::Value *placeOf(const Member &member, llvm::Value *whole,
                            llvm::IRBuilder<> &builder) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), whole,
                                            member.offset);
}

static llvm::Align alignmentOf(const Member &member, llvm::MaybeAlign whole) {
  return llvm::commonAlignment(whole.valueOrOne(), member.offset);
}

/// \p value where \p copy has the member.
static void storeMember(llvm::IRBuilder<> &builder,
                        const llvm::MemTransferInst &copy, const Member &member,
                        llvm::Value *value) {
  builder.CreateAlignedStore(value, placeOf(member, copy.getRawDest(), builder),
                             alignmentOf(member, copy.getDestAlign()));
}

/// All members are read before any is written, as both may be the same.
static void copyMembers(llvm::MemTransferInst &copy, const Members &members) {
  llvm::IRBuilder<> builder(&copy);
  llvm::SmallVector<llvm::Value *> values;
  for (const Member &member : members)
    values.push_back(builder.CreateAlignedLoad(
        member.type, placeOf(member, copy.getRawSource(), builder),
        alignmentOf(member, copy.getSourceAlign())));
  for (auto [value, member] : llvm::zip(values, members))
    storeMember(builder, copy, member, value);
  copy.eraseFromParent();
}

llvm::PreservedAnalyses
CopyChosenStructs::run(llvm::Function &function,
                       llvm::FunctionAnalysisManager &) {
  constexpr unsigned Most = 16;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    const llvm::AllocaInst *variable = copy ? chosenBy(*copy) : nullptr;
    if (!variable)
      continue;
    Members members;
    addMembers(variable->getAllocatedType(), 0, function.getDataLayout(),
               members);
    if (members.size() <= Most)
      copyMembers(*copy, members);
  }
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

llvm::PreservedAnalyses AlignAssignments::run(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    if (!copy || !copy->getMetadata(llvm::LLVMContext::MD_tbaa_struct))
      continue;
    llvm::Align alignment = std::max(copy->getSourceAlign().valueOrOne(),
                                     copy->getDestAlign().valueOrOne());
    if (!llvm::isa<llvm::AllocaInst>(copy->getDest()))
      copy->setDestAlignment(alignment);
    if (!llvm::isa<llvm::AllocaInst>(copy->getSource()))
      copy->setSourceAlignment(alignment);
  }
  return llvm::PreservedAnalyses::all();
}

/// What \p copy fills the whole of a private variable with; null if that is no
/// constant.
static llvm::Constant *constantsIn(const llvm::MemCpyInst &copy) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(copy.getDest());
  auto *source = llvm::dyn_cast<llvm::GlobalVariable>(copy.getSource());
  return variable && source && source->isConstant() &&
                 source->hasDefinitiveInitializer() && !copy.isVolatile() &&
                 isOfWhole(copy, *variable)
             ? source->getInitializer()
             : nullptr;
}

llvm::PreservedAnalyses StoreConstants::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &) {
  // So that time stays linear in the code; nvcc has no such limit.
  constexpr unsigned Most = 4096;
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    llvm::Constant *constants = copy ? constantsIn(*copy) : nullptr;
    if (!constants)
      continue;
    Members members;
    addMembers(constants->getType(), 0, layout, members);
    if (members.size() > Most)
      continue;
    llvm::SmallVector<llvm::Constant *> values;
    for (const Member &member : members)
      values.push_back(llvm::ConstantFoldLoadFromConst(
          constants, member.type, llvm::APInt(64, member.offset), layout));
    if (llvm::is_contained(values, nullptr))
      continue;
    llvm::IRBuilder<> builder(copy);
    for (auto [value, member] : llvm::zip(values, members))
      storeMember(builder, *copy, member, value);
    copy->eraseFromParent();
  }
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// The vectors of up to 16 bytes that hold \p members, which have one size and
/// leave no gaps; none if there are no such.
static Members vectorsOf(llvm::ArrayRef<Member> members,
                         const llvm::DataLayout &layout) {
  constexpr uint64_t Widest = 16, Most = 64;
  if (members.size() < 2)
    return {};
  llvm::Type *type = members.front().type;
  uint64_t size = layout.getTypeStoreSize(type), all = size * members.size();
  for (auto [i, member] : llvm::enumerate(members))
    if (!(member.type->isIntegerTy() || member.type->isFloatingPointTy()) ||
        member.offset != i * size ||
        layout.getTypeStoreSize(member.type) != size)
      return {};
  uint64_t ofVector = std::min(all, Widest);
  if (all > Most || all % ofVector != 0 || !llvm::isPowerOf2_64(ofVector) ||
      ofVector <= size)
    return {};
  bool areAlike = llvm::all_of(
      members, [&](const Member &member) { return member.type == type; });
  auto *vector = llvm::FixedVectorType::get(
      areAlike ? type : llvm::IntegerType::get(type->getContext(), 8 * size),
      ofVector / size);
  Members vectors;
  for (uint64_t offset = 0; offset < all; offset += ofVector)
    vectors.push_back({vector, offset});
  return vectors;
}

/// The private variable that \p copy fills or reads the whole of, where the
/// other side is elsewhere; null if it is not that.
static const llvm::AllocaInst *privateSideOf(const llvm::MemCpyInst &copy) {
  auto *to = llvm::dyn_cast<llvm::AllocaInst>(copy.getDest()),
       *from = llvm::dyn_cast<llvm::AllocaInst>(copy.getSource());
  if (!to == !from || copy.isVolatile())
    return nullptr;
  const llvm::AllocaInst *variable = to ? to : from;
  return isOfWhole(copy, *variable) ? variable : nullptr;
}

/// Whether something besides copies of the whole may write to \p variable.
static bool isChangedInPart(const llvm::AllocaInst &variable) {
  llvm::SmallVector<const llvm::Value *, 8> places{&variable};
  while (!places.empty())
    for (const llvm::User *user : places.pop_back_val()->users()) {
      if (llvm::isa<llvm::GEPOperator>(user))
        places.push_back(user);
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (llvm::isa<llvm::StoreInst>(user) ||
          (call && !llvm::isa<llvm::MemCpyInst>(call) &&
           !call->isLifetimeStartOrEnd()))
        return true;
    }
  return false;
}

/// Of functions that have vectors which are changed in part.
static constexpr llvm::StringLiteral HasVectors = "auspex-vectors";

/// Marks \p function and what calls it, which it may become a part of.
static void markVectors(llvm::Function &function) {
  llvm::SmallVector<llvm::Function *, 8> open{&function};
  while (!open.empty()) {
    llvm::Function *next = open.pop_back_val();
    if (next->hasFnAttribute(HasVectors))
      continue;
    next->addFnAttr(HasVectors);
    for (llvm::User *user : next->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
        open.push_back(call->getFunction());
  }
}

/// Whether there are such copies.
static bool copyVectors(llvm::Function &function) {
  const llvm::DataLayout &layout = function.getDataLayout();
  bool hasVectors = false;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    const llvm::AllocaInst *variable = copy ? privateSideOf(*copy) : nullptr;
    if (!variable || !isChangedInPart(*variable))
      continue;
    Members members;
    addMembers(variable->getAllocatedType(), 0, layout, members);
    Members vectors = vectorsOf(members, layout);
    if (vectors.empty())
      continue;
    uint64_t size = layout.getTypeStoreSize(vectors.front().type);
    if (copy->getSourceAlign().valueOrOne() < size ||
        copy->getDestAlign().valueOrOne() < size)
      continue;
    copyMembers(*copy, vectors);
    hasVectors = true;
  }
  return hasVectors;
}

llvm::PreservedAnalyses CopyChangedVectors::run(llvm::Module &module,
                                                llvm::ModuleAnalysisManager &) {
  bool isChanged = false;
  for (llvm::Function &function : module)
    if (copyVectors(function)) {
      markVectors(function);
      isChanged = true;
    }
  return isChanged ? llvm::PreservedAnalyses::none()
                   : llvm::PreservedAnalyses::all();
}

void auspex::keepVectorsWhole(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any &code) {
        auto *function = llvm::any_cast<const llvm::Function *>(&code);
        return pass != "VectorCombinePass" || !function ||
               !(*function)->hasFnAttribute(HasVectors);
      });
}

/// The elements of \p load that are used, each by extractions; none if it is
/// used otherwise.
static std::optional<llvm::SmallBitVector>
elementsUsed(const llvm::LoadInst &load) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!vector || !load.isSimple())
    return std::nullopt;
  llvm::SmallBitVector used(vector->getNumElements());
  for (const llvm::User *user : load.users()) {
    auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
    auto *index =
        extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand())
                : nullptr;
    if (!index || index->uge(used.size()))
      return std::nullopt;
    used.set(index->getZExtValue());
  }
  return used.any() ? std::optional(used) : std::nullopt;
}

/// Loads \p count elements from \p first on, which are all that is used.
static void narrow(llvm::LoadInst &load, unsigned first, unsigned count) {
  llvm::IRBuilder<> builder(&load);
  llvm::Type *element = load.getType()->getScalarType();
  uint64_t offset =
      first * load.getDataLayout().getTypeStoreSize(element).getFixedValue();
  llvm::Value *place = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), load.getPointerOperand(), offset);
  llvm::Type *type =
      count == 1 ? element : llvm::FixedVectorType::get(element, count);
  llvm::Value *part = builder.CreateAlignedLoad(
      type, place, llvm::commonAlignment(load.getAlign(), offset));
  for (llvm::User *user : llvm::make_early_inc_range(load.users())) {
    auto *extract = llvm::cast<llvm::ExtractElementInst>(user);
    uint64_t index = llvm::cast<llvm::ConstantInt>(extract->getIndexOperand())
                         ->getZExtValue();
    builder.SetInsertPoint(extract);
    extract->replaceAllUsesWith(
        count == 1 ? part : builder.CreateExtractElement(part, index - first));
    extract->eraseFromParent();
  }
  load.eraseFromParent();
}

llvm::PreservedAnalyses
NarrowVectorLoads::run(llvm::Function &function,
                       llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<llvm::LoadInst *> loads;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      loads.push_back(load);
  for (llvm::LoadInst *load : loads) {
    auto used = elementsUsed(*load);
    if (!used)
      continue;
    unsigned low = used->find_first(), high = used->find_last(), count = 1;
    while (low / count != high / count)
      count *= 2;
    if (count < used->size())
      narrow(*load, low / count * count, count);
  }
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// Whether \p copy is from or to a shared array. Its elements may be aligned
/// better than those of what is on the other side.
static bool isOfShared(const llvm::MemTransferInst &copy) {
  return llvm::any_of(llvm::ArrayRef({copy.getRawDest(), copy.getRawSource()}),
                      [](const llvm::Value *pointer) {
                        return isSharedArray(
                            *llvm::getUnderlyingObject(pointer));
                      });
}

/// Copies \p bytes by a whole \p unit at a time, to which both sides are
/// aligned.
static void copyInUnits(llvm::MemTransferInst &copy, llvm::Type *unit,
                        uint64_t bytes) {
  uint64_t size = copy.getDataLayout().getTypeStoreSize(unit).getFixedValue();
  Members units;
  for (uint64_t offset = 0; offset < bytes; offset += size)
    units.push_back({unit, offset});
  copyMembers(copy, units);
}

void auspex::copyVectorsWhole(llvm::Module &module, unsigned arch) {
  // nvcc was seen to write no loop for copies of this size.
  constexpr uint64_t Largest = 256;
  const uint64_t widest = arch >= 100 ? 32 : 16;
  auto *word = llvm::Type::getInt32Ty(module.getContext());
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
      auto *size =
          copy ? llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()) : nullptr;
      if (!size || size->getValue().ugt(Largest) || copy->isVolatile())
        continue;
      uint64_t bytes = size->getZExtValue();
      llvm::Align alignment = std::min(copy->getSourceAlign().valueOrOne(),
                                       copy->getDestAlign().valueOrOne());
      auto isOf = [&](uint64_t width) {
        return bytes > 0 && bytes % width == 0 &&
               alignment >= llvm::Align(width);
      };
      uint64_t width = widest;
      while (width >= 16 && !isOf(width))
        width /= 2;
      constexpr uint64_t Word = 4;
      if (width >= 16)
        copyInUnits(*copy, llvm::FixedVectorType::get(word, width / Word),
                    bytes);
      else if (isOf(Word) && !isOf(2 * Word) && isOfShared(*copy))
        copyInUnits(*copy, word, bytes);
    }
}
