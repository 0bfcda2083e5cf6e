// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// IR values as integer expressions, through scalar evolution.
///
/// Scalar evolution gives recurrences, sums and products; what it leaves opaque
/// (shifts, masks, division of signed numbers, selects, geometric recurrences)
/// is taken apart here. Arithmetic is taken not to wrap around: device code
/// rarely says nsw, and an index that wrapped would be a bug.
#ifndef AUSPEX_LIB_ANALYSIS_VALUETRANSLATOR_H
#define AUSPEX_LIB_ANALYSIS_VALUETRANSLATOR_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace auspex {

/// Where \p location is in the source, inlining included.
SourceLocation sourceLocation(const llvm::DILocation *location);
/// Of an instruction. One that was moved out of a loop has lost its own, and
/// gets that of its first use in the source; null if none has any.
const llvm::DILocation *locationOf(const llvm::Instruction &instruction);

class TripCounts;

/// Expressions of thread and block indices and of loop counters: wherever all
/// of them are the same, a value is.
using Dependences = std::vector<Expr>;

/// More than a GPU has memory, and little enough to calculate with.
constexpr int64_t DistanceOfObjects = int64_t(1) << 40;

/// What cudaMalloc aligns to at least (CUDA programming guide, "Device memory
/// accesses").
constexpr int64_t AlignmentOfObjects = 256;

/// Where a pointer points to: an object that nothing is known to lie behind,
/// such as an argument, a global array or the result of a load, and bytes from
/// there. The base may also be a choice between objects, a phi or a select;
/// the objects then lie DistanceOfObjects apart.
/// Without a base nothing is known.
struct PointerValue {
  llvm::Value *base = nullptr;
  Expr offset;
};

class ValueTranslator {
public:
  ValueTranslator(llvm::Function &function, llvm::ScalarEvolution &evolution,
                  llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                  llvm::UniformityInfo &uniformity);

  /// The integer value as an expression, as it is used in \p block: the counter
  /// of a loop that is left by then has its last value. What cannot be
  /// expressed enters as a data symbol, so the result is valid unless it grows
  /// too large.
  Expr translate(llvm::Value *value, const llvm::BasicBlock *block);
  Expr translate(const llvm::SCEV *value, const llvm::BasicBlock *block);
  /// The same as a number of its type, signed or not. What translate() gives
  /// for a value of a small type may differ from that by multiples of 2^width.
  Expr translateNumber(llvm::Value *value, const llvm::BasicBlock *block,
                       bool isSigned);
  const llvm::SCEV *scevIn(llvm::Value *value, const llvm::BasicBlock *block);
  /// The i1 value as a condition that is 0 or 1, as it is used in \p block.
  Expr translateCondition(llvm::Value *condition,
                          const llvm::BasicBlock *block);

  /// The denominator is above 0.
  struct Fraction {
    Expr numerator, denominator;

    Expr floor() const;
    /// As a conversion to an integer does: towards 0.
    Expr truncated() const;
  };
  /// The number of a floating-point type, as it is used in \p block, as a
  /// fraction of integers; nothing if it is made in another way.
  std::optional<Fraction> fractionOf(llvm::Value *value,
                                     const llvm::BasicBlock *block,
                                     unsigned depth = 0);

  PointerValue translatePointer(llvm::Value *pointer,
                                const llvm::BasicBlock *block);

  /// Where the object lies that \p base, of a PointerValue, points to and that
  /// has no place of its own: in bytes, the same whenever it is asked for. \p
  /// reason, as in MaybeExpr, says why it is not known.
  Expr placeOf(llvm::Value &base, llvm::StringRef reason);

  /// The objects that \p base, of a PointerValue, chooses between, in the order
  /// in which they lie; empty if it is no choice.
  llvm::ArrayRef<llvm::Value *> objectsOf(const llvm::Value *base) const {
    auto found = chosenObjects.find(base);
    return found == chosenObjects.end()
               ? llvm::ArrayRef<llvm::Value *>()
               : llvm::ArrayRef<llvm::Value *>(found->second);
  }

  /// Which of several values an instruction has: that of the first arm whose
  /// condition holds, or what remains.
  struct Choice {
    llvm::SmallVector<std::pair<Expr, llvm::Value *>, 4> arms;
    llvm::Value *otherwise = nullptr;
  };
  /// Nothing if \p instruction is no select and no phi where ways meet, or one
  /// whose ways are not known.
  std::optional<Choice> choiceOf(llvm::Instruction &instruction);
  static Expr foldChoice(const Choice &choice,
                         llvm::function_ref<Expr(llvm::Value *)> value);

  /// What a phi at the entry of a loop is made of.
  struct CarriedValue {
    const llvm::Loop *loop;
    llvm::BasicBlock *before, *latch;
    llvm::Value *start, *next;
  };
  /// Nothing for other phis, and for loops with several entries or ends.
  std::optional<CarriedValue> carriedValue(llvm::PHINode &phi);
  /// The phis of a loop that hand their values on in a circle, as `t = a; a =
  /// b; b = t` does, from \p phi on: in turn i of the loop it has what the one
  /// i places on started with. Empty for others.
  llvm::SmallVector<CarriedValue, 2> rotation(llvm::PHINode &phi);

  /// The counter of a loop, "i<number>".
  std::string counterName(const llvm::Loop *loop) const;
  unsigned loopNumber(const llvm::Loop *loop) const {
    return loopNumbers.lookup(loop);
  }
  llvm::ArrayRef<const llvm::Loop *> loops() const { return order; }
  /// Who tells how often loops run; what loops leave behind is unknown before.
  void setTripCounts(TripCounts &counts) { tripCounts = &counts; }
  const llvm::DataLayout &layout() const { return function.getDataLayout(); }

  /// A new symbol for something unknown; \p value says where it stands and
  /// whether it is uniform, and may be null.
  Expr addDataSymbol(llvm::StringRef reason, llvm::Value *value);
  /// The same for a condition: 0 or 1.
  Expr addUnknownCondition(llvm::StringRef reason, llvm::Value *value) {
    return Expr::isNotEqual(addDataSymbol(reason, value), 0);
  }
  /// All lanes of a warp agree on it, whatever the launch.
  bool isUniform(const Expr &expr) const;
  /// The same of a value, as far as is known without an expression for it.
  bool isUniformValue(llvm::Value &value);
  const std::vector<DataSymbol> &dataSymbols() const { return symbols; }
  /// Notes how likely a data symbol that is a condition is 1.
  void setProbability(llvm::StringRef name, double probability);
  const DataSymbol *findDataSymbol(llvm::StringRef name) const;
  /// The same of a symbol that there is, with what it changes with. Only when
  /// nothing is being translated.
  const DataSymbol &withDependences(llvm::StringRef name);
  /// What data symbol \p name, which there is, may be as a number of its type,
  /// signed or not as it is used.
  Interval rangeOfData(llvm::StringRef name) const;
  /// Whether data symbol \p name, in \p block, is what a loop carries around
  /// that halves a range: where a binary search has come to.
  bool isSearched(llvm::StringRef name, const llvm::BasicBlock &block);
  /// The reason of the first data symbol in \p expr; empty if there is none.
  std::string dataReason(const Expr &expr) const;

  /// The word, as in MaybeExpr, for a value that no expression can tell: read
  /// from memory, out of a call and so on; empty for other values.
  static llvm::StringRef opaqueReason(const llvm::Value *value);
  /// What \p comparison compares, as it is used in \p block: numbers, or
  /// offsets of pointers from the base that both have; nothing for other
  /// pointers.
  std::optional<std::pair<Expr, Expr>>
  translateSides(llvm::ICmpInst &comparison, const llvm::BasicBlock *block);

  /// Integers that compare like what \p comparison compares: arguments and
  /// constants, or fractions; nothing for others.
  std::optional<std::pair<Expr, Expr>>
  translateSides(const llvm::FCmpInst &comparison);

  /// Values and what stands for them.
  using StandIns = llvm::SmallVector<std::pair<llvm::Value *, Expr>, 2>;
  /// Calls \p translateWith, in which the stand-ins are the values; nothing
  /// that is found out there stays. False, without a call, where that would
  /// nest too deep or take too long.
  bool tryWith(const StandIns &standIns,
               llvm::function_ref<void()> translateWith);
  /// Nothing that is found out now is there to stay.
  bool isTrying() const { return !active.empty(); }

private:
  llvm::Function &function;
  llvm::ScalarEvolution &evolution;
  llvm::LoopInfo &loopInfo;
  llvm::DominatorTree &dominators;
  llvm::UniformityInfo &uniformity;
  llvm::DenseMap<const llvm::Loop *, unsigned> loopNumbers;
  std::vector<const llvm::Loop *> order;
  llvm::DenseMap<const llvm::SCEV *, Expr> known;
  llvm::DenseMap<const llvm::Value *, Expr> knownConditions;
  llvm::DenseMap<const llvm::Value *, Expr> opaque;
  /// The first load of each hostValue().
  llvm::StringMap<llvm::Value *> members;
  /// Of phis, selects and loads.
  llvm::DenseMap<const llvm::Value *, PointerValue> knownPointers;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::Value *, 2>>
      chosenObjects;
  /// Of objects without a place of their own.
  llvm::DenseMap<const llvm::Value *, Expr> places;
  llvm::DenseMap<const llvm::Loop *, Expr> lastIterations;
  TripCounts *tripCounts = nullptr;
  /// Values with a stand-in, trials in each other, all trials, and how many
  /// values were translated in them.
  llvm::SmallVector<llvm::Value *, 2> active;
  unsigned nestedTrials = 0, trials = 0, triedValues = 0;
  std::vector<DataSymbol> symbols;
  /// What they stand for; null for nothing.
  std::vector<llvm::Value *> symbolValues;
  /// Those of which it is known what they change with, by number.
  llvm::DenseSet<size_t> haveDependences;
  llvm::DenseMap<const llvm::Value *, Dependences> knownDependences;
  /// Beyond this the recursion stops and the value becomes a data symbol.
  static constexpr unsigned MaxDepth = 64;
  unsigned depth = 0;

  Expr translate(const llvm::SCEV *value);
  Expr leaveLoops(const Expr &expr, const llvm::BasicBlock *block);
  Expr lastIteration(const llvm::Loop &loop);
  Expr translateUncached(const llvm::SCEV *value);
  Expr translateRecurrence(const llvm::SCEVAddRecExpr *recurrence);
  Expr translateOpaque(llvm::Value *value);
  int64_t firstLaneIn(const llvm::BasicBlock *block);
  /// All that is unknown in \p expr is which lanes run the code together.
  bool isOfActiveLanes(const Expr &expr) const;
  Expr translateElection(llvm::ICmpInst &comparison);
  bool isUniformAddress(llvm::Value &pointer);
  bool isBroadcast(const llvm::CallBase &call);
  bool isOfWholeWarp(const llvm::Value &value);
  Dependences anyIndexOfBlock(llvm::Value *value);
  Dependences anyIndexAround(llvm::Value *value);
  std::optional<Dependences> dependences(const Expr &expr);
  Dependences dependences(llvm::Value &value, unsigned depth);
  std::optional<Dependences> dependencesOfParts(llvm::Instruction &instruction,
                                                unsigned depth);
  Expr translateInstruction(llvm::Instruction &instruction);
  Expr translateBinary(llvm::BinaryOperator &operation);
  Expr translateCall(llvm::CallBase &call);
  Expr translateBroadcast(llvm::CallBase &shuffle);
  std::optional<Expr> translateAssembly(llvm::CallBase &call);
  Expr translateLoad(llvm::LoadInst &load);
  Expr translateAtomic(llvm::AtomicRMWInst &atomic);
  Expr translatePhi(llvm::PHINode &phi);
  std::optional<Expr> translateGeometric(llvm::PHINode &phi);
  /// The symbol that stands for a phi while its next value is translated: that
  /// of a loop around is another.
  std::string selfName() const;
  Expr translateCarried(llvm::PHINode &phi);
  Expr translateCarriedCondition(llvm::PHINode &phi);
  std::optional<Expr> solveRecurrence(const CarriedValue &carried,
                                      const Expr &start, const Expr &next);
  PointerValue translateOpaquePointer(llvm::Instruction &instruction);
  PointerValue translateKeptPointer(llvm::LoadInst &load);
  /// What the first place of a circle has in each turn of \p loop, if its
  /// places start with \p starts.
  Expr rotated(const llvm::Loop &loop, llvm::ArrayRef<Expr> starts) const;
  PointerValue translateRotatedPointer(llvm::PHINode &phi,
                                       llvm::ArrayRef<CarriedValue> circle);
  PointerValue translateCarriedPointer(llvm::PHINode &phi);
  PointerValue translateChosenPointer(const Choice &choice,
                                      llvm::Instruction &instruction);
  PointerValue among(llvm::ArrayRef<llvm::Value *> bases,
                     llvm::Instruction &choice, const Expr &offset);
  PointerValue translateAnyOf(llvm::Instruction &instruction);
  llvm::Value *firstOfMember(llvm::Value *pointer);
  /// What \p translateNext gives if \p phi stands for itself as \p stand;
  /// nothing if data are in it, and then why.
  std::optional<Expr>
  tryWith(llvm::PHINode &phi, const Expr &stand,
          llvm::function_ref<std::optional<Expr>()> translateNext,
          std::string &reason);
  llvm::StringRef reasonOfJoin(const llvm::PHINode &phi) const;
  std::optional<Fraction> fractionOfCounter(llvm::PHINode &phi,
                                            const llvm::BasicBlock *block,
                                            unsigned depth);
  Expr translateFloatComparison(const llvm::FCmpInst &comparison);
  Expr translateComparison(llvm::ICmpInst &comparison);
  Expr translateCondition(llvm::Value *condition);
  Expr translateConditionUncached(llvm::Value *condition);
  Expr chooseCondition(const Choice &choice, const llvm::BasicBlock *block);
  void numberLoops(llvm::ArrayRef<llvm::Loop *> siblings);
};

/// What every launch guarantees about symbols: indices and counters are not
/// negative, sizes are positive. Arguments and data can be anything.
Interval launchRange(llvm::StringRef symbol);
/// The same, with arguments taken to be sizes.
Interval sizeRange(llvm::StringRef symbol);

/// What signed integers are compared by, as translateSides() gives them, for a
/// comparison of numbers by \p predicate; BAD_ICMP_PREDICATE if there is none.
llvm::CmpInst::Predicate ofIntegers(llvm::CmpInst::Predicate predicate);

} // namespace auspex

#endif
