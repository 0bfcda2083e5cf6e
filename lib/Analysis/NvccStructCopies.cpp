// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccStructCopies.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

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

/// The private variable that \p copy copies the whole of, whichever of two it
/// is; null if there is no choice.
static const llvm::AllocaInst *chosenBy(const llvm::MemCpyInst &copy) {
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(copy.getRawSource());
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!choice || !size || copy.isVolatile())
    return nullptr;
  auto *one = llvm::dyn_cast<llvm::AllocaInst>(choice->getTrueValue());
  auto *other = llvm::dyn_cast<llvm::AllocaInst>(choice->getFalseValue());
  if (!one || !other || one->getAllocatedType() != other->getAllocatedType())
    return nullptr;
  auto whole = one->getAllocationSize(copy.getDataLayout());
  return whole && whole->isFixed() && size->equalsInt(whole->getFixedValue())
             ? one
             : nullptr;
}

/// All members are read before any is written, as both may be the same.
static void copyMembers(llvm::MemCpyInst &copy, const Members &members) {
  llvm::IRBuilder<> builder(&copy);
  llvm::SmallVector<llvm::Value *> values;
  auto at = [&](llvm::Value *place, const Member &member) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place,
                                              member.offset);
  };
  auto alignment = [](llvm::MaybeAlign whole, const Member &member) {
    return llvm::commonAlignment(whole.valueOrOne(), member.offset);
  };
  for (const Member &member : members)
    values.push_back(
        builder.CreateAlignedLoad(member.type, at(copy.getRawSource(), member),
                                  alignment(copy.getSourceAlign(), member)));
  for (auto [value, member] : llvm::zip(values, members))
    builder.CreateAlignedStore(value, at(copy.getRawDest(), member),
                               alignment(copy.getDestAlign(), member));
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
