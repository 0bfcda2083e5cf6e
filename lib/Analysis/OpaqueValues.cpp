// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scalar evolution leaves opaque: instruction by instruction.
#include "ValueTranslator.h"

#include "HostValues.h"
#include "LaneMasks.h"
#include "MachineIntegers.h"
#include "SpecialRegisters.h"
#include "auspex/Support/PtxText.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace auspex;

/// What memory inline assembly reads its result from, as a reason.
static llvm::StringRef reasonOfMemory(const llvm::CallBase &assembly) {
  constexpr llvm::StringLiteral Reads[] = {"ld",  "ldu",  "ldmatrix",
                                           "tex", "tld4", "suld"};
  llvm::StringRef code =
      llvm::cast<llvm::InlineAsm>(assembly.getCalledOperand())->getAsmString();
  auto isIn = [&](llvm::StringRef name) { return code.contains(name); };
  if (!isIn("atom") && llvm::none_of(Reads, isIn))
    return "";
  PtxText text(code);
  for (const PtxStatement &statement : text.statements()) {
    if (statement.name == "atom")
      return "atomic";
    if (llvm::is_contained(Reads, statement.name) && !statement.has("param"))
      return "indirect";
  }
  return "";
}

/// The reason that lies behind what an intrinsic or inline assembly makes of
/// its operands: a vote or a shuffle of data is data. Empty if there is none.
static llvm::StringRef originOf(const llvm::CallBase &call) {
  llvm::SmallSetVector<const llvm::Value *, 16> values;
  auto follow = [&](const llvm::User &user) {
    for (const llvm::Value *operand : user.operands())
      if (llvm::isa<llvm::Instruction>(operand))
        values.insert(operand);
  };
  if (call.isInlineAsm()) {
    if (llvm::StringRef reason = reasonOfMemory(call); !reason.empty())
      return reason;
  } else if (!llvm::isa<llvm::IntrinsicInst>(call)) {
    return "";
  }
  follow(call);
  constexpr unsigned Most = 64;
  for (unsigned i = 0; i < values.size() && i < Most; ++i) {
    const llvm::Value *value = values[i];
    auto *inner = llvm::dyn_cast<llvm::CallBase>(value);
    auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (load && !hostValue(*load).empty())
      continue;
    if (inner && inner->isInlineAsm()) {
      if (llvm::StringRef reason = reasonOfMemory(*inner); !reason.empty())
        return reason;
    } else if (!inner || !llvm::isa<llvm::IntrinsicInst>(inner)) {
      if (inner)
        return "call";
      if (load ||
          llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                    llvm::FCmpInst>(value) ||
          value->getType()->isFPOrFPVectorTy())
        return ValueTranslator::opaqueReason(value);
    }
    follow(*llvm::cast<llvm::User>(value));
  }
  return "";
}

llvm::StringRef ValueTranslator::opaqueReason(const llvm::Value *value) {
  // Parts of a value are as good as the whole.
  while (llvm::isa<llvm::ExtractValueInst, llvm::ExtractElementInst,
                   llvm::FreezeInst, llvm::BitCastInst>(value))
    value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
  if (llvm::isa<llvm::LoadInst>(value))
    return "indirect";
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
    return "atomic";
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(value)) {
    // Conversions and parts of floating-point numbers.
    auto isFloat = [](const llvm::Use &argument) {
      return argument->getType()->isFPOrFPVectorTy();
    };
    if (llvm::isa<llvm::IntrinsicInst>(call) &&
        llvm::any_of(call->args(), isFloat))
      return "float";
    const llvm::Function *callee = call->getCalledFunction();
    if (callee && callee->getName().starts_with("llvm.nvvm.atomic."))
      return "atomic";
    llvm::StringRef origin = originOf(*call);
    return !origin.empty()       ? origin
           : call->isInlineAsm() ? "inline-asm"
                                 : "call";
  }
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
                 ? Expr::symbol(symbolOf(*argument))
             : argument->getType()->isPointerTy()
                 ? placeOf(*argument, "pointer")
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
    return translateCondition(&instruction, block);
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return translateBinary(*operation);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return translateCall(*call);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return translateLoad(*load);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return translateAtomic(*atomic);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return translatePhi(*phi);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    Expr condition = translateCondition(select->getCondition(), block);
    Expr one = translate(select->getTrueValue(), block);
    Expr other = translate(select->getFalseValue(), block);
    return Expr::select(condition, one, other);
  }
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    if (cast->getSrcTy()->isIntegerTy(1))
      return cast->getOpcode() == llvm::Instruction::SExt
                 ? -translateCondition(cast->getOperand(0), block)
                 : translateCondition(cast->getOperand(0), block);
    if (cast->getSrcTy()->isIntegerTy() || cast->getSrcTy()->isPointerTy())
      return translate(cast->getOperand(0), block);
    if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(cast))
      if (auto number = fractionOf(cast->getOperand(0), block))
        if (Expr whole = number->truncated(); whole.isValid())
          return whole;
    llvm::StringRef reason = opaqueReason(cast->getOperand(0));
    return addDataSymbol(reason.empty() ? "complex" : reason, &instruction);
  }
  if (std::string element = hostValue(instruction); !element.empty())
    return Expr::symbol(element);
  if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return translate(freeze->getOperand(0), block);
  llvm::StringRef reason = opaqueReason(&instruction);
  return addDataSymbol(reason.empty() ? "complex" : reason, &instruction);
}

/// Whether \p expr is 0 in every launch.
static bool isKnownZero(const Expr &expr) {
  return expr.isValid() && expr.range(launchRange) == Interval{0, 0};
}

Expr ValueTranslator::translateBinary(llvm::BinaryOperator &operation) {
  if (!operation.getType()->isIntegerTy())
    return addDataSymbol("complex", &operation);
  unsigned bits = operation.getType()->getIntegerBitWidth();
  Expr a = translate(operation.getOperand(0), operation.getParent());
  Expr b = translate(operation.getOperand(1), operation.getParent());
  auto unsignedA = [&] { return asUnsigned(a, bits); };
  auto unsignedB = [&] { return asUnsigned(b, bits); };
  // Of a constant, its sign sets all bits above.
  auto bitsOfA = [&] { return a.isConstant() ? a : unsignedA(); };
  auto bitsOfB = [&] { return b.isConstant() ? b : unsignedB(); };
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
    if (isKnownZero(a) || isKnownZero(b))
      return Expr(0);
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
    return Expr::bitOr(bitsOfA(), bitsOfB());
  case llvm::Instruction::Xor:
    return Expr::bitXor(bitsOfA(), bitsOfB());
  default:
    return addDataSymbol("complex", &operation);
  }
}

/// The number of a special register, as inline assembly calls it; invalid if it
/// has none.
static Expr specialRegisterByName(llvm::StringRef name) {
  if (!name.consume_front("%"))
    return Expr::invalid();
  if (name == "laneid")
    return laneOfThread();
  if (Expr mask = laneMask(name); mask.isValid())
    return mask;
  for (llvm::StringRef vector : {"tid", "ctaid", "ntid", "nctaid"})
    for (llvm::StringRef axis : {".x", ".y", ".z"})
      if (name == (vector + axis).str())
        return Expr::symbol(name);
  return Expr::invalid();
}

/// One instruction of inline assembly that an expression can tell.
std::optional<Expr> ValueTranslator::translateAssembly(llvm::CallBase &call) {
  PtxText text(
      llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
  if (text.statements().size() != 1 || !call.getType()->isIntegerTy())
    return std::nullopt;
  const PtxStatement &statement = text.statements().front();
  if (!statement.predicate.empty() || statement.operands.size() != 2 ||
      statement.operands[0] != "$0")
    return std::nullopt;
  if (statement.name == "mov") {
    Expr value = specialRegisterByName(statement.operands[1]);
    return value.isValid() ? std::optional(value) : std::nullopt;
  }
  // The place of the highest bit that is set, or its distance from the top; of
  // 0, all ones.
  if (statement.name == "bfind" && statement.type().starts_with("u") &&
      statement.operands[1] == "$1" && call.arg_size() == 1) {
    Expr value = translateNumber(call.getArgOperand(0), call.getParent(),
                                 /*isSigned=*/false);
    Expr place = Expr::log2(Expr::max(1, value));
    int64_t top = statement.type() == "u64" ? 63 : 31;
    return Expr::select(Expr::isLess(0, value),
                        statement.has("shiftamt") ? Expr(top) - place : place,
                        Expr(-1));
  }
  return std::nullopt;
}

static Expr bitOf(const Expr &value, unsigned bit) {
  return Expr::mod(Expr::floorDiv(value, Expr::pow2(bit)), 2);
}

/// What a warp has in common it has after a broadcast too; invalid for others.
Expr ValueTranslator::translateBroadcast(llvm::CallBase &shuffle) {
  constexpr unsigned Value = 1;
  Expr value = Expr::invalid();
  // Data that are told to others have no need of a symbol.
  tryWith({}, [&] {
    value = translateNumber(shuffle.getArgOperand(Value), shuffle.getParent(),
                            /*isSigned=*/true);
  });
  return isSameInWarp(value) ? value : Expr::invalid();
}

Expr ValueTranslator::translateCall(llvm::CallBase &call) {
  auto argument = [&](unsigned number, bool isSigned) {
    return translateNumber(call.getArgOperand(number), call.getParent(),
                           isSigned);
  };
  if (call.isInlineAsm())
    if (std::optional<Expr> value = translateAssembly(call))
      return *value;
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (llvm::StringRef symbol = specialRegister(id); !symbol.empty())
    return Expr::symbol(symbol);
  if (id == llvm::Intrinsic::nvvm_shfl_sync_idx_i32 && isBroadcast(call))
    if (Expr value = translateBroadcast(call); value.isValid())
      return value;
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return Expr(32);
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
    return laneOfThread();
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    return laneMask("lanemask_eq");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return laneMask("lanemask_lt");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    return laneMask("lanemask_le");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
    return laneMask("lanemask_ge");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
    return laneMask("lanemask_gt");
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
  // The upper half of a product, by which is divided.
  case llvm::Intrinsic::nvvm_mulhi_i:
  case llvm::Intrinsic::nvvm_mulhi_ui: {
    bool isSigned = id == llvm::Intrinsic::nvvm_mulhi_i;
    return Expr::floorDiv(argument(0, isSigned) * argument(1, isSigned),
                          Expr::pow2(32));
  }
  case llvm::Intrinsic::ctlz: {
    unsigned bits = call.getType()->getIntegerBitWidth();
    Expr value = argument(0, false);
    return Expr::select(Expr::isLess(0, value),
                        Expr(bits - 1) - Expr::log2(Expr::max(1, value)),
                        Expr(bits));
  }
  case llvm::Intrinsic::cttz: {
    Expr value = argument(0, false);
    Expr lowestBit = value - Expr::bitAnd(value, value - 1);
    return Expr::select(Expr::isLess(0, value),
                        Expr::log2(Expr::max(1, lowestBit)),
                        Expr(call.getType()->getIntegerBitWidth()));
  }
  case llvm::Intrinsic::bitreverse: {
    unsigned bits = call.getType()->getIntegerBitWidth();
    Expr value = argument(0, false), reversed;
    for (unsigned bit = 0; bit < bits; ++bit)
      reversed = reversed + Expr::pow2(bits - 1 - bit) * bitOf(value, bit);
    return reversed;
  }
  case llvm::Intrinsic::ctpop: {
    if (isRank(call))
      return addDataSymbol("rank", &call);
    Expr value = argument(0, false), count;
    if (!dataReason(value).empty())
      return addDataSymbol(opaqueReason(&call), &call);
    for (unsigned bit = 0; bit < call.getType()->getIntegerBitWidth(); ++bit)
      count = count + bitOf(value, bit);
    return count;
  }
  case llvm::Intrinsic::nvvm_ldu_global_i:
    return addDataSymbol("indirect", &call);
  default:
    return addDataSymbol(opaqueReason(&call), &call);
  }
}

/// Adds the loads and stores of \p pointer; false if it goes anywhere else.
static bool collectUses(llvm::Value &pointer,
                        llvm::SmallVectorImpl<llvm::Instruction *> &uses) {
  return llvm::all_of(pointer.users(), [&](llvm::User *user) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction))
      return collectUses(*instruction, uses);
    if (instruction->isLifetimeStartOrEnd())
      return true;
    uses.push_back(instruction);
    auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    return llvm::isa<llvm::LoadInst>(instruction) ||
           (store && store->getPointerOperand() == &pointer);
  });
}

/// What \p load reads of a variable of the thread that is written once, before:
/// other threads cannot write it, be it volatile or not.
static llvm::Value *valueOfVariable(llvm::LoadInst &load,
                                    const llvm::DominatorTree &dominators) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(
      load.getPointerOperand()->stripPointerCasts());
  llvm::SmallVector<llvm::Instruction *, 8> uses;
  if (!variable || !collectUses(*variable, uses))
    return nullptr;
  llvm::StoreInst *only = nullptr;
  for (llvm::Instruction *use : uses)
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(use))
      if (std::exchange(only, store))
        return nullptr;
  bool isWhole = only && only->getValueOperand()->getType() == load.getType() &&
                 dominators.dominates(only, &load);
  return isWhole ? only->getValueOperand() : nullptr;
}

Expr ValueTranslator::translateLoad(llvm::LoadInst &load) {
  // The members of a struct passed by value are arguments too.
  if (std::string member = hostValue(load); !member.empty())
    return Expr::symbol(member);
  if (llvm::Value *value = valueOfVariable(load, dominators))
    return translate(value, load.getParent());
  return addDataSymbol("indirect", &load);
}

/// Where all lanes add the same to one word, the assembler has one lane do it
/// for all, and each finds what those before it have added.
Expr ValueTranslator::translateAtomic(llvm::AtomicRMWInst &atomic) {
  Expr before = addDataSymbol("atomic", &atomic);
  if (atomic.getOperation() != llvm::AtomicRMWInst::Add ||
      !isUniformValue(*atomic.getValOperand()) ||
      !isUniformAddress(*atomic.getPointerOperand()))
    return before;
  symbols.back().uniform = true;
  return before +
         translate(atomic.getValOperand(), atomic.getParent()) * laneOfThread();
}
