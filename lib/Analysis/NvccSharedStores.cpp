// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccSharedStores.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <optional>

using namespace auspex;

namespace {
/// Bytes of shared memory, from a value on that all have in common.
struct Bytes {
  const llvm::Value *base = nullptr;
  int64_t begin = 0, end = 0;

  bool isBeside(const Bytes &other) const {
    return base == other.base && begin <= other.end && other.begin <= end;
  }
};

/// Stores to neighbours, with no other access to shared memory between them.
class Row {
public:
  explicit Row(const llvm::DataLayout &layout) : layout(layout) {}
  ~Row() { finish(); }

  void pass(llvm::Instruction &instruction);

private:
  const llvm::DataLayout &layout;
  Bytes bytes;
  llvm::SmallVector<llvm::StoreInst *, 16> stores;

  std::optional<Bytes> inShared(const llvm::Instruction &access) const;
  void finish();
};
} // namespace

/// What a load or store to shared memory is of.
std::optional<Bytes> Row::inShared(const llvm::Instruction &access) const {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() !=
                      llvm::NVPTXAS::ADDRESS_SPACE_SHARED)
    return std::nullopt;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  int64_t begin = offset.getSExtValue();
  auto size = static_cast<int64_t>(
      layout.getTypeStoreSize(llvm::getLoadStoreType(&access)));
  return Bytes{base, begin, begin + size};
}

void Row::pass(llvm::Instruction &instruction) {
  bool isAccess = llvm::getLoadStorePointerOperand(&instruction) != nullptr;
  std::optional<Bytes> next = inShared(instruction);
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  bool goesOn = next ? store && next->isBeside(bytes)
                     : isAccess || !instruction.mayReadOrWriteMemory();
  if (!goesOn)
    finish();
  if (!store || !next)
    return;
  if (stores.empty())
    bytes = *next;
  bytes = {next->base, std::min(bytes.begin, next->begin),
           std::max(bytes.end, next->end)};
  stores.push_back(store);
}

void Row::finish() {
  auto together = static_cast<uint64_t>(bytes.end - bytes.begin);
  for (llvm::StoreInst *store : stores)
    store->setAlignment(
        std::min(store->getAlign(), llvm::Align(llvm::bit_floor(together))));
  stores.clear();
  bytes = {};
}

llvm::PreservedAnalyses KeepStoresInTurn::run(llvm::Function &function,
                                              llvm::FunctionAnalysisManager &) {
  for (llvm::BasicBlock &block : function) {
    Row row(function.getDataLayout());
    for (llvm::Instruction &instruction : block)
      row.pass(instruction);
  }
  return llvm::PreservedAnalyses::all();
}
