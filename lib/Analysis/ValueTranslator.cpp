// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ValueTranslator.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

/// Beyond this the recursion stops and the value becomes a data symbol.
static constexpr unsigned MaxDepth = 64;

SourceLocation auspex::sourceLocation(const llvm::DILocation *location) {
  SourceLocation result;
  if (!location)
    return result;
  result.file = location->getFilename().str();
  result.line = location->getLine();
  result.column = location->getColumn();
  for (const llvm::DILocation *at = location->getInlinedAt(); at;
       at = at->getInlinedAt())
    result.inlinedAt.push_back(
        {at->getFilename().str(), at->getLine(), at->getColumn(), {}});
  return result;
}

ValueTranslator::ValueTranslator(llvm::Function &function,
                                 llvm::ScalarEvolution &evolution,
                                 llvm::LoopInfo &loops,
                                 llvm::DominatorTree &dominators,
                                 llvm::UniformityInfo &uniformity)
    : function(function), evolution(evolution), loopInfo(loops),
      dominators(dominators), uniformity(uniformity) {
  llvm::SmallVector<llvm::Loop *> top(loops.rbegin(), loops.rend());
  numberLoops(top);
}

/// Numbers loops in program order, outer before inner.
void ValueTranslator::numberLoops(llvm::ArrayRef<llvm::Loop *> siblings) {
  for (llvm::Loop *loop : siblings) {
    loopNumbers[loop] = order.size();
    order.push_back(loop);
    llvm::SmallVector<llvm::Loop *> inner(loop->rbegin(), loop->rend());
    numberLoops(inner);
  }
}

std::string ValueTranslator::counterName(const llvm::Loop *loop) const {
  return "i" + std::to_string(loopNumber(loop));
}

std::string ValueTranslator::argumentName(unsigned number, uint64_t byteOffset,
                                          bool isStruct) {
  std::string name = "arg" + std::to_string(number);
  return isStruct ? name + "." + std::to_string(byteOffset) : name;
}

Interval auspex::launchRange(llvm::StringRef symbol) {
  if (symbol.starts_with("ntid") || symbol.starts_with("nctaid"))
    return {1, INT32_MAX};
  if (symbol.starts_with("arg") || symbol.starts_with("data"))
    return {};
  return {0, INT32_MAX};
}

Expr ValueTranslator::addDataSymbol(llvm::StringRef reason,
                                    llvm::Value *value) {
  DataSymbol symbol;
  symbol.reason = reason.str();
  if (value)
    symbol.uniform = isUniformValue(*value);
  if (auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value))
    symbol.location = sourceLocation(instruction->getDebugLoc().get());
  symbol.name = "data" + std::to_string(symbols.size());
  symbols.push_back(symbol);
  return Expr::symbol(symbol.name);
}

bool ValueTranslator::isUniform(const Expr &expr) const {
  bool uniform = expr.isValid();
  expr.forEachSymbol([&](llvm::StringRef name) {
    const DataSymbol *symbol = findDataSymbol(name);
    uniform &= symbol ? symbol->uniform : !name.starts_with("tid.");
  });
  return uniform;
}

/// Whether the lanes of a warp make \p value together: votes and reductions.
static bool isOfWholeWarp(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isIntrinsic())
    return false;
  llvm::StringRef name = callee->getName();
  return name.starts_with("llvm.nvvm.vote.") ||
         name.starts_with("llvm.nvvm.redux.sync.");
}

/// Uniformity analysis takes every call for divergent, even that of the block
/// index, so loads are looked at by their address here.
bool ValueTranslator::isUniformValue(llvm::Value &value) {
  if (uniformity.isUniform(&value) || isOfWholeWarp(value))
    return true;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load || !evolution.isSCEVable(load->getPointerOperandType()))
    return false;
  const llvm::SCEV *address = evolution.getSCEV(load->getPointerOperand());
  auto *base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(address));
  return base &&
         llvm::isa<llvm::Argument, llvm::GlobalValue>(
             base->getValue()->stripPointerCasts()) &&
         isUniform(translate(evolution.removePointerBase(address)));
}

void ValueTranslator::setProbability(llvm::StringRef name, double probability) {
  if (const DataSymbol *symbol = findDataSymbol(name))
    symbols[symbol - symbols.data()].probability = probability;
}

const DataSymbol *ValueTranslator::findDataSymbol(llvm::StringRef name) const {
  unsigned number;
  if (!name.consume_front("data") || name.getAsInteger(10, number) ||
      number >= symbols.size())
    return nullptr;
  return &symbols[number];
}

//===----------------------------------------------------------------------===//
// Scalar evolution
//===----------------------------------------------------------------------===//

Expr ValueTranslator::translate(llvm::Value *value,
                                const llvm::BasicBlock *block) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getValue().getSignificantBits() <= 64
               ? Expr(constant->getSExtValue())
               : Expr::invalid();
  if (!evolution.isSCEVable(value->getType()))
    return translateOpaque(value);
  return translate(scevIn(value, block));
}

const llvm::SCEV *ValueTranslator::scevIn(llvm::Value *value,
                                          const llvm::BasicBlock *block) {
  return evolution.getSCEVAtScope(value, loopInfo.getLoopFor(block));
}

Expr ValueTranslator::translate(const llvm::SCEV *value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (depth > MaxDepth)
    return Expr::invalid();
  ++depth;
  Expr result = translateUncached(value);
  --depth;
  known[value] = result;
  return result;
}

/// Widths that arithmetic is meant to stay in. Going from one to the other is a
/// conversion; anything else is a mask that the optimiser wrote as a
/// conversion, or a small type that arithmetic comes to the end of.
static bool isNaturalWidth(uint64_t bits) { return bits == 32 || bits == 64; }

/// Whether a number of 32 bits is made as no index is: multiplied by a large
/// number that is no stride, as in hash functions and random numbers, or beyond
/// its type at the smallest indices, where the optimiser has replaced a
/// negative constant by one that is the same in the bits that matter.
static bool isScrambled(const Expr &expr) {
  constexpr int64_t LargestOdd = 1 << 16, Largest = 1 << 24;
  std::optional<int64_t> sample =
      expr.evaluate([](llvm::StringRef) { return 1; });
  if (sample && (*sample > INT32_MAX || *sample < INT32_MIN))
    return true;
  return llvm::any_of(expr.sum(), [](const Expr::Term &term) {
    int64_t factor = term.coefficient;
    int64_t largest = factor % 2 ? LargestOdd : Largest;
    return !term.isConstant() && (factor > largest || factor < -largest);
  });
}

/// How many of the low bits of an expression are 0 whatever its symbols are.
static unsigned zeroBits(const Expr &expr) {
  unsigned bits = 64;
  for (const Expr::Term &term : expr.sum())
    bits = std::min<unsigned>(
        bits, llvm::countr_zero(static_cast<uint64_t>(term.coefficient)));
  return bits;
}

/// What is left of \p expr in \p bits bits: the number that differs from it by
/// a multiple of 2^bits and is in range.
static Expr reduce(const Expr &expr, uint64_t bits, bool isSigned) {
  int64_t values = int64_t(1) << bits;
  int64_t low = isSigned ? -(values / 2) : 0;
  Interval range = expr.range(launchRange);
  if (range.low >= low && range.high < low + values)
    return expr;
  return Expr::mod(expr - Expr(low), values) + Expr(low);
}

/// What a value of \p bits bits is as a number. Expressions do not wrap around
/// where the value does, so they stand for it modulo 2^bits only: what sums,
/// differences and products can live with, and nothing else.
static Expr asNumber(const Expr &expr, uint64_t bits, bool isSigned) {
  if (bits == 1 && isSigned)
    return -asNumber(expr, bits, false);
  // What is passed or read is in range.
  llvm::StringRef symbol = expr.asSymbol().value_or("");
  if (!expr.isValid() || expr.isZero() || symbol.starts_with("arg") ||
      symbol.starts_with("data"))
    return expr;
  if (!isNaturalWidth(bits)) {
    constexpr uint64_t MostBits = 62;
    return bits <= MostBits ? reduce(expr, bits, isSigned) : expr;
  }
  // A small number at the top of a large one, to be shifted down.
  unsigned zeros = zeroBits(expr);
  if (zeros >= bits / 2 && zeros < bits) {
    Expr step = Expr::pow2(Expr(zeros)), number = Expr::floorDiv(expr, step);
    bool fits = isNaturalWidth(bits - zeros);
    return fits ? expr : step * reduce(number, bits - zeros, isSigned);
  }
  return bits == 32 && isScrambled(expr) ? reduce(expr, bits, isSigned) : expr;
}

static Expr asUnsigned(const Expr &expr, uint64_t bits) {
  return asNumber(expr, bits, /*isSigned=*/false);
}

static Expr asSigned(const Expr &expr, uint64_t bits) {
  return asNumber(expr, bits, /*isSigned=*/true);
}

Expr ValueTranslator::translateNumber(llvm::Value *value,
                                      const llvm::BasicBlock *block,
                                      bool isSigned) {
  return asNumber(translate(value, block),
                  value->getType()->getScalarSizeInBits(), isSigned);
}

/// Arguments are taken to be sizes.
static bool mayBeNegative(const Expr &expr) {
  Interval range = expr.range([](llvm::StringRef symbol) {
    return symbol.starts_with("arg") ? Interval{0, INT32_MAX}
                                     : launchRange(symbol);
  });
  return range.low < 0;
}

/// C's division of signed numbers, which rounds towards 0. Divisors are taken
/// to be positive unless they are constants.
static Expr truncatingDiv(const Expr &a, const Expr &b) {
  if (b.constant().value_or(1) < 0)
    return -truncatingDiv(a, -b);
  Expr upwards = (b - Expr(1)) * Expr::isLess(a, 0);
  return Expr::floorDiv(mayBeNegative(a) ? a + upwards : a, b);
}

/// The remainder of that division: its sign is that of \p a.
static Expr truncatingMod(const Expr &a, const Expr &b) {
  if (b.constant().value_or(1) < 0)
    return truncatingMod(a, -b);
  return mayBeNegative(a) ? a - b * truncatingDiv(a, b) : Expr::mod(a, b);
}

Expr ValueTranslator::translateUncached(const llvm::SCEV *value) {
  auto bitsOf = [&](const llvm::SCEV *scev) {
    return evolution.getTypeSizeInBits(scev->getType());
  };
  auto fold = [&](auto read, auto combine) {
    llvm::ArrayRef<const llvm::SCEV *> operands = value->operands();
    Expr result = read(operands[0]);
    for (const llvm::SCEV *operand : operands.drop_front())
      result = combine(result, read(operand));
    return result;
  };
  auto plain = [&](const llvm::SCEV *scev) { return translate(scev); };
  auto number = [&](const llvm::SCEV *scev) {
    return asUnsigned(translate(scev), bitsOf(scev));
  };
  auto signedNumber = [&](const llvm::SCEV *scev) {
    return asSigned(translate(scev), bitsOf(scev));
  };
  switch (value->getSCEVType()) {
  case llvm::scConstant: {
    const llvm::APInt &number =
        llvm::cast<llvm::SCEVConstant>(value)->getAPInt();
    return number.getSignificantBits() <= 64 ? Expr(number.getSExtValue())
                                             : Expr::invalid();
  }
  case llvm::scVScale:
    return Expr::invalid();
  case llvm::scTruncate: {
    Expr operand = translate(value->operands()[0]);
    uint64_t bits = bitsOf(value);
    return isNaturalWidth(bits) ? operand
                                : Expr::mod(operand, Expr::pow2(Expr(bits)));
  }
  case llvm::scZeroExtend:
    return number(value->operands()[0]);
  case llvm::scSignExtend:
    return signedNumber(value->operands()[0]);
  case llvm::scPtrToInt:
    return translate(value->operands()[0]);
  case llvm::scAddExpr:
    return fold(plain, [](const Expr &a, const Expr &b) { return a + b; });
  case llvm::scMulExpr:
    return fold(plain, [](const Expr &a, const Expr &b) { return a * b; });
  case llvm::scUDivExpr:
    return fold(number, Expr::floorDiv);
  case llvm::scUMaxExpr:
    return fold(number, Expr::max);
  case llvm::scSMaxExpr:
    return fold(signedNumber, Expr::max);
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr:
    return fold(number, Expr::min);
  case llvm::scSMinExpr:
    return fold(signedNumber, Expr::min);
  case llvm::scAddRecExpr:
    return translateRecurrence(llvm::cast<llvm::SCEVAddRecExpr>(value));
  case llvm::scUnknown:
    return translateOpaque(llvm::cast<llvm::SCEVUnknown>(value)->getValue());
  case llvm::scCouldNotCompute:
    return Expr::invalid();
  }
  llvm_unreachable("covered switch");
}

Expr ValueTranslator::translateRecurrence(
    const llvm::SCEVAddRecExpr *recurrence) {
  Expr counter = Expr::symbol(counterName(recurrence->getLoop()));
  Expr result = translate(recurrence->getStart());
  // {a,+,b,+,c}: a + b*i + c*i*(i-1)/2.
  if (recurrence->getNumOperands() > 3)
    return addDataSymbol("phi", nullptr);
  result = result + translate(recurrence->getOperand(1)) * counter;
  if (recurrence->getNumOperands() == 3)
    result = result + translate(recurrence->getOperand(2)) *
                          Expr::floorDiv(counter * (counter - Expr(1)), 2);
  return result;
}

//===----------------------------------------------------------------------===//
// What scalar evolution leaves opaque
//===----------------------------------------------------------------------===//

llvm::StringRef ValueTranslator::opaqueReason(const llvm::Value *value) {
  // Parts of a value are as good as the whole.
  while (llvm::isa<llvm::ExtractValueInst, llvm::ExtractElementInst,
                   llvm::FreezeInst, llvm::BitCastInst>(value))
    value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
  if (llvm::isa<llvm::LoadInst>(value))
    return "indirect";
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
    return "atomic";
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(value))
    return call->isInlineAsm() ? "inline-asm" : "call";
  if (llvm::isa<llvm::FCmpInst>(value) || value->getType()->isFPOrFPVectorTy())
    return "float";
  return llvm::isa<llvm::UndefValue>(value) ? "undef" : "";
}

Expr ValueTranslator::translateOpaque(llvm::Value *value) {
  if (auto found = opaque.find(value); found != opaque.end())
    return found->second;
  // Breaks cycles through phis: whoever comes back here sees an unknown.
  opaque[value] = Expr::invalid();
  Expr result = Expr::invalid();
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
    result = argument->getType()->isIntegerTy()
                 ? Expr::symbol(argumentName(argument->getArgNo()))
                 : addDataSymbol("pointer", nullptr);
  else if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value))
    result = translateInstruction(*instruction);
  else if (llvm::StringRef reason = opaqueReason(value); !reason.empty())
    result = addDataSymbol(reason, value);
  if (!result.isValid())
    result = addDataSymbol("complex", value);
  opaque[value] = result;
  return result;
}

Expr ValueTranslator::translateInstruction(llvm::Instruction &instruction) {
  const llvm::BasicBlock *block = instruction.getParent();
  if (instruction.getType()->isIntegerTy(1))
    return translateCondition(&instruction);
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return translateBinary(*operation);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return translateCall(*call);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return translateLoad(*load);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return translatePhi(*phi);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return Expr::select(translateCondition(select->getCondition()),
                        translate(select->getTrueValue(), block),
                        translate(select->getFalseValue(), block));
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    if (cast->getSrcTy()->isIntegerTy(1))
      return cast->getOpcode() == llvm::Instruction::SExt
                 ? -translateCondition(cast->getOperand(0))
                 : translateCondition(cast->getOperand(0));
    if (cast->getSrcTy()->isIntegerTy() || cast->getSrcTy()->isPointerTy())
      return translate(cast->getOperand(0), block);
    llvm::StringRef reason = opaqueReason(cast->getOperand(0));
    return addDataSymbol(reason.empty() ? "complex" : reason, &instruction);
  }
  if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return translate(freeze->getOperand(0), block);
  llvm::StringRef reason = opaqueReason(&instruction);
  return addDataSymbol(reason.empty() ? "complex" : reason, &instruction);
}

Expr ValueTranslator::translateBinary(llvm::BinaryOperator &operation) {
  if (!operation.getType()->isIntegerTy())
    return addDataSymbol("complex", &operation);
  unsigned bits = operation.getType()->getIntegerBitWidth();
  Expr a = translate(operation.getOperand(0), operation.getParent());
  Expr b = translate(operation.getOperand(1), operation.getParent());
  auto unsignedA = [&] { return asUnsigned(a, bits); };
  auto unsignedB = [&] { return asUnsigned(b, bits); };
  auto signedA = [&] { return asSigned(a, bits); };
  auto signedB = [&] { return asSigned(b, bits); };
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return a + b;
  case llvm::Instruction::Sub:
    return a - b;
  case llvm::Instruction::Mul:
    return a * b;
  case llvm::Instruction::Shl:
    return a * Expr::pow2(unsignedB());
  case llvm::Instruction::LShr:
    return Expr::floorDiv(unsignedA(), Expr::pow2(unsignedB()));
  case llvm::Instruction::AShr:
    return Expr::floorDiv(signedA(), Expr::pow2(unsignedB()));
  case llvm::Instruction::UDiv:
    return Expr::floorDiv(unsignedA(), unsignedB());
  case llvm::Instruction::SDiv:
    return truncatingDiv(signedA(), signedB());
  case llvm::Instruction::URem:
    return Expr::mod(unsignedA(), unsignedB());
  case llvm::Instruction::SRem:
    return truncatingMod(signedA(), signedB());
  case llvm::Instruction::And:
    // Clearing the low bits, as x & -4 does, is x - x mod 4.
    for (const auto &[value, mask] : {std::pair(a, b), std::pair(b, a)})
      if (std::optional<int64_t> clear = mask.constant())
        if (*clear < 0 && *clear > INT64_MIN &&
            ((-*clear) & (-*clear - 1)) == 0)
          return value - Expr::mod(value, Expr(-*clear));
    return Expr::bitAnd(unsignedA(), unsignedB());
  case llvm::Instruction::Or:
    if (llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint())
      return a + b;
    return Expr::bitOr(unsignedA(), unsignedB());
  case llvm::Instruction::Xor:
    return Expr::bitXor(unsignedA(), unsignedB());
  default:
    return addDataSymbol("complex", &operation);
  }
}

/// The special registers that have a symbol.
static llvm::StringRef specialRegister(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return "tid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return "tid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return "tid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return "ctaid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return "ctaid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return "ctaid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return "ntid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return "ntid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return "ntid.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return "nctaid.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return "nctaid.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return "nctaid.z";
  default:
    return "";
  }
}

/// The thread's number in its block, from which lane and warp follow.
static Expr linearThread() {
  Expr ntidX = Expr::symbol("ntid.x"), ntidY = Expr::symbol("ntid.y");
  return Expr::symbol("tid.x") + ntidX * Expr::symbol("tid.y") +
         ntidX * ntidY * Expr::symbol("tid.z");
}

Expr ValueTranslator::translateCall(llvm::CallBase &call) {
  auto argument = [&](unsigned number, bool isSigned) {
    return translateNumber(call.getArgOperand(number), call.getParent(),
                           isSigned);
  };
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (llvm::StringRef symbol = specialRegister(id); !symbol.empty())
    return Expr::symbol(symbol);
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return Expr(32);
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
    return Expr::mod(linearThread(), 32);
  case llvm::Intrinsic::smax:
    return Expr::max(argument(0, true), argument(1, true));
  case llvm::Intrinsic::umax:
    return Expr::max(argument(0, false), argument(1, false));
  case llvm::Intrinsic::smin:
    return Expr::min(argument(0, true), argument(1, true));
  case llvm::Intrinsic::umin:
    return Expr::min(argument(0, false), argument(1, false));
  case llvm::Intrinsic::abs: {
    Expr value = argument(0, true);
    return Expr::max(value, -value);
  }
  case llvm::Intrinsic::nvvm_ldu_global_i:
    return addDataSymbol("indirect", &call);
  default:
    return addDataSymbol(call.isInlineAsm() ? "inline-asm" : "call", &call);
  }
}

Expr ValueTranslator::translateLoad(llvm::LoadInst &load) {
  // The members of a struct passed by value are arguments too.
  const llvm::DataLayout &layout = function.getDataLayout();
  llvm::APInt offset(
      layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  llvm::Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
  auto *argument = llvm::dyn_cast<llvm::Argument>(base);
  if (argument && argument->hasByValAttr())
    return Expr::symbol(argumentName(argument->getArgNo(),
                                     offset.getZExtValue(),
                                     /*isStruct=*/true));
  return addDataSymbol("indirect", &load);
}

/// i = start; i shifted by a constant each time round: start / 2^(c*iv) or
/// start * 2^(c*iv).
std::optional<Expr> ValueTranslator::translateGeometric(llvm::PHINode &phi) {
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
      !loop->getLoopPredecessor())
    return std::nullopt;
  llvm::Value *next = phi.getIncomingValueForBlock(loop->getLoopLatch());
  const llvm::APInt *factor;
  bool grows =
      PM::match(next, PM::m_Shl(PM::m_Specific(&phi), PM::m_APInt(factor)));
  bool shrinks =
      PM::match(next, PM::m_Shr(PM::m_Specific(&phi), PM::m_APInt(factor)));
  uint64_t shift = grows || shrinks ? factor->getZExtValue() : 0;
  if (!grows && !shrinks) {
    // x / 2 of a signed number is a division, x + x a sum.
    shrinks = PM::match(next, PM::m_IDiv(PM::m_Specific(&phi),
                                         PM::m_APInt(factor))) &&
              factor->isPowerOf2();
    grows =
        PM::match(next, PM::m_Mul(PM::m_Specific(&phi), PM::m_APInt(factor))) &&
        factor->isPowerOf2();
    if (!grows && !shrinks)
      return std::nullopt;
    shift = factor->logBase2();
  }
  llvm::BasicBlock *before = loop->getLoopPredecessor();
  Expr start = translate(phi.getIncomingValueForBlock(before), before);
  Expr power = Expr::pow2(Expr(static_cast<int64_t>(shift)) *
                          Expr::symbol(counterName(loop)));
  return grows ? start * power : Expr::floorDiv(start, power);
}

Expr ValueTranslator::translatePhi(llvm::PHINode &phi) {
  if (std::optional<Expr> geometric = translateGeometric(phi))
    return *geometric;
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent())
    return addDataSymbol("phi", &phi);
  // One value, or a choice between two by the branch that decides.
  if (phi.getNumIncomingValues() == 1 || phi.hasConstantValue())
    return translate(phi.getIncomingValue(0), phi.getParent());
  llvm::DomTreeNode *node = dominators.getNode(phi.getParent());
  llvm::BasicBlock *decides =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  auto *branch =
      decides ? llvm::dyn_cast<llvm::BranchInst>(decides->getTerminator())
              : nullptr;
  if (!branch || !branch->isConditional() || phi.getNumIncomingValues() != 2)
    return addDataSymbol("phi", &phi);
  llvm::BasicBlockEdge taken(decides, branch->getSuccessor(0));
  llvm::BasicBlockEdge notTaken(decides, branch->getSuccessor(1));
  llvm::Value *arms[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Use &use = phi.getOperandUse(i);
    if (dominators.dominates(taken, use))
      arms[0] = use.get();
    else if (dominators.dominates(notTaken, use))
      arms[1] = use.get();
  }
  if (!arms[0] || !arms[1])
    return addDataSymbol("phi", &phi);
  return Expr::select(translateCondition(branch->getCondition()),
                      translate(arms[0], phi.getParent()),
                      translate(arms[1], phi.getParent()));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Expr ValueTranslator::translateCondition(llvm::Value *condition) {
  if (auto found = knownConditions.find(condition);
      found != knownConditions.end())
    return found->second;
  if (depth > MaxDepth)
    return addUnknownCondition("complex", condition);
  ++depth;
  Expr result = translateConditionUncached(condition).simplify(launchRange);
  --depth;
  if (!result.isValid())
    result = addUnknownCondition("complex", condition);
  knownConditions[condition] = result;
  return result;
}

Expr ValueTranslator::translateConditionUncached(llvm::Value *condition) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(condition))
    return Expr(constant->isOne());
  llvm::Value *a, *b;
  if (PM::match(condition, PM::m_LogicalAnd(PM::m_Value(a), PM::m_Value(b))))
    return Expr::conjunction(translateCondition(a), translateCondition(b));
  if (PM::match(condition, PM::m_LogicalOr(PM::m_Value(a), PM::m_Value(b))))
    return Expr::disjunction(translateCondition(a), translateCondition(b));
  if (PM::match(condition, PM::m_Not(PM::m_Value(a))))
    return Expr::negate(translateCondition(a));
  if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(condition))
    return translateCondition(freeze->getOperand(0));
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition))
    return translateComparison(*comparison);
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(condition))
    return Expr::isNotEqual(Expr::symbol(argumentName(argument->getArgNo())),
                            0);
  if (PM::match(condition, PM::m_Trunc(PM::m_Value(a))))
    return Expr::isNotEqual(
        Expr::mod(
            translate(a, llvm::cast<llvm::Instruction>(condition)->getParent()),
            2),
        0);
  llvm::StringRef reason = opaqueReason(condition);
  return addUnknownCondition(reason.empty() ? "complex" : reason, condition);
}

std::optional<std::pair<Expr, Expr>>
ValueTranslator::translateSides(llvm::ICmpInst &comparison,
                                const llvm::BasicBlock *block) {
  llvm::Value *left = comparison.getOperand(0),
              *right = comparison.getOperand(1);
  if (left->getType()->isIntegerTy())
    return std::pair(translateNumber(left, block, comparison.isSigned()),
                     translateNumber(right, block, comparison.isSigned()));
  if (!left->getType()->isPointerTy())
    return std::nullopt;
  const llvm::SCEV *a = scevIn(left, block), *b = scevIn(right, block);
  if (evolution.getPointerBase(a) != evolution.getPointerBase(b))
    return std::nullopt;
  return std::pair(translate(evolution.removePointerBase(a)),
                   translate(evolution.removePointerBase(b)));
}

/// a < b of unsigned numbers of natural width, as expressions that may be
/// negative: those are the large ones. Merging two comparisons makes such code,
/// (x + c) <u n for 0 <= x + c < n. What is compared with a constant decides;
/// of two that vary the smaller one alone is taken to be negative at times.
static Expr isUnsignedLess(const Expr &a, const Expr &b) {
  Expr less = Expr::isLess(a, b);
  bool isLarge = b.constant().value_or(0) < 0;
  if (a.isConstant())
    return a.constant() < 0 ? Expr::conjunction(Expr::isLess(b, 0), less)
                            : Expr::disjunction(Expr::isLess(b, 0), less);
  return isLarge ? Expr::disjunction(Expr::isAtLeastZero(a), less)
                 : Expr::conjunction(Expr::isAtLeastZero(a), less);
}

Expr ValueTranslator::translateComparison(llvm::ICmpInst &comparison) {
  auto sides = translateSides(comparison, comparison.getParent());
  if (!sides)
    return addUnknownCondition("pointer", &comparison);
  auto &[a, b] = *sides;
  // A comparison with something unknown is one unknown, not an expression of
  // one: whether it holds is all that matters.
  for (const Expr *operand : {&a, &b}) {
    const DataSymbol *unknown = nullptr;
    operand->forEachSymbol([&](llvm::StringRef name) {
      if (!unknown && name.starts_with("data"))
        unknown = findDataSymbol(name);
    });
    if (!unknown)
      continue;
    Expr condition =
        addUnknownCondition(std::string(unknown->reason), &comparison);
    symbols.back().uniform |= isUniform(a) && isUniform(b);
    return condition;
  }
  switch (comparison.getPredicate()) {
  case llvm::CmpInst::ICMP_EQ:
    return Expr::isEqual(a, b);
  case llvm::CmpInst::ICMP_NE:
    return Expr::isNotEqual(a, b);
  case llvm::CmpInst::ICMP_SLT:
    return Expr::isLess(a, b);
  case llvm::CmpInst::ICMP_SLE:
    return Expr::isLessOrEqual(a, b);
  case llvm::CmpInst::ICMP_SGT:
    return Expr::isLess(b, a);
  case llvm::CmpInst::ICMP_SGE:
    return Expr::isLessOrEqual(b, a);
  case llvm::CmpInst::ICMP_ULT:
    return isUnsignedLess(a, b);
  case llvm::CmpInst::ICMP_ULE:
    return Expr::negate(isUnsignedLess(b, a));
  case llvm::CmpInst::ICMP_UGT:
    return isUnsignedLess(b, a);
  case llvm::CmpInst::ICMP_UGE:
    return Expr::negate(isUnsignedLess(a, b));
  default:
    return addUnknownCondition("complex", &comparison);
  }
}
