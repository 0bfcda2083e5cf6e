// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value changes with that is not known before the kernel runs:
// x[tid.y + i0] is the same wherever the sum of tid.y and i0 is.
#include "ValueTranslator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <numeric>

using namespace auspex;
using llvm::StringRef;

/// Whether it tells threads, blocks or turns of loops apart.
static bool isIndex(StringRef name) {
  return isThreadIndex(name) || isBlockIndex(name) || name.starts_with("i");
}

static bool usesIndex(const Expr &expr) { return expr.usesAny(isIndex); }

static bool usesData(const Expr &expr) { return expr.usesAny(isData); }

/// Adds the parts of \p more; false if that makes too many.
static bool join(Dependences &to, const Dependences &more) {
  constexpr size_t Most = 8;
  for (const Expr &part : more)
    if (!llvm::is_contained(to, part))
      to.push_back(part);
  return to.size() <= Most;
}

/// \p expr without the factor that all its terms share.
static Expr withoutCommonFactor(const Expr &expr) {
  int64_t factor = 0;
  for (const Expr::Term &term : expr.sum())
    factor = std::gcd(factor, term.coefficient);
  return factor > 1 ? Expr::floorDiv(expr, Expr(factor)) : expr;
}

/// Whether \p expr is made of so much that its symbols say it as well.
static bool isLong(const Expr &expr) {
  constexpr unsigned Most = 32;
  unsigned size = 0;
  for (const Expr::Term &term : expr.sum())
    for (const Expr::Factor &factor : term.factors)
      size += factor.atom->size;
  return size > Most;
}

/// What any value may change with that a block has one of where \p value is, or
/// anywhere if it is null.
Dependences ValueTranslator::anyIndexOfBlock(llvm::Value *value) {
  Dependences all;
  for (StringRef name : {"ctaid.x", "ctaid.y", "ctaid.z"})
    all.push_back(Expr::symbol(name));
  auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
  for (const llvm::Loop *loop : order)
    if (!value || (instruction && loop->contains(instruction)))
      all.push_back(Expr::symbol(counterName(loop)));
  return all;
}

/// The same of any value that threads have.
Dependences ValueTranslator::anyIndexAround(llvm::Value *value) {
  Dependences all;
  if (value && isUniformValue(*value))
    all.push_back(warpOfThread());
  else
    for (StringRef name : {"tid.x", "tid.y", "tid.z"})
      all.push_back(Expr::symbol(name));
  llvm::append_range(all, anyIndexOfBlock(value));
  return all;
}

/// Nothing if it is of too many.
std::optional<Dependences> ValueTranslator::dependences(const Expr &expr) {
  if (!expr.isValid())
    return std::nullopt;
  Dependences result;
  std::vector<std::string> unknown;
  bool areFew = true;
  auto addIndices = [&](const Expr &part) {
    part.forEachSymbol([&](StringRef name) {
      if (isIndex(name))
        areFew &= join(result, {Expr::symbol(name)});
    });
  };
  Expr ofIndices = expr.filterTerms([&](const Expr &term) {
    if (!usesData(term))
      return usesIndex(term);
    // Data together with indices: any of them may matter.
    addIndices(term);
    term.forEachSymbol([&](StringRef name) {
      if (isData(name))
        unknown.push_back(name.str());
    });
    return false;
  });
  if (isLong(ofIndices))
    addIndices(ofIndices);
  else if (!ofIndices.isZero())
    areFew &= join(result, {withoutCommonFactor(ofIndices)});
  for (const std::string &name : unknown)
    areFew &= join(result, withDependences(name).changesWith);
  return areFew ? std::optional(std::move(result)) : std::nullopt;
}

/// Whether it has the same value for the same operands, and for nothing else.
static bool isFunctionOfOperands(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return llvm::isa<llvm::IntrinsicInst>(call) &&
           call->doesNotAccessMemory() && !call->isConvergent();
  return llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CmpInst,
                   llvm::CastInst, llvm::SelectInst, llvm::FreezeInst,
                   llvm::ExtractValueInst, llvm::InsertValueInst,
                   llvm::ExtractElementInst, llvm::InsertElementInst,
                   llvm::ShuffleVectorInst>(instruction);
}

/// Nothing if it is made of more than \p instruction says.
std::optional<Dependences>
ValueTranslator::dependencesOfParts(llvm::Instruction &instruction,
                                    unsigned depth) {
  const llvm::BasicBlock *block = instruction.getParent();
  // The same address holds the same value for all threads, but for memory that
  // each of them has its own of, and each block, which fills it again and
  // again.
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    PointerValue address = translatePointer(load->getPointerOperand(), block);
    if (!address.base ||
        !llvm::isa<llvm::Argument, llvm::GlobalValue, llvm::LoadInst>(
            address.base))
      return std::nullopt;
    auto inObject = dependences(address.offset);
    bool isOfBlock = address.base->getType()->getPointerAddressSpace() ==
                     llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
    if (inObject && isOfBlock && !join(*inObject, anyIndexOfBlock(load)))
      return std::nullopt;
    if (!inObject || !join(*inObject, dependences(*address.base, depth + 1)))
      return std::nullopt;
    return inObject;
  }
  if (!isFunctionOfOperands(instruction))
    return std::nullopt;
  Dependences result;
  for (llvm::Value *operand : instruction.operands()) {
    auto isKnownInteger = [&] {
      return operand->getType()->isIntegerTy() &&
             llvm::isa<llvm::Instruction>(operand);
    };
    std::optional<Dependences> part =
        isKnownInteger() ? dependences(translate(operand, block))
                         : dependences(*operand, depth + 1);
    if (!part || !join(result, *part))
      return std::nullopt;
  }
  return result;
}

Dependences ValueTranslator::dependences(llvm::Value &value, unsigned depth) {
  constexpr unsigned Deepest = 16;
  if (llvm::isa<llvm::Constant, llvm::Argument>(value))
    return {};
  if (auto found = knownDependences.find(&value);
      found != knownDependences.end())
    return found->second;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  std::optional<Dependences> ofParts;
  if (instruction && depth < Deepest)
    ofParts = dependencesOfParts(*instruction, depth);
  return knownDependences[&value] = ofParts ? *ofParts : anyIndexAround(&value);
}

const DataSymbol &ValueTranslator::withDependences(StringRef name) {
  auto place = findDataSymbol(name) - symbols.data();
  if (!haveDependences.insert(place).second)
    return symbols[place];
  llvm::Value *value = symbolValues[place];
  Dependences found =
      value ? dependences(*value, /*depth=*/0) : anyIndexAround(nullptr);
  DataSymbol &symbol = symbols[place];
  symbol.uniform |= llvm::none_of(
      found, [](const Expr &part) { return part.usesAny(isThreadIndex); });
  symbol.changesWith = std::move(found);
  return symbol;
}
