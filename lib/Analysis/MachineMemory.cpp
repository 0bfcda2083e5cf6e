// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineMemory.h"

#include "MachineValues.h"
#include "auspex/Support/PtxText.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>

using namespace auspex;

InstructionClass auspex::memoryClass(const llvm::MachineInstr &instruction) {
  unsigned space = llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    space = std::max(space, operand->getAddrSpace());
  bool load = instruction.mayLoad(), store = instruction.mayStore();
  using enum InstructionClass;
  switch (space) {
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return load && store ? AtomicShared : load ? LoadShared : StoreShared;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return load ? LoadLocal : StoreLocal;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return LoadConstant;
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return Move;
  default:
    return load && store ? AtomicGlobal : load ? LoadGlobal : StoreGlobal;
  }
}

bool auspex::isReadOnlyLoad(llvm::StringRef opcode) {
  return opcode.starts_with("LD_GLOBAL_NC") || opcode.starts_with("LDU");
}

static bool readsRegister(const llvm::MachineInstr &instruction) {
  return llvm::any_of(
      instruction.all_uses(),
      [](const llvm::MachineOperand &use) { return use.getReg().isVirtual(); });
}

bool auspex::readsParameter(const llvm::MachineInstr &instruction) {
  return instruction.mayLoad() &&
         memoryClass(instruction) == InstructionClass::Move;
}

bool auspex::readsConstantPlace(const llvm::MachineInstr &instruction) {
  return instruction.mayLoad() && !readsRegister(instruction) &&
         memoryClass(instruction) == InstructionClass::LoadConstant;
}

bool auspex::isLaunchSize(llvm::StringRef opcode) {
  return opcode.starts_with("INT_PTX_SREG_NTID") ||
         opcode.starts_with("INT_PTX_SREG_NCTAID");
}

static AssemblyEffect effectOf(const PtxStatement &statement) {
  static const llvm::StringSet<> arithmetic = {
      "abs",   "add",  "and",  "bfe",  "bfi",  "bfind", "brev", "clz",
      "cnot",  "cos",  "cvt",  "cvta", "div",  "dp2a",  "dp4a", "ex2",
      "fma",   "lg2",  "lop3", "mad",  "max",  "min",   "mma",  "mov",
      "mul",   "neg",  "not",  "or",   "popc", "prmt",  "rcp",  "rem",
      "rsqrt", "sad",  "selp", "set",  "setp", "shf",   "shl",  "shr",
      "sin",   "slct", "sqrt", "sub",  "tanh", "wmma",  "xor"};
  using enum AssemblyEffect;
  bool isMove = statement.has("load") || statement.has("store");
  // "mov.u32 $0, %clock": when it is read matters.
  bool readsClock = statement.text.contains("%clock") ||
                    statement.text.contains("%globaltimer");
  // Sums with a carry pass it on outside of registers.
  if (arithmetic.contains(statement.name) && !isMove && !readsClock)
    return statement.has("cc") ? Other : None;
  if (statement.name == "ldmatrix")
    return ReadsShared;
  bool isOrdered = statement.has("volatile") || statement.has("acquire") ||
                   statement.has("relaxed");
  if (statement.name != "ld" || isOrdered)
    return Other;
  if (statement.has("global"))
    return ReadsGlobal;
  return llvm::any_of(statement.words,
                      [](llvm::StringRef word) {
                        return word == "shared" || word == "shared::cta";
                      })
             ? ReadsShared
             : Other;
}

AssemblyEffect auspex::assemblyEffect(llvm::StringRef assembly) {
  PtxText text(assembly);
  auto result = AssemblyEffect::None;
  for (const PtxStatement &statement : text.statements())
    if (statement.isInstruction())
      result = std::max(result, effectOf(statement));
  return result;
}

const llvm::Value *
auspex::privateArrayOf(const llvm::MachineInstr &instruction) {
  for (const llvm::MachineMemOperand *operand : instruction.memoperands()) {
    if (!operand->getValue())
      continue;
    // Of a pointer that a loop counts on there are several.
    llvm::SmallVector<const llvm::Value *, 2> objects;
    llvm::getUnderlyingObjects(operand->getValue(), objects);
    if (objects.size() == 1 && llvm::isa<llvm::AllocaInst>(objects.front()))
      return objects.front();
  }
  return nullptr;
}

/// What a load or store of this name moves, as `LDV_i32_v4`; 0 of any other.
static uint64_t bytesByName(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  opcode.split(parts, '_');
  unsigned bits = 0, elements = 1;
  if (parts.size() < 2 || !parts[1].consume_front("i") ||
      parts[1].getAsInteger(10, bits) ||
      (parts.size() > 2 &&
       (!parts[2].consume_front("v") || parts[2].getAsInteger(10, elements))))
    return 0;
  return bits / 8 * elements;
}

uint64_t auspex::bytesOf(const llvm::MachineInstr &instruction) {
  uint64_t bytes = 0;
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    // Under a mask it has no size.
    bytes = std::max<uint64_t>(
        bytes,
        operand->getSize().hasValue()
            ? operand->getSize().getValue().getKnownMinValue()
            : bytesByName(
                  MachineValues(*instruction.getMF()).nameOf(instruction)));
  return bytes;
}
