// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells the lanes of a warp apart in a value that is not known before the
// kernel runs: x[tid.y] is the same for all lanes with the same tid.y.
#include "ValueTranslator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <numeric>
#include <set>

using namespace auspex;
using llvm::StringRef;

/// More of them hardly ever leave two lanes alike.
static constexpr size_t MostDependences = 4;

static bool usesThread(const Expr &expr) {
  bool found = false;
  expr.forEachSymbol(
      [&](StringRef name) { found |= name.starts_with("tid."); });
  return found;
}

static bool usesData(const Expr &expr) {
  bool found = false;
  expr.forEachSymbol(
      [&](StringRef name) { found |= name.starts_with("data"); });
  return found;
}

/// Whether \p parts tell most lanes side by side apart, in blocks that are
/// wide along x, if what else they are of is large.
static bool tellLanesApart(const LaneDependences &parts) {
  constexpr int64_t Lanes = 32, Large = 1 << 20;
  std::set<std::vector<int64_t>> seen;
  for (int64_t lane = 0; lane < Lanes; ++lane) {
    std::vector<int64_t> values;
    for (const Expr &part : parts)
      if (auto value =
              part.evaluate([&](StringRef name) -> std::optional<int64_t> {
                return name == "tid.x"            ? lane
                       : name.starts_with("tid.") ? 0
                                                  : Large;
              }))
        values.push_back(*value);
    seen.insert(std::move(values));
  }
  return seen.size() > Lanes / 2;
}

/// Adds the parts of \p more; false if that makes too many, or leaves hardly
/// two lanes alike.
static bool join(LaneDependences &to, const LaneDependences &more) {
  for (const Expr &part : more)
    if (!llvm::is_contained(to, part))
      to.push_back(part);
  return to.size() <= MostDependences && !tellLanesApart(to);
}

/// \p expr without the factor that all its terms share.
static Expr withoutCommonFactor(const Expr &expr) {
  int64_t factor = 0;
  for (const Expr::Term &term : expr.sum())
    factor = std::gcd(factor, term.coefficient);
  return factor > 1 ? Expr::floorDiv(expr, Expr(factor)) : expr;
}

std::optional<LaneDependences>
ValueTranslator::laneDependences(const Expr &expr) {
  if (!expr.isValid())
    return std::nullopt;
  LaneDependences result;
  std::vector<std::string> unknown;
  bool areAlike = true;
  Expr ofThread = expr.filterTerms([&](const Expr &term) {
    if (!usesData(term))
      return usesThread(term);
    // Data together with indices: any of them may matter.
    term.forEachSymbol([&](StringRef name) {
      if (name.starts_with("data"))
        unknown.push_back(name.str());
      else if (name.starts_with("tid."))
        areAlike &= join(result, {Expr::symbol(name)});
    });
    return false;
  });
  if (!ofThread.isZero())
    areAlike &= join(result, {withoutCommonFactor(ofThread)});
  for (const std::string &name : unknown) {
    const DataSymbol &symbol = withDependences(name);
    areAlike &= (symbol.uniform || !symbol.agreesOn.empty()) &&
                join(result, symbol.agreesOn);
  }
  return areAlike ? std::optional(std::move(result)) : std::nullopt;
}

/// Whether lanes get the same value for the same operands, and for nothing
/// else.
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

std::optional<LaneDependences>
ValueTranslator::laneDependences(llvm::Value &value, unsigned depth) {
  constexpr unsigned Deepest = 16;
  if (llvm::isa<llvm::Constant, llvm::Argument>(value) || isUniformValue(value))
    return LaneDependences();
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == Deepest)
    return std::nullopt;
  const llvm::BasicBlock *block = instruction->getParent();
  // The same address holds the same value for all lanes, but for memory that
  // each thread has its own of.
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    PointerValue address = translatePointer(load->getPointerOperand(), block);
    if (!address.base ||
        !llvm::isa<llvm::Argument, llvm::GlobalValue, llvm::LoadInst>(
            address.base))
      return std::nullopt;
    auto ofObject = laneDependences(*address.base, depth + 1);
    auto inObject = laneDependences(address.offset);
    if (!ofObject || !inObject || !join(*ofObject, *inObject))
      return std::nullopt;
    return ofObject;
  }
  if (!isFunctionOfOperands(*instruction))
    return std::nullopt;
  LaneDependences result;
  for (llvm::Value *operand : instruction->operands()) {
    auto isKnownInteger = [&] {
      return operand->getType()->isIntegerTy() &&
             llvm::isa<llvm::Instruction>(operand);
    };
    std::optional<LaneDependences> part =
        isKnownInteger() ? laneDependences(translate(operand, block))
                         : laneDependences(*operand, depth + 1);
    if (!part || !join(result, *part))
      return std::nullopt;
  }
  return result;
}

const DataSymbol &ValueTranslator::withDependences(StringRef name) {
  auto place = findDataSymbol(name) - symbols.data();
  llvm::Value *value = symbolValues[place];
  if (!value || symbols[place].uniform || !haveDependences.insert(place).second)
    return symbols[place];
  if (auto found = laneDependences(*value, /*depth=*/0)) {
    symbols[place].uniform = found->empty();
    symbols[place].agreesOn = std::move(*found);
  }
  return symbols[place];
}
