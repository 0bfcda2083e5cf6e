// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccPrivateArrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace auspex;

constexpr uint64_t Widest = 16;

/// Of \p place as the index and constant offsets in an array tell; 1 in what is
/// no private array.
static llvm::Align alignmentOf(const llvm::Value *place,
                               const llvm::DataLayout &layout) {
  llvm::Align alignment(Widest);
  while (true) {
    if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(place))
      return std::min(alignment, array->getAlign());
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(place)) {
      place = cast->getPointerOperand();
      continue;
    }
    auto *element = llvm::dyn_cast<llvm::GEPOperator>(place);
    unsigned width = layout.getIndexTypeSizeInBits(place->getType());
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> indices;
    llvm::APInt constant(width, 0);
    if (!element || !element->collectOffset(layout, width, indices, constant))
      return llvm::Align();
    alignment = llvm::commonAlignment(alignment, constant.getZExtValue());
    for (const auto &[index, scale] : indices) {
      unsigned zeros =
          llvm::computeKnownBits(index, layout).countMinTrailingZeros() +
          scale.countr_zero();
      alignment =
          llvm::commonAlignment(alignment, uint64_t(1) << std::min(zeros, 32u));
    }
    place = element->getPointerOperand();
  }
}

void auspex::alignPrivateArrays(llvm::Function &kernel) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (auto size = array->getAllocationSize(layout);
          size && !size->isScalable() && size->getFixedValue() > 0)
        array->setAlignment(std::max(
            array->getAlign(),
            llvm::commonAlignment(llvm::Align(Widest), size->getFixedValue())));
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    if (const llvm::Value *place =
            llvm::getLoadStorePointerOperand(&instruction)) {
      llvm::Align alignment =
          std::max(llvm::getLoadStoreAlignment(&instruction),
                   alignmentOf(place, layout));
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        load->setAlignment(alignment);
      else
        llvm::cast<llvm::StoreInst>(instruction).setAlignment(alignment);
    }
  }
}
