// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccJoins.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace auspex;

namespace {
/// Bytes of memory, from a value on that all have in common.
struct Bytes {
  const llvm::Value *base = nullptr;
  int64_t begin = 0, end = 0;

  bool isBeside(const Bytes &other) const {
    return base == other.base && begin <= other.end && other.begin <= end;
  }
};
} // namespace

/// What a load or store accesses.
static Bytes bytesOf(const llvm::Instruction &access,
                     const llvm::DataLayout &layout) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  int64_t begin = offset.getSExtValue();
  auto size = static_cast<int64_t>(
      layout.getTypeStoreSize(llvm::getLoadStoreType(&access)));
  return {base, begin, begin + size};
}

//===----------------------------------------------------------------------===//
// Stores to shared memory
//===----------------------------------------------------------------------===//

namespace {
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

  void finish();
};
} // namespace

void Row::pass(llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  bool isInShared = pointer && pointer->getType()->getPointerAddressSpace() ==
                                   llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
  if (!isInShared) {
    if (!pointer && instruction.mayReadOrWriteMemory())
      finish();
    return;
  }
  Bytes next = bytesOf(instruction, layout);
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (!store || !next.isBeside(bytes))
    finish();
  if (!store)
    return;
  if (stores.empty())
    bytes = next;
  bytes = {next.base, std::min(bytes.begin, next.begin),
           std::max(bytes.end, next.end)};
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

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

/// Of two words of four that are loaded, the first is not aligned for all.
static void keepGaps(llvm::BasicBlock &block, const llvm::DataLayout &layout) {
  constexpr int64_t Word = 4;
  constexpr unsigned Words = 4;
  std::map<std::pair<const llvm::Value *, int64_t>, llvm::LoadInst *> words;
  for (llvm::Instruction &instruction : block)
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      Bytes bytes = bytesOf(*load, layout);
      if (bytes.end - bytes.begin == Word)
        words.try_emplace({bytes.base, bytes.begin}, load);
    }
  for (auto [place, first] : words) {
    auto [base, begin] = place;
    auto isLoaded = [&, base = base, begin = begin](int64_t word) {
      return words.contains({base, begin + word * Word});
    };
    bool hasGap = !isLoaded(1) &&
                  llvm::count_if(llvm::seq<int64_t>(2, Words), isLoaded) == 1;
    if (hasGap && first->getAlign() >= Word * Words)
      first->setAlignment(llvm::Align(Word));
  }
}

llvm::PreservedAnalyses KeepApartAsNvcc::run(llvm::Function &function,
                                             llvm::FunctionAnalysisManager &) {
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::BasicBlock &block : function) {
    Row row(layout);
    for (llvm::Instruction &instruction : block)
      row.pass(instruction);
    keepGaps(block, layout);
  }
  return llvm::PreservedAnalyses::all();
}
