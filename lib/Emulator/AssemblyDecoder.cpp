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
// Text
//===----------------------------------------------------------------------===//

/// Without comments, and with operands as "$3".
static std::string cleanText(StringRef text) {
  std::string clean;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.starts_with("/*")) {
      size_t end = text.find("*/");
      text = end == StringRef::npos ? "" : text.drop_front(end + 2);
    } else if (text.consume_front("$$")) {
      clean += '$';
    } else if (text.consume_front("${")) {
      auto [name, rest] = text.split('}');
      clean += ("$" + name.split(':').first).str();
      text = rest;
    } else {
      char c = text.front();
      clean += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
      text = text.drop_front();
    }
  }
  return clean;
}

llvm::SmallVector<StringRef, 8> AssemblyDecoder::splitOperands(StringRef text) {
  llvm::SmallVector<StringRef, 8> operands;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    depth += c == '{' || c == '[' || c == '(';
    depth -= (c == '}' || c == ']' || c == ')') && depth > 0;
    if (c != ',' || (depth > 0 && i < text.size()))
      continue;
    StringRef operand = text.slice(begin, i).trim();
    if (!operand.empty())
      operands.push_back(operand);
    begin = i + 1;
  }
  return operands;
}

llvm::SmallVector<StringRef, 4> AssemblyDecoder::elementsOf(StringRef operand) {
  llvm::SmallVector<StringRef, 4> elements;
  if (operand.consume_front("{")) {
    operand.consume_back("}");
    for (StringRef element : splitOperands(operand))
      elements.push_back(element);
  } else {
    elements.push_back(operand);
  }
  return elements;
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
  operand.consume_front("[");
  operand.consume_back("]");
  operand = operand.trim();
  int64_t displacement = 0;
  size_t sign = operand.find_first_of("+-");
  StringRef base = operand.take_front(sign).trim();
  if (sign != StringRef::npos) {
    StringRef number = operand.drop_front(sign);
    bool isMinus = number.front() == '-';
    number = number.drop_front().trim();
    bool isMinusAgain = number.consume_front("-");
    if (number.getAsInteger(0, displacement))
      failed = true;
    if (isMinus != isMinusAgain)
      displacement = -displacement;
  }
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

/// Takes "name:" from the start of \p text.
static StringRef takeLabel(StringRef &text) {
  StringRef name = text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
  });
  StringRef rest = text.drop_front(name.size()).ltrim();
  if (name.empty() || !rest.consume_front(":") || rest.starts_with(":"))
    return "";
  text = rest;
  return name;
}

bool AssemblyDecoder::Statement::mayStop() const {
  if (name == "bar" || name == "barrier")
    return !has("arrive");
  static constexpr StringRef Others[] = {
      "shfl", "vote", "match",    "redux",    "elect", "exit",
      "mma",  "wmma", "ldmatrix", "stmatrix", "bra"};
  return llvm::is_contained(Others, name);
}

AssemblyDecoder::Statement AssemblyDecoder::parseInstruction(StringRef text) {
  Statement statement;
  statement.text = text;
  if (text.consume_front("@")) {
    statement.predicate = text.take_until([](char c) { return c == ' '; });
    text = text.drop_front(statement.predicate.size()).trim();
  }
  StringRef opcode = text.take_until([](char c) { return c == ' '; });
  StringRef operands = text.drop_front(opcode.size()).trim();
  llvm::SmallVector<StringRef, 8> words;
  opcode.split(words, '.', -1, /*KeepEmpty=*/false);
  if (words.empty())
    return statement;
  statement.name = words.front();
  statement.words.assign(words.begin() + 1, words.end());
  // "a|p" are two results.
  for (StringRef operand : splitOperands(operands)) {
    auto [first, second] = operand.split('|');
    statement.operands.push_back(first.trim());
    if (!second.empty())
      statement.operands.insert(statement.operands.begin() + 1, second.trim());
  }
  return statement;
}

std::vector<AssemblyDecoder::Statement> AssemblyDecoder::parse() const {
  std::vector<Statement> statements;
  llvm::SmallVector<StringRef, 8> pieces;
  StringRef(text).split(pieces, ';');
  for (StringRef piece : pieces) {
    // Scopes and labels; braces of vectors come later in a statement.
    for (;;) {
      piece = piece.trim();
      if (piece.consume_front("{") || piece.consume_front("}"))
        continue;
      StringRef label = takeLabel(piece);
      if (label.empty())
        break;
      statements.emplace_back().label = label;
    }
    if (!piece.empty())
      statements.push_back(parseInstruction(piece));
  }
  return statements;
}

void AssemblyDecoder::run() {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  text = cleanText(assembly->getAsmString());
  std::vector<Statement> statements = parse();
  hasBranches = llvm::any_of(statements, [](const Statement &statement) {
    return statement.name == "bra" ||
           (!statement.predicate.empty() && statement.mayStop());
  });
  bindOperands();
  if (hasBranches)
    bindOutputs();
  begin = operations().size();
  for (const Statement &statement : statements) {
    runStatement(statement);
    if (failed) {
      decoder.unsupported("the inline assembly '" + statement.text + "'");
      return;
    }
  }
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
  for (StringRef name : splitOperands(list)) {
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
  if (statement.mayStop()) {
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
