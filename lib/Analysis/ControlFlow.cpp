// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ControlFlow.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

ControlFlow::ControlFlow(llvm::Function &function, ValueTranslator &values,
                         llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                         llvm::PostDominatorTree &postDominators,
                         llvm::BranchProbabilityInfo &probabilities)
    : function(function), values(values), loopInfo(loops),
      dominators(dominators), postDominators(postDominators),
      probabilities(probabilities) {
  computeGuards();
}

bool auspex::endsProgram(const llvm::BasicBlock &block) {
  constexpr unsigned Most = 8;
  const llvm::BasicBlock *last = &block;
  for (unsigned i = 0; i < Most && last; ++i) {
    if (llvm::isa<llvm::UnreachableInst>(last->getTerminator()))
      return true;
    last = last->getUniqueSuccessor();
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static bool mentions(const llvm::BasicBlock &block,
                     llvm::function_ref<bool(llvm::StringRef)> isName) {
  for (const llvm::Instruction &instruction : block)
    for (const llvm::Value *operand : instruction.operands())
      if (operand->getType()->isPointerTy() &&
          isName(operand->stripInBoundsOffsets()->getName()))
        return true;
  return false;
}

/// Assertions that fail and messages, which the compiler does not take for
/// unlikely.
static bool isMessage(const llvm::BasicBlock &block) {
  return mentions(block, [](llvm::StringRef name) {
    return name == "__assertfail" || name == "vprintf";
  });
}

/// Tables that only the slow paths of the device library read: the reduction of
/// huge arguments of sine and cosine.
static bool readsSlowPathTable(const llvm::BasicBlock &block) {
  return mentions(block, [](llvm::StringRef name) {
    return name.starts_with("__cudart_i2opi");
  });
}

/// A comparison as the device library makes it before it reduces an argument:
/// with 48039, 105615 or, of doubles, 2^31; alone, or, where it is made before
/// a loop, together with that for infinity.
static bool isForHugeArguments(const llvm::Value *condition) {
  using namespace llvm::PatternMatch;
  constexpr double Huge = 4e4;
  const llvm::Value *left, *right;
  if (match(condition, m_Freeze(m_Value(left))))
    return isForHugeArguments(left);
  if (match(condition, m_LogicalOr(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return isForHugeArguments(left) || isForHugeArguments(right);
  auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(condition);
  if (!comparison || comparison->isEquality())
    return false;
  auto *bound = llvm::dyn_cast<llvm::ConstantFP>(comparison->getOperand(1));
  return bound &&
         (bound->getType()->isFloatTy() || bound->getType()->isDoubleTy()) &&
         bound->getValueAPF().isFinite() &&
         bound->getValueAPF().convertToDouble() > Huge;
}

/// Whether \p branch leads to a slow path by the successor of number \p arm.
bool ControlFlow::isSlow(const llvm::BranchInst &branch, unsigned arm) const {
  llvm::BasicBlock *to = branch.getSuccessor(arm);
  llvm::BasicBlockEdge edge(branch.getParent(), to);
  bool isHuge = isForHugeArguments(branch.getCondition());
  return llvm::any_of(messages,
                      [&](const llvm::BasicBlock *message) {
                        return dominators.dominates(edge, message) &&
                               postDominators.dominates(message, to);
                      }) ||
         (isHuge && llvm::any_of(slowPaths, [&](const llvm::BasicBlock *slow) {
            return dominators.dominates(edge, slow);
          }));
}

/// Whether \p comparison asks if a pointer that the kernel is given is null.
static bool asksForNull(const llvm::ICmpInst &comparison) {
  auto isArgument = [](const llvm::Value *value) {
    return llvm::isa<llvm::Argument>(value->stripPointerCasts());
  };
  return comparison.isEquality() && isArgument(comparison.getOperand(0)) &&
         llvm::isa<llvm::ConstantPointerNull>(
             comparison.getOperand(1)->stripPointerCasts());
}

/// Whether \p value comes from memory at \p pointer, by a load or an atomic.
static bool comesFrom(const llvm::Value *value, const llvm::Value *pointer) {
  constexpr size_t Most = 16;
  llvm::SmallSetVector<const llvm::Value *, 16> sources;
  sources.insert(value);
  for (size_t i = 0; i < sources.size() && i < Most; ++i) {
    const llvm::Value *source = sources[i];
    const llvm::Value *from = nullptr;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(source))
      from = load->getPointerOperand();
    else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(source))
      from = exchange->getPointerOperand();
    if (from && from->stripPointerCasts() == pointer)
      return true;
    if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::ExtractValueInst>(
            source))
      for (const llvm::Value *operand :
           llvm::cast<llvm::Instruction>(source)->operands())
        sources.insert(operand);
  }
  return false;
}

/// Whether \p branch compares a number with what is in memory, and only by the
/// successor of number \p arm exchanges that: a minimum or maximum of all
/// threads.
bool ControlFlow::breaksRecord(const llvm::BranchInst &branch,
                               unsigned arm) const {
  auto *comparison = llvm::dyn_cast<llvm::CmpInst>(branch.getCondition());
  if (!comparison || comparison->isEquality())
    return false;
  llvm::BasicBlockEdge edge(branch.getParent(), branch.getSuccessor(arm));
  return llvm::any_of(exchanges, [&](const llvm::AtomicCmpXchgInst *exchange) {
    const llvm::Value *pointer =
        exchange->getPointerOperand()->stripPointerCasts();
    return dominators.dominates(edge, exchange->getParent()) &&
           llvm::any_of(comparison->operands(), [&](const llvm::Value *value) {
             return comesFrom(value, pointer);
           });
  });
}

/// The shared variable that \p pointer is a known place in, which \p offset is
/// set to; null if it is no such place.
static const llvm::GlobalVariable *sharedVariableAt(const llvm::Value *pointer,
                                                    const llvm::Module &module,
                                                    llvm::APInt &offset) {
  const llvm::DataLayout &layout = module.getDataLayout();
  offset = llvm::APInt(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(
      pointer->stripAndAccumulateConstantOffsets(layout, offset,
                                                 /*AllowNonInbounds=*/true));
  offset = offset.sextOrTrunc(64);
  return variable && variable->getAddressSpace() ==
                         llvm::NVPTXAS::ADDRESS_SPACE_SHARED
             ? variable
             : nullptr;
}

/// What the one store to the place in a shared variable stores that \p load
/// reads; null if there are several, or it is no such place. What is stored to
/// other places of an array, at an index that is not known too, is taken not to
/// meet it.
static const llvm::Value *onlyStored(const llvm::LoadInst &load) {
  const llvm::Module &module = *load.getModule();
  llvm::APInt offset, ofStore;
  auto *variable = sharedVariableAt(load.getPointerOperand(), module, offset);
  if (!variable)
    return nullptr;
  const llvm::Value *stored = nullptr;
  llvm::SmallVector<const llvm::User *> users(variable->users());
  while (!users.empty()) {
    const llvm::User *user = users.pop_back_val();
    if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user)) {
      users.append(user->user_begin(), user->user_end());
      continue;
    }
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    bool isElsewhere = store ? sharedVariableAt(store->getPointerOperand(),
                                                module, ofStore) != variable ||
                                   ofStore != offset
                             : llvm::isa<llvm::LoadInst>(user) ||
                                   variable->getValueType()->isArrayTy();
    if (isElsewhere)
      continue;
    if (!store || stored)
      return nullptr;
    stored = store->getValueOperand();
  }
  return stored;
}

/// What \p value is but for a cast, or was for the thread that told it the
/// others by way of shared memory; null if it is made in another way.
static const llvm::Value *behind(const llvm::Value *value) {
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst>(value))
    return llvm::cast<llvm::Instruction>(value)->getOperand(0);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    return onlyStored(*load);
  return nullptr;
}

/// Whether \p value, but for casts and constants that are added, is what a
/// counter had that atomics of all threads update. One thread may tell it the
/// others by way of shared memory.
static bool isOfCounter(const llvm::Value *value) {
  constexpr unsigned Deepest = 8;
  for (unsigned depth = 0; depth < Deepest; ++depth) {
    const llvm::Value *before = behind(value), *sum = nullptr;
    if (llvm::PatternMatch::match(
            value,
            llvm::PatternMatch::m_Add(llvm::PatternMatch::m_Value(sum),
                                      llvm::PatternMatch::m_ConstantInt())))
      before = sum;
    if (!before)
      break;
    value = before;
  }
  auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(value);
  if (!atomic || !llvm::isa<llvm::Argument, llvm::GlobalVariable>(
                     atomic->getPointerOperand()->stripPointerCasts()))
    return false;
  switch (atomic->getOperation()) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
  case llvm::AtomicRMWInst::UIncWrap:
  case llvm::AtomicRMWInst::UDecWrap:
    return true;
  default:
    return false;
  }
}

/// What \p value, a condition or what holds one, is for one of all updates of a
/// counter and no other: a block asks whether it is the last, and may tell its
/// threads by way of shared memory. Nothing for other conditions.
static std::optional<bool> answerOfOne(const llvm::Value *value) {
  constexpr unsigned Deepest = 8;
  bool answer = true;
  for (unsigned depth = 0; value && depth < Deepest; ++depth) {
    if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(value)) {
      if (!comparison->isEquality())
        return std::nullopt;
      answer ^= comparison->getPredicate() == llvm::CmpInst::ICMP_NE;
      if (llvm::any_of(comparison->operands(), isOfCounter))
        return answer;
      // Whether what holds the answer is zero.
      if (!llvm::PatternMatch::match(comparison->getOperand(1),
                                     llvm::PatternMatch::m_Zero()))
        return std::nullopt;
      answer = !answer;
      value = comparison->getOperand(0);
    } else {
      value = behind(value);
    }
  }
  return std::nullopt;
}

/// How likely the first successor of a branch is taken: by the compiler's
/// estimate, except towards slow paths, which it does not know.
double ControlFlow::takenProbability(llvm::BranchInst &branch) {
  // What is below it is taken not to happen (SharedBinding.cpp).
  constexpr double Rare = 0.01;
  bool isFirstSlow = isSlow(branch, 0), isSecondSlow = isSlow(branch, 1);
  if (isFirstSlow != isSecondSlow)
    return isFirstSlow ? 0 : 1;
  // Of n numbers in any order, ln n are below all before them.
  bool isFirstRecord = breaksRecord(branch, 0);
  if (isFirstRecord != breaksRecord(branch, 1))
    return isFirstRecord ? Rare : 1 - Rare;
  if (std::optional<bool> rare = answerOfOne(branch.getCondition()))
    return *rare ? Rare : 1 - Rare;
  // Numbers that were computed are rarely equal.
  if (auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(branch.getCondition()))
    if (comparison->isEquality()) {
      llvm::CmpInst::Predicate predicate = comparison->getPredicate();
      bool equality = predicate == llvm::CmpInst::FCMP_OEQ ||
                      predicate == llvm::CmpInst::FCMP_UEQ;
      return equality ? Rare : 1 - Rare;
    }
  // A launch has something to work on.
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition()))
    if (asksForNull(*comparison))
      return comparison->getPredicate() == llvm::CmpInst::ICMP_NE;
  llvm::BranchProbability taken =
      probabilities.getEdgeProbability(branch.getParent(), 0u);
  return static_cast<double>(taken.getNumerator()) /
         llvm::BranchProbability::getDenominator();
}

Expr ControlFlow::branchCondition(llvm::BranchInst &branch) {
  auto [entry, isNew] = conditions.try_emplace(&branch);
  if (!isNew)
    return entry->second;
  llvm::Value *asked = branch.getCondition();
  // Several comparisons before a slow path are one unknown.
  bool isBeforeSlow = !llvm::isa<llvm::CmpInst>(asked) &&
                      isSlow(branch, 0) != isSlow(branch, 1);
  Expr condition =
      answerOfOne(asked) ? values.addUnknownCondition("atomic", asked)
      : isBeforeSlow     ? values.addUnknownCondition("float", asked)
                         : values.translateCondition(asked, branch.getParent());
  entry->second = condition;
  // An unknown condition carries the estimate: [data3 != 0].
  const Atom *bracket = condition.asAtom();
  auto name = bracket && bracket->operands.size() == 1
                  ? bracket->operands[0].asSymbol()
                  : std::nullopt;
  if (name && values.findDataSymbol(*name)) {
    double taken = takenProbability(branch);
    values.setProbability(
        *name, bracket->kind == Atom::Kind::NotZero ? taken : 1 - taken);
  }
  return condition;
}

Expr ControlFlow::switchCondition(llvm::SwitchInst &choice,
                                  llvm::BasicBlock *to) {
  bool isDefault = choice.getDefaultDest() == to;
  llvm::SmallVector<llvm::ConstantInt *> cases;
  for (const auto &item : choice.cases())
    if ((item.getCaseSuccessor() == to) != isDefault)
      cases.push_back(item.getCaseValue());
  // Conditions that no expression has room for need not be joined first.
  if (cases.size() > Expr::MaxTerms)
    return values.addUnknownCondition("complex", &choice);
  auto numberOf = [&](llvm::Value *value) {
    return values.translateNumber(value, choice.getParent(),
                                  /*isSigned=*/true);
  };
  Expr value = numberOf(choice.getCondition()), any(0);
  for (llvm::ConstantInt *number : cases)
    any = Expr::disjunction(any, Expr::isEqual(value, numberOf(number)));
  return isDefault ? Expr::negate(any) : any;
}

Expr ControlFlow::edgeCondition(llvm::BasicBlock *from, llvm::BasicBlock *to) {
  llvm::Instruction *terminator = from->getTerminator();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(terminator)) {
    if (!branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return Expr(1);
    Expr condition = branchCondition(*branch);
    return branch->getSuccessor(0) == to ? condition : Expr::negate(condition);
  }
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(terminator))
    return switchCondition(*choice, to);
  return values.addUnknownCondition("complex", terminator);
}

/// Leaving a loop: with one way out everybody takes it, and nobody one that
/// ends the program.
Expr ControlFlow::exitCondition(const llvm::Loop &loop, llvm::BasicBlock *from,
                                llvm::BasicBlock *to) {
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop.getUniqueExitBlocks(exits);
  llvm::erase_if(
      exits, [](const llvm::BasicBlock *exit) { return endsProgram(*exit); });
  if (exits.size() == 1 && exits.front() == to)
    return Expr(1);
  Expr isTaken = values.addDataSymbol("early-exit", from->getTerminator());
  if (endsProgram(*to))
    values.setProbability(*isTaken.asSymbol(), 0);
  return Expr::isNotEqual(isTaken, 0);
}

Expr ControlFlow::computeGuard(llvm::BasicBlock *block) {
  if (block->isEntryBlock())
    return Expr(1);
  llvm::Loop *loop = loopInfo.getLoopFor(block);
  llvm::DomTreeNode *node = dominators.getNode(block);
  llvm::BasicBlock *above = node->getIDom()->getBlock();
  // Whoever comes to the dominator comes here: the end of an if, or of a loop.
  if (postDominators.dominates(block, above)) {
    llvm::Loop *aboveLoop = loopInfo.getLoopFor(above);
    if (aboveLoop == loop || (loop && loop->getHeader() == block))
      return guards.lookup(above);
    if (aboveLoop && !aboveLoop->contains(block)) {
      while (aboveLoop->getParentLoop() &&
             !aboveLoop->getParentLoop()->contains(block))
        aboveLoop = aboveLoop->getParentLoop();
      return guards.lookup(aboveLoop->getHeader());
    }
  }
  Expr result(0);
  // A switch is a predecessor once for every case.
  llvm::SmallSetVector<llvm::BasicBlock *, 4> before(llvm::from_range,
                                                     llvm::predecessors(block));
  for (llvm::BasicBlock *from : before) {
    if (!dominators.isReachableFromEntry(from) ||
        dominators.dominates(block, from))
      continue; // a back edge
    Expr guard = guards.lookup(from);
    llvm::Loop *fromLoop = loopInfo.getLoopFor(from);
    Expr edge(1);
    if (fromLoop && !fromLoop->contains(block)) {
      guard = guards.lookup(fromLoop->getHeader());
      edge = exitCondition(*fromLoop, from, block);
    } else {
      edge = edgeCondition(from, block);
    }
    result = Expr::disjunction(result, Expr::conjunction(guard, edge));
  }
  return result.isValid() ? result
                          : values.addUnknownCondition("complex", nullptr);
}

void ControlFlow::computeGuards() {
  for (llvm::BasicBlock &block : function) {
    if (isMessage(block))
      messages.push_back(&block);
    if (readsSlowPathTable(block))
      slowPaths.push_back(&block);
    for (const llvm::Instruction &instruction : block)
      if (auto *exchange =
              llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        exchanges.push_back(exchange);
  }
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    guards[block] = computeGuard(block);
}
