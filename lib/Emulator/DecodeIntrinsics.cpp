// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics that are not NVPTX's own.
#include "Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <iterator>
#include <utility>

using namespace auspex;
using namespace auspex::emulator;

namespace {
/// Intrinsics that compute each element with one operation; for floats the one
/// of float, after which that of double comes.
struct ElementwiseRow {
  llvm::Intrinsic::ID id;
  Opcode family;
  bool isFloat, isSigned;
};
} // namespace

static constexpr ElementwiseRow Elementwise[] = {
    {llvm::Intrinsic::fma, Opcode::FmaF32, true, false},
    {llvm::Intrinsic::fmuladd, Opcode::FmaF32, true, false},
    {llvm::Intrinsic::sqrt, Opcode::SqrtF32, true, false},
    {llvm::Intrinsic::sin, Opcode::SinF32, true, false},
    {llvm::Intrinsic::cos, Opcode::CosF32, true, false},
    {llvm::Intrinsic::tan, Opcode::TanF32, true, false},
    {llvm::Intrinsic::tanh, Opcode::TanhF32, true, false},
    {llvm::Intrinsic::exp, Opcode::ExpF32, true, false},
    {llvm::Intrinsic::exp2, Opcode::Exp2F32, true, false},
    {llvm::Intrinsic::exp10, Opcode::Exp10F32, true, false},
    {llvm::Intrinsic::log, Opcode::LogF32, true, false},
    {llvm::Intrinsic::log2, Opcode::Log2F32, true, false},
    {llvm::Intrinsic::log10, Opcode::Log10F32, true, false},
    {llvm::Intrinsic::pow, Opcode::PowF32, true, false},
    {llvm::Intrinsic::floor, Opcode::FloorF32, true, false},
    {llvm::Intrinsic::ceil, Opcode::CeilF32, true, false},
    {llvm::Intrinsic::trunc, Opcode::TruncFloatF32, true, false},
    {llvm::Intrinsic::rint, Opcode::RoundEvenF32, true, false},
    {llvm::Intrinsic::nearbyint, Opcode::RoundEvenF32, true, false},
    {llvm::Intrinsic::roundeven, Opcode::RoundEvenF32, true, false},
    {llvm::Intrinsic::round, Opcode::RoundF32, true, false},
    {llvm::Intrinsic::minnum, Opcode::FMinF32, true, false},
    {llvm::Intrinsic::maxnum, Opcode::FMaxF32, true, false},
    {llvm::Intrinsic::minimumnum, Opcode::FMinF32, true, false},
    {llvm::Intrinsic::maximumnum, Opcode::FMaxF32, true, false},
    {llvm::Intrinsic::minimum, Opcode::FMinNanF32, true, false},
    {llvm::Intrinsic::maximum, Opcode::FMaxNanF32, true, false},
    {llvm::Intrinsic::copysign, Opcode::CopySignF32, true, false},
    {llvm::Intrinsic::smin, Opcode::SMin8, false, true},
    {llvm::Intrinsic::smax, Opcode::SMax8, false, true},
    {llvm::Intrinsic::umin, Opcode::UMin8, false, false},
    {llvm::Intrinsic::umax, Opcode::UMax8, false, false},
    {llvm::Intrinsic::ctpop, Opcode::CountOnes8, false, false},
    {llvm::Intrinsic::ctlz, Opcode::CountLeadingZeros8, false, false},
    {llvm::Intrinsic::cttz, Opcode::CountTrailingZeros8, false, false},
    {llvm::Intrinsic::bitreverse, Opcode::ReverseBits8, false, false},
    {llvm::Intrinsic::bswap, Opcode::ReverseBytes8, false, false},
    {llvm::Intrinsic::fshl, Opcode::FunnelLeft8, false, false},
    {llvm::Intrinsic::fshr, Opcode::FunnelRight8, false, false},
    {llvm::Intrinsic::abs, Opcode::AbsInteger8, false, true},
    {llvm::Intrinsic::uadd_sat, Opcode::UAddSat8, false, false},
    {llvm::Intrinsic::usub_sat, Opcode::USubSat8, false, false},
    {llvm::Intrinsic::sadd_sat, Opcode::SAddSat8, false, false},
    {llvm::Intrinsic::ssub_sat, Opcode::SSubSat8, false, false},
};

/// With overflow: the operation and the one that tells.
static constexpr struct {
  llvm::Intrinsic::ID id;
  Opcode result, overflow;
} WithOverflow[] = {
    {llvm::Intrinsic::uadd_with_overflow, Opcode::Add8, Opcode::UAddOverflow8},
    {llvm::Intrinsic::usub_with_overflow, Opcode::Sub8, Opcode::USubOverflow8},
    {llvm::Intrinsic::umul_with_overflow, Opcode::Mul8, Opcode::UMulOverflow8},
    {llvm::Intrinsic::sadd_with_overflow, Opcode::Add8, Opcode::SAddOverflow8},
    {llvm::Intrinsic::ssub_with_overflow, Opcode::Sub8, Opcode::SSubOverflow8},
    {llvm::Intrinsic::smul_with_overflow, Opcode::Mul8, Opcode::SMulOverflow8},
};

/// Reductions of a vector, by the operation they repeat.
static constexpr struct {
  llvm::Intrinsic::ID id;
  Opcode family;
  bool isFloat;
} Reductions[] = {
    {llvm::Intrinsic::vector_reduce_add, Opcode::Add8, false},
    {llvm::Intrinsic::vector_reduce_mul, Opcode::Mul8, false},
    {llvm::Intrinsic::vector_reduce_and, Opcode::And8, false},
    {llvm::Intrinsic::vector_reduce_or, Opcode::Or8, false},
    {llvm::Intrinsic::vector_reduce_xor, Opcode::Xor8, false},
    {llvm::Intrinsic::vector_reduce_smin, Opcode::SMin8, false},
    {llvm::Intrinsic::vector_reduce_smax, Opcode::SMax8, false},
    {llvm::Intrinsic::vector_reduce_umin, Opcode::UMin8, false},
    {llvm::Intrinsic::vector_reduce_umax, Opcode::UMax8, false},
    {llvm::Intrinsic::vector_reduce_fmin, Opcode::FMinF32, true},
    {llvm::Intrinsic::vector_reduce_fmax, Opcode::FMaxF32, true},
    {llvm::Intrinsic::vector_reduce_fadd, Opcode::FAddF32, true},
    {llvm::Intrinsic::vector_reduce_fmul, Opcode::FMulF32, true},
};

SlotOffset Decoder::elementOfIntegers(const llvm::IntrinsicInst &call,
                                      Opcode family, bool isSigned,
                                      const Leaf &leaf,
                                      llvm::ArrayRef<SlotOffset> slots) {
  using namespace llvm::Intrinsic;
  ID id = call.getIntrinsicID();
  if (leaf.width == Width::Mask) {
    unsupported("the intrinsic '" + call.getCalledFunction()->getName() +
                "' of single bits");
    return slots[0];
  }
  llvm::SmallVector<SlotOffset, 4> operands(slots);
  operands.resize(4, NoSlot);
  bool isOdd = leaf.bits != 8 * bytesPerLane(leaf.width);
  if (isOdd && isSigned)
    for (SlotOffset &operand : operands)
      if (operand != NoSlot)
        operand = signExtended(operand, leaf);
  if (isOdd && (id == fshl || id == fshr || id == bswap || id == bitreverse ||
                id == sadd_sat || id == ssub_sat || id == uadd_sat))
    unsupported("the intrinsic '" + call.getCalledFunction()->getName() +
                "' of this width");
  SlotOffset result = emit(ofWidth(family, leaf.width), leaf.width,
                           {operands[0], operands[1], operands[2]});
  // Zeros above, or none below, do not count.
  if (isOdd && id == ctlz)
    result =
        emit(ofWidth(Opcode::Sub8, leaf.width), leaf.width,
             {result, constantSlot(leaf.width,
                                   8 * bytesPerLane(leaf.width) - leaf.bits)});
  if (isOdd && id == cttz)
    result = emit(ofWidth(Opcode::UMin8, leaf.width), leaf.width,
                  {result, constantSlot(leaf.width, leaf.bits)});
  return normalized(result, leaf);
}

bool Decoder::decodeElementwise(const llvm::IntrinsicInst &call) {
  const ElementwiseRow *row =
      llvm::find_if(Elementwise, [&](const ElementwiseRow &row) {
        return row.id == call.getIntrinsicID();
      });
  if (row == std::end(Elementwise))
    return false;
  define(call, mapParts(call, [&](const Leaf &leaf,
                                  llvm::ArrayRef<SlotOffset> slots) {
           return row->isFloat ? floatOperation(row->family, leaf.type, slots)
                               : elementOfIntegers(call, row->family,
                                                   row->isSigned, leaf, slots);
         }));
  return true;
}

bool Decoder::decodeWithOverflow(const llvm::IntrinsicInst &call) {
  for (const auto &row : WithOverflow) {
    if (row.id != call.getIntrinsicID())
      continue;
    Leaf leaf = leavesOf(call.getArgOperand(0)->getType())[0];
    SlotOffset a = slotOf(call.getArgOperand(0)),
               b = slotOf(call.getArgOperand(1));
    if (leaf.bits != 8 * bytesPerLane(leaf.width)) {
      unsupported("overflow of an integer of this width");
      return true;
    }
    SlotOffset result =
        emit(ofWidth(row.result, leaf.width), leaf.width, {a, b});
    SlotOffset overflow =
        emit(ofWidth(row.overflow, leaf.width), Width::Mask, {a, b});
    define(call, {{result, leaf.width}, {overflow, Width::Mask}});
    return true;
  }
  return false;
}

bool Decoder::decodeVectorReduction(const llvm::IntrinsicInst &call) {
  for (const auto &row : Reductions) {
    if (row.id != call.getIntrinsicID())
      continue;
    Parts parts;
    for (const llvm::Value *argument : call.args())
      llvm::append_range(parts, partsOf(argument));
    Leaf leaf = leavesOf(call.getType())[0];
    SlotOffset sum = parts[0].slot;
    for (const Part &part : llvm::drop_begin(parts)) {
      if (row.isFloat)
        sum = floatOperation(row.family, leaf.type, {sum, part.slot});
      else if (leaf.width == Width::Mask)
        sum = emit(row.family == Opcode::And8   ? Opcode::MaskAnd
                   : row.family == Opcode::Xor8 ? Opcode::MaskXor
                                                : Opcode::MaskOr,
                   Width::Mask, {sum, part.slot});
      else
        sum = integerOperation(row.family, leaf, sum, part.slot, true).slot;
    }
    define(call, {{sum, leaf.width}});
    return true;
  }
  return false;
}

/// -1, 0 or 1.
void Decoder::decodeThreeWayCompare(const llvm::IntrinsicInst &call,
                                    bool isSigned) {
  using P = llvm::CmpInst::Predicate;
  Leaf leaf = leavesOf(call.getArgOperand(0)->getType())[0];
  Leaf target = leavesOf(call.getType())[0];
  SlotOffset a = slotOf(call.getArgOperand(0)),
             b = slotOf(call.getArgOperand(1));
  P less = isSigned ? P::ICMP_SLT : P::ICMP_ULT;
  SlotOffset below = compareIntegers(less, leaf, a, b);
  SlotOffset above = compareIntegers(less, leaf, b, a);
  SlotOffset high =
      emit(ofWidth(Opcode::FromMask8, target.width), target.width, {above});
  SlotOffset low =
      emit(ofWidth(Opcode::SignFromMask8, target.width), target.width, {below});
  SlotOffset either =
      emit(ofWidth(Opcode::Or8, target.width), target.width, {high, low});
  define(call, {{normalized(either, target), target.width}});
}

void Decoder::decodeIntrinsic(const llvm::IntrinsicInst &call) {
  using namespace llvm::Intrinsic;
  ID id = call.getIntrinsicID();
  if (decodeElementwise(call) || decodeWithOverflow(call) ||
      decodeVectorReduction(call))
    return;
  if (call.isAssumeLikeIntrinsic() && call.getType()->isVoidTy())
    return;
  switch (id) {
  case llvm::Intrinsic::fabs:
    return define(call, mapParts(call, [&](const Leaf &leaf,
                                           llvm::ArrayRef<SlotOffset> slots) {
                    if (leaf.width == Width::W16)
                      return emit(Opcode::And16, Width::W16,
                                  {slots[0], constantSlot(Width::W16, 0x7fff)});
                    return floatOperation(Opcode::FAbsF32, leaf.type, slots);
                  }));
  case powi:
  case llvm::Intrinsic::ldexp:
    return define(call, mapParts(call, [&](const Leaf &leaf,
                                           llvm::ArrayRef<SlotOffset> slots) {
                    if (!leaf.type->isFloatTy() && !leaf.type->isDoubleTy())
                      unsupported("this power of a small float");
                    Opcode family = id == powi ? Opcode::PowIntegerF32
                                               : Opcode::LoadExponentF32;
                    return emit(leaf.type->isDoubleTy()
                                    ? static_cast<Opcode>(
                                          static_cast<unsigned>(family) + 1)
                                    : family,
                                leaf.width, {slots[0], slots[1]});
                  }));
  case is_fpclass: {
    llvm::Type *type = call.getArgOperand(0)->getType();
    llvm::Type *inner =
        type->isDoubleTy() ? type : llvm::Type::getFloatTy(type->getContext());
    SlotOffset slot = widen(type, slotOf(call.getArgOperand(0)), inner);
    return define(
        call,
        {{emit(inner->isDoubleTy() ? Opcode::IsClassF64 : Opcode::IsClassF32,
               Width::Mask, {slot, slotOf(call.getArgOperand(1))}),
          Width::Mask}});
  }
  case llvm::Intrinsic::canonicalize:
  case expect:
  case expect_with_probability:
  case ssa_copy:
  case launder_invariant_group:
  case strip_invariant_group:
  case ptr_annotation:
  case annotation:
  case arithmetic_fence:
    return define(call, partsOf(call.getArgOperand(0)));
  case fptosi_sat:
  case fptoui_sat: {
    Parts parts, from = partsOf(call.getArgOperand(0));
    llvm::Type *fromType = call.getArgOperand(0)->getType()->getScalarType();
    for (const auto &[part, leaf] : llvm::zip(from, leavesOf(call.getType())))
      parts.push_back(castPart(id == fptosi_sat ? llvm::Instruction::FPToSI
                                                : llvm::Instruction::FPToUI,
                               part, fromType, leaf.type));
    return define(call, std::move(parts));
  }
  case scmp:
  case ucmp:
    return decodeThreeWayCompare(call, /*isSigned=*/id == scmp);
  case objectsize:
    return define(call, {{constantSlot(Width::W64, ~uint64_t(0)), Width::W64}});
  case is_constant:
    return define(call, {{constantSlot(Width::Mask, 0), Width::Mask}});
  case trap:
  case ubsantrap:
  case debugtrap: {
    FaultInfo &fault = code.faults.emplace_back();
    fault.kind = EmulationFault::Kind::Trap;
    fault.message = "executes a trap";
    emitRaw(Opcode::Fault).extra = &fault;
    return;
  }
  case readcyclecounter:
  case readsteadycounter:
    return define(call,
                  {readSpecial(id == readcyclecounter ? Clock : GlobalTimer,
                               Width::W64)});
  case llvm::Intrinsic::masked_load:
    // Comes of joined loads with a gap, which the hardware reads too.
    if (!llvm::isa<llvm::Constant>(call.getArgOperand(1)))
      return unsupported("a load of elements that a mask chooses");
    return decodeLoad(call, call.getArgOperand(0), call.getType(),
                      call.getParamAlign(0).valueOrOne(), /*mayWait=*/false);
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memmove:
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memset_inline:
    return decodeCopy(llvm::cast<llvm::MemIntrinsic>(call));
  case stacksave:
    return define(call,
                  {{emit(Opcode::SaveLocal, Width::W64, {}), Width::W64}});
  case stackrestore:
    emitRaw(Opcode::RestoreLocal).operands[0] = slotOf(call.getArgOperand(0));
    return;
  case prefetch:
    return;
  case threadlocal_address:
    return define(call, partsOf(call.getArgOperand(0)));
  default:
    break;
  }
  if (decodeNvvm(call))
    return;
  unsupported("the intrinsic '" + call.getCalledFunction()->getName() + "'");
}
