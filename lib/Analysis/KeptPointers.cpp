// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KeptPointers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace auspex;

namespace {
/// A pointer into the array; at a constant place or at any.
struct Way {
  llvm::Value *pointer;
  std::optional<int64_t> place;
};
} // namespace

/// From \p way on by \p user, which calculates an address.
static Way follow(const Way &way, llvm::Operator &user,
                  const llvm::DataLayout &layout) {
  auto *moved = llvm::dyn_cast<llvm::GEPOperator>(&user);
  if (!moved)
    return {&user, way.place};
  llvm::APInt offset(layout.getIndexTypeSizeInBits(moved->getType()), 0);
  if (!way.place || !moved->accumulateConstantOffset(layout, offset))
    return {&user, std::nullopt};
  return {&user, *way.place + offset.getSExtValue()};
}

static bool isAddress(const llvm::User &user) {
  auto *operation = llvm::dyn_cast<llvm::Operator>(&user);
  return operation &&
         (llvm::isa<llvm::GEPOperator>(user) ||
          operation->getOpcode() == llvm::Instruction::AddrSpaceCast);
}

llvm::SmallVector<KeptPointer, 4> auspex::keptPointers(llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getDataLayout();
  auto *array = llvm::dyn_cast<llvm::AllocaInst>(
      llvm::getUnderlyingObject(load.getPointerOperand()));
  if (!array || !load.getType()->isPointerTy())
    return {};
  llvm::SmallVector<KeptPointer, 4> kept;
  llvm::SmallVector<Way, 8> ways{{array, 0}};
  while (!ways.empty()) {
    Way way = ways.pop_back_val();
    for (llvm::User *user : way.pointer->users()) {
      if (isAddress(*user)) {
        ways.push_back(follow(way, llvm::cast<llvm::Operator>(*user), layout));
        continue;
      }
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (llvm::isa<llvm::LoadInst>(user) ||
          (call && call->isLifetimeStartOrEnd()))
        continue;
      auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!store || !way.place || store->getPointerOperand() != way.pointer ||
          store->getValueOperand()->getType() != load.getType())
        return {};
      kept.push_back({*way.place, store});
    }
  }
  llvm::sort(kept, [](const KeptPointer &a, const KeptPointer &b) {
    return a.place < b.place;
  });
  for (size_t i = 1; i < kept.size(); ++i)
    if (kept[i].place == kept[i - 1].place)
      return {};
  return kept;
}
