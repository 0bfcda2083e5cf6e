// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssemblyDecoder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

void Decoder::decodeInlineAssembly(const llvm::CallBase &call) {
  AssemblyDecoder(*this, call).run();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<AssemblyDecoder::Kind>
AssemblyDecoder::kindOf(StringRef type) const {
  llvm::LLVMContext &context = call.getContext();
  if (type == "pred")
    return Kind{Width::Mask, false, false, llvm::Type::getInt1Ty(context)};
  StringRef letters = type.take_while(llvm::isAlpha);
  unsigned bits = 0;
  if (type.drop_front(letters.size()).getAsInteger(10, bits))
    return std::nullopt;
  std::optional<Width> width = Decoder::widthOfBits(bits);
  if (!width || bits < 8)
    return std::nullopt;
  llvm::Type *integer = llvm::IntegerType::get(context, bits);
  if (letters == "u" || letters == "b")
    return Kind{*width, false, false, integer};
  if (letters == "s")
    return Kind{*width, true, false, integer};
  if (letters == "bf" && bits == 16)
    return Kind{*width, true, true, llvm::Type::getBFloatTy(context)};
  if (letters != "f")
    return std::nullopt;
  return Kind{*width, true, true,
              bits == 16   ? llvm::Type::getHalfTy(context)
              : bits == 32 ? llvm::Type::getFloatTy(context)
                           : llvm::Type::getDoubleTy(context)};
}

Leaf AssemblyDecoder::leafOf(const Kind &kind) const {
  return {kind.type, 0, kind.width, 8 * bytesPerLane(kind.width)};
}

SlotOffset AssemblyDecoder::resize(Part part, Width width, bool isSigned) {
  if (part.width == width)
    return part.slot;
  if (part.width == Width::Mask)
    return decoder.emit(ofWidth(Opcode::FromMask8, width), width, {part.slot});
  if (width == Width::Mask)
    return decoder.emit(ofWidth(Opcode::ToMask8, part.width), width,
                        {part.slot});
  auto typeOf = [&](Width of) {
    return llvm::IntegerType::get(call.getContext(), 8 * bytesPerLane(of));
  };
  auto cast = part.width > width ? llvm::Instruction::Trunc
              : isSigned         ? llvm::Instruction::SExt
                                 : llvm::Instruction::ZExt;
  return decoder.castPart(cast, part, typeOf(part.width), typeOf(width)).slot;
}

SlotOffset AssemblyDecoder::read(StringRef operand, Width width) {
  bool isNot = operand.consume_front("!");
  auto known = registers.find(operand);
  if (known != registers.end()) {
    SlotOffset slot = resize(known->second, width);
    return isNot ? decoder.maskNot(slot) : slot;
  }
  // PTX writes "%lanemask_lt" where the intrinsic has "lanemask.lt".
  if (StringRef name = operand; name.consume_front("%")) {
    std::string dotted = name.str();
    if (name.starts_with("lanemask_"))
      std::replace(dotted.begin(), dotted.end(), '_', '.');
    if (std::optional<Part> special = decoder.specialRegister(dotted))
      return resize(*special, width);
  }
  if (operand == "WARP_SZ")
    return decoder.constantSlot(width, Lanes);
  uint64_t value;
  if (StringRef digits = operand; (digits.consume_front_insensitive("0f") ||
                                   digits.consume_front_insensitive("0d")) &&
                                  !digits.getAsInteger(16, value))
    return decoder.constantSlot(width, value);
  StringRef number = operand;
  number.consume_back("U");
  if (int64_t integer; !number.getAsInteger(0, integer))
    return decoder.constantSlot(width, static_cast<uint64_t>(integer));
  if (!number.getAsInteger(0, value))
    return decoder.constantSlot(width, value);
  failed = true;
  return decoder.constantSlot(width, 0);
}

std::optional<int64_t> AssemblyDecoder::constantOf(StringRef operand) const {
  auto known = constants.find(operand);
  if (known != constants.end())
    return known->second;
  int64_t value;
  return operand.getAsInteger(0, value) ? std::nullopt : std::optional(value);
}

void AssemblyDecoder::write(StringRef operand, Part value) {
  if (operand == "_")
    return;
  if (!hasBranches) {
    registers[operand] = value;
    return;
  }
  auto [entry, isNew] = registers.try_emplace(operand);
  Part &own = entry->second;
  if (isNew)
    own = {decoder.allocateRow(value.width, 1), value.width};
  decoder.emitMerge(own, resize(value, own.width));
}

Decoder::Address AssemblyDecoder::addressIn(StringRef operand, bool isShared) {
  PtxAddress address = parsePtxAddress(operand).value_or(PtxAddress());
  failed |= address.base.empty();
  auto [base, displacement] = address;
  auto known = registers.find(base);
  Part part = known != registers.end()
                  ? known->second
                  : Part{read(base, Width::W64), Width::W64};
  // Of an address in shared memory the lower half is enough.
  if (part.width == Width::W32 && isShared)
    return {decoder.emit(Opcode::WidenShared, Width::W64, {part.slot}),
            displacement};
  return {resize(part, Width::W64), displacement};
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void AssemblyDecoder::bindOperands() {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  unsigned number = 0, argument = 0;
  llvm::Type *result = call.getType();
  for (const llvm::InlineAsm::ConstraintInfo &constraint :
       assembly->ParseConstraints()) {
    std::string name = "$" + std::to_string(number);
    switch (constraint.Type) {
    case llvm::InlineAsm::isOutput:
      if (constraint.isIndirect) {
        failed = true;
        return;
      }
      outputTypes.push_back(result->isStructTy()
                                ? result->getStructElementType(numOutputs)
                                : result);
      ++numOutputs;
      break;
    case llvm::InlineAsm::isInput: {
      Parts parts = decoder.partsOf(call.getArgOperand(argument));
      llvm::Type *type = call.getArgOperand(argument)->getType();
      if (auto *constant =
              llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument)))
        constants[name] = constant->getSExtValue();
      ++argument;
      // A pair of halves is a word.
      Part part = parts[0];
      if (parts.size() > 1)
        part = decoder.packParts(parts, decoder.leavesOf(type));
      registers[name] = part;
      if (constraint.hasMatchingInput() || !constraint.Codes.empty()) {
        unsigned tied;
        if (!StringRef(constraint.Codes.front()).getAsInteger(10, tied))
          registers["$" + std::to_string(tied)] = part;
      }
      break;
    }
    default: // clobbers
      continue;
    }
    ++number;
  }
}

void AssemblyDecoder::bindOutputs() {
  for (unsigned i = 0; i < numOutputs; ++i) {
    std::string name = "$" + std::to_string(i);
    Leaves leaves = decoder.leavesOf(outputTypes[i]);
    Width width = leaves[0].width;
    if (leaves.size() > 1)
      width = *Decoder::widthOfBits(8 * bytesPerLane(width) * leaves.size());
    Part own{decoder.allocateRow(width, 1), width};
    if (auto tied = registers.find(name); tied != registers.end())
      decoder.emitMerge(own, resize(tied->second, width));
    registers[name] = own;
  }
}

void AssemblyDecoder::finish() {
  Parts parts;
  for (unsigned i = 0; i < numOutputs; ++i) {
    auto known = registers.find("$" + std::to_string(i));
    Leaves leaves = decoder.leavesOf(outputTypes[i]);
    if (known == registers.end()) {
      for (const Leaf &leaf : leaves)
        parts.push_back({decoder.constantSlot(leaf.width, 0), leaf.width});
      continue;
    }
    if (leaves.size() > 1) {
      llvm::append_range(parts, decoder.unpackPart(known->second, leaves));
      continue;
    }
    parts.push_back({resize(known->second, leaves[0].width), leaves[0].width});
  }
  if (!parts.empty())
    decoder.define(call, std::move(parts));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Whether lanes may wait there for others, or never come to its end.
static bool mayStop(const PtxStatement &statement) {
  if (statement.name == "bar" || statement.name == "barrier")
    return !statement.has("arrive");
  static constexpr StringRef Others[] = {
      "shfl", "vote", "match",    "redux",    "elect", "exit",
      "mma",  "wmma", "ldmatrix", "stmatrix", "bra"};
  return llvm::is_contained(Others, statement.name);
}

void AssemblyDecoder::run() {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  PtxText text(assembly->getAsmString());
  hasBranches = llvm::any_of(text.statements(), [](const Statement &statement) {
    return statement.name == "bra" ||
           (!statement.predicate.empty() && mayStop(statement));
  });
  bindOperands();
  if (hasBranches)
    bindOutputs();
  begin = operations().size();
  for (const Statement &statement : text.statements()) {
    runStatement(statement);
    if (failed) {
      decoder.unsupported("the inline assembly '" + statement.text + "'");
      break;
    }
  }
  decoder.accessOffset = 0;
  if (failed)
    return;
  placeBranches();
  finish();
}

/// .reg .b32 a, b<4>;
void AssemblyDecoder::declare(const Statement &statement) {
  if (!hasBranches)
    return;
  StringRef list = statement.text.drop_front(StringRef(".reg").size()).trim();
  list.consume_front(".");
  StringRef type = list.take_until([](char c) { return c == ' '; });
  list = list.drop_front(type.size());
  std::optional<Kind> kind = kindOf(type);
  if (!kind) {
    failed = true;
    return;
  }
  auto add = [&](StringRef name) {
    registers[name] = {decoder.allocateRow(kind->width, 1), kind->width};
  };
  for (StringRef name : ptxOperands(list)) {
    auto [stem, rest] = name.split('<');
    unsigned count;
    if (rest.empty()) {
      add(name);
    } else if (!rest.drop_back().getAsInteger(10, count)) {
      for (unsigned i = 0; i < count; ++i)
        add((stem + llvm::Twine(i)).str());
    }
  }
}

void AssemblyDecoder::runStatement(const Statement &statement) {
  if (!statement.label.empty())
    emitLabel(statement.label);
  else if (statement.name == "reg")
    declare(statement);
  else if (statement.name == "pragma")
    return;
  else if (statement.name == "bra" && statement.operands.size() == 1)
    emitBranch(statement.predicate, statement.operands[0]);
  else if (!statement.predicate.empty())
    runUnderPredicate(statement);
  else
    failed |= !translate(statement);
}

void AssemblyDecoder::runUnderPredicate(const Statement &statement) {
  if (mayStop(statement)) {
    std::string negated = statement.predicate.starts_with("!")
                              ? statement.predicate.drop_front().str()
                              : ("!" + statement.predicate).str();
    // No name in PTX has a space.
    std::string behind = "behind " + std::to_string(operations().size());
    emitBranch(negated, labels.try_emplace(behind).first->first());
    failed |= !translate(statement);
    emitLabel(behind);
    return;
  }
  // Lanes without the predicate keep what they had.
  SlotOffset condition = read(statement.predicate, Width::Mask);
  llvm::StringMap<Part> before = registers;
  decoder.emitRaw(Opcode::BeginPredicate).operands[0] = condition;
  size_t from = operations().size() - 1;
  failed |= !translate(statement);
  decoder.emitRaw(Opcode::EndPredicate);
  operations()[from].immediate =
      static_cast<int64_t>(operations().size() - from);
  for (auto &entry : registers) {
    auto old = before.find(entry.first());
    if (old == before.end() || old->second.slot == entry.second.slot)
      continue;
    Width width = entry.second.width;
    entry.second.slot = decoder.selectSlots(width, condition, entry.second.slot,
                                            resize(old->second, width));
  }
}

void AssemblyDecoder::emitBranch(StringRef predicate, StringRef label) {
  SlotOffset condition =
      predicate.empty() ? NoSlot : read(predicate, Width::Mask);
  branches.emplace_back(operations().size(), label);
  decoder.emitRaw(Opcode::BranchWithin).operands[0] = condition;
  decoder.lanesMayPart = true;
}

void AssemblyDecoder::emitLabel(StringRef label) {
  labels[label] = operations().size();
  decoder.emitRaw(Opcode::JoinWithin).immediate =
      static_cast<int64_t>(operations().size() - 1 - begin);
}

void AssemblyDecoder::placeBranches() {
  if (hasBranches)
    emitLabel("");
  for (auto [from, label] : branches) {
    auto to = labels.find(label);
    if (to == labels.end())
      return decoder.unsupported("the label '" + label +
                                 "', which its inline assembly does not have");
    operations()[from].immediate =
        static_cast<int64_t>(to->second) - static_cast<int64_t>(from);
  }
}

bool AssemblyDecoder::translate(const Statement &statement) {
  static constexpr StringRef Nothing[] = {
      "membar",  "fence",   "prefetch",       "prefetchu",    "applypriority",
      "discard", "pmevent", "griddepcontrol", "createpolicy", "setmaxnreg"};
  if (llvm::is_contained(Nothing, statement.name))
    return true;
  if (statement.name == "exit") {
    decoder.emitRaw(Opcode::Exit);
    return true;
  }
  if (statement.name == "trap" || statement.name == "brkpt") {
    FaultInfo &fault = decoder.code.faults.emplace_back();
    fault.kind = EmulationFault::Kind::Trap;
    fault.message = "executes a trap";
    decoder.emitRaw(Opcode::Fault).extra = &fault;
    return true;
  }
  if (statement.name == "nanosleep") {
    decoder.emitRaw(Opcode::Nanosleep);
    return true;
  }
  return translateMove(statement) || translateCarry(statement) ||
         translateInteger(statement) || translateFloat(statement) ||
         translateBits(statement) || translateVideo(statement) ||
         translateCompare(statement) || translateConversion(statement) ||
         translateMemory(statement) || translateAtomic(statement) ||
         translateWarp(statement) || translateBarrier(statement) ||
         translateAsyncCopy(statement) || translateMatrix(statement) ||
         translateMemoryBarrier(statement) || translateTexture(statement) ||
         translateSurface(statement);
}
