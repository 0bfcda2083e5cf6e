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

/// Splits at commas that are in no braces or brackets.
static llvm::SmallVector<StringRef, 8> splitOperands(StringRef text) {
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

llvm::SmallVector<StringRef, 4>
AssemblyDecoder::elementsOf(StringRef operand) const {
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

void AssemblyDecoder::write(StringRef operand, Part value) {
  if (operand == "_")
    return;
  registers[operand] = value;
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

void AssemblyDecoder::run() {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  text = cleanText(assembly->getAsmString());
  bindOperands();
  llvm::SmallVector<StringRef, 8> statements;
  StringRef(text).split(statements, ';');
  for (StringRef statement : statements) {
    statement = statement.trim();
    // Scopes; braces of vectors come later in a statement.
    while (statement.consume_front("{") || statement.consume_front("}"))
      statement = statement.trim();
    if (statement.empty() || statement == "}")
      continue;
    runStatement(statement);
    if (failed) {
      decoder.unsupported("the inline assembly '" + statement + "'");
      return;
    }
  }
  finish();
}

void AssemblyDecoder::runStatement(StringRef text) {
  if (text.starts_with(".reg") || text.starts_with(".pragma"))
    return;
  StringRef predicate;
  if (text.consume_front("@")) {
    predicate = text.take_until([](char c) { return c == ' '; });
    text = text.drop_front(predicate.size()).trim();
  }
  Statement statement;
  statement.text = text;
  StringRef opcode = text.take_until([](char c) { return c == ' '; });
  StringRef operands = text.drop_front(opcode.size()).trim();
  llvm::SmallVector<StringRef, 8> words;
  opcode.split(words, '.', -1, /*KeepEmpty=*/false);
  if (words.empty()) {
    failed = true;
    return;
  }
  statement.name = words.front();
  statement.words.assign(words.begin() + 1, words.end());
  // "a|p" are two results.
  for (StringRef operand : splitOperands(operands)) {
    auto [first, second] = operand.split('|');
    statement.operands.push_back(first.trim());
    if (!second.empty())
      statement.operands.insert(statement.operands.begin() + 1, second.trim());
  }
  if (predicate.empty()) {
    failed |= !translate(statement);
    return;
  }
  // Lanes without the predicate keep what they had.
  SlotOffset condition = read(predicate, Width::Mask);
  llvm::StringMap<Part> before = registers;
  auto &operations = decoder.blocks[decoder.currentBlock].operations;
  decoder.emitRaw(Opcode::BeginPredicate).operands[0] = condition;
  size_t begin = operations.size() - 1;
  failed |= !translate(statement);
  decoder.emitRaw(Opcode::EndPredicate);
  operations[begin].immediate = static_cast<int64_t>(operations.size() - begin);
  for (auto &entry : registers) {
    auto old = before.find(entry.first());
    if (old == before.end() || old->second.slot == entry.second.slot)
      continue;
    Width width = entry.second.width;
    entry.second.slot = decoder.selectSlots(width, condition, entry.second.slot,
                                            resize(old->second, width));
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
         translateAsyncCopy(statement);
}

//===----------------------------------------------------------------------===//
// Moves and arithmetic
//===----------------------------------------------------------------------===//

bool AssemblyDecoder::translateMove(const Statement &statement) {
  if ((statement.name != "mov" && statement.name != "cvta") ||
      statement.operands.size() != 2)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind)
    return false;
  auto elements = elementsOf(statement.operands[0]);
  auto sources = elementsOf(statement.operands[1]);
  unsigned bits = 8 * bytesPerLane(kind->width);
  if (elements.size() > 1) {
    // Takes a word apart.
    SlotOffset word = read(statement.operands[1], kind->width);
    unsigned size = bits / static_cast<unsigned>(elements.size());
    Width width = *Decoder::widthOfBits(size);
    for (size_t i = 0; i < elements.size(); ++i) {
      SlotOffset piece = word;
      if (i > 0)
        piece =
            decoder.emit(ofWidth(Opcode::LShr8, kind->width), kind->width,
                         {word, decoder.constantSlot(kind->width, i * size)});
      write(elements[i], {resize({piece, kind->width}, width), width});
    }
    return true;
  }
  if (sources.size() > 1) {
    unsigned size = bits / static_cast<unsigned>(sources.size());
    Width width = *Decoder::widthOfBits(size);
    SlotOffset word = NoSlot;
    for (size_t i = 0; i < sources.size(); ++i) {
      SlotOffset piece = resize({read(sources[i], width), width}, kind->width);
      if (i > 0)
        piece =
            decoder.emit(ofWidth(Opcode::Shl8, kind->width), kind->width,
                         {piece, decoder.constantSlot(kind->width, i * size)});
      word = word == NoSlot ? piece
                            : decoder.emit(ofWidth(Opcode::Or8, kind->width),
                                           kind->width, {word, piece});
    }
    write(statement.operands[0], {word, kind->width});
    return true;
  }
  bool isShared = llvm::any_of(statement.words, [](StringRef word) {
    return word.starts_with("shared");
  });
  if (statement.name == "cvta" && isShared && !statement.has("to")) {
    // Whatever it was computed from, the lower half is right.
    SlotOffset half = read(statement.operands[1], Width::W32);
    write(statement.operands[0],
          {decoder.emit(Opcode::WidenShared, Width::W64, {half}), Width::W64});
    return true;
  }
  write(statement.operands[0],
        {read(statement.operands[1], kind->width), kind->width});
  return true;
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc: with the carry flag.
bool AssemblyDecoder::translateCarry(const Statement &statement) {
  StringRef name = statement.name;
  bool setsCarry = statement.has("cc");
  bool usesCarry = name == "addc" || name == "subc" || name == "madc";
  if (!setsCarry && !usesCarry)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || statement.operands.size() < 3)
    return false;
  Width width = kind->width;
  auto emit = [&](Opcode family, SlotOffset a, SlotOffset b) {
    return decoder.emit(ofWidth(family, width), width, {a, b});
  };
  auto emitTest = [&](Opcode family, SlotOffset a, SlotOffset b) {
    return decoder.emit(ofWidth(family, width), Width::Mask, {a, b});
  };
  SlotOffset a = read(statement.operands[1], width);
  SlotOffset b = read(statement.operands[2], width);
  if (name.starts_with("mad")) {
    Opcode high =
        kind->isSigned ? Opcode::MulHighSigned8 : Opcode::MulHighUnsigned8;
    a = emit(statement.has("hi") ? high : Opcode::Mul8, a, b);
    b = read(statement.operands[3], width);
  }
  bool isSub = name.starts_with("sub");
  Opcode operation = isSub ? Opcode::Sub8 : Opcode::Add8;
  Opcode overflow = isSub ? Opcode::USubOverflow8 : Opcode::UAddOverflow8;
  SlotOffset result = emit(operation, a, b);
  SlotOffset carry = emitTest(overflow, a, b);
  if (usesCarry) {
    SlotOffset in = resize({read("%cc", Width::Mask), Width::Mask}, width);
    SlotOffset more = emitTest(overflow, result, in);
    result = emit(operation, result, in);
    carry = decoder.emit(Opcode::MaskOr, Width::Mask, {carry, more});
  }
  if (setsCarry)
    registers["%cc"] = {carry, Width::Mask};
  write(statement.operands[0], {result, width});
  return true;
}

bool AssemblyDecoder::translateInteger(const Statement &statement) {
  StringRef name = statement.name;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || kind->isFloat)
    return false;
  const auto &operands = statement.operands;
  Width width = kind->width;
  if (width == Width::Mask) {
    auto opcode = llvm::StringSwitch<Opcode>(name)
                      .Case("and", Opcode::MaskAnd)
                      .Case("or", Opcode::MaskOr)
                      .Case("xor", Opcode::MaskXor)
                      .Default(Opcode::Count);
    if (name == "not") {
      write(operands[0], {decoder.maskNot(read(operands[1], width)), width});
      return true;
    }
    if (opcode == Opcode::Count)
      return false;
    write(operands[0],
          {decoder.emit(opcode, width,
                        {read(operands[1], width), read(operands[2], width)}),
           width});
    return true;
  }
  if (name == "mul" || name == "mad") {
    SlotOffset a = read(operands[1], width), b = read(operands[2], width);
    SlotOffset product;
    Width resultWidth = width;
    if (statement.has("wide")) {
      resultWidth = static_cast<Width>(static_cast<unsigned>(width) + 1);
      product = decoder.emit(ofWidth(Opcode::Mul8, resultWidth), resultWidth,
                             {resize({a, width}, resultWidth, kind->isSigned),
                              resize({b, width}, resultWidth, kind->isSigned)});
    } else {
      Opcode high =
          kind->isSigned ? Opcode::MulHighSigned8 : Opcode::MulHighUnsigned8;
      product = decoder.emit(
          ofWidth(statement.has("hi") ? high : Opcode::Mul8, width), width,
          {a, b});
    }
    if (name == "mad")
      product = decoder.emit(ofWidth(Opcode::Add8, resultWidth), resultWidth,
                             {product, read(operands[3], resultWidth)});
    write(operands[0], {product, resultWidth});
    return true;
  }
  struct Row {
    StringRef name;
    Opcode unsignedOne, signedOne;
  };
  static constexpr Row Binary[] = {{"add", Opcode::Add8, Opcode::Add8},
                                   {"sub", Opcode::Sub8, Opcode::Sub8},
                                   {"div", Opcode::UDiv8, Opcode::SDiv8},
                                   {"rem", Opcode::URem8, Opcode::SRem8},
                                   {"min", Opcode::UMin8, Opcode::SMin8},
                                   {"max", Opcode::UMax8, Opcode::SMax8},
                                   {"and", Opcode::And8, Opcode::And8},
                                   {"or", Opcode::Or8, Opcode::Or8},
                                   {"xor", Opcode::Xor8, Opcode::Xor8}};
  for (const Row &row : Binary) {
    if (row.name != name || operands.size() != 3)
      continue;
    write(operands[0],
          {decoder.emit(
               ofWidth(kind->isSigned ? row.signedOne : row.unsignedOne, width),
               width, {read(operands[1], width), read(operands[2], width)}),
           width});
    return true;
  }
  if (name == "shl" || name == "shr") {
    Opcode family = name == "shl"    ? Opcode::Shl8
                    : kind->isSigned ? Opcode::AShr8
                                     : Opcode::LShr8;
    SlotOffset by = resize({read(operands[2], Width::W32), Width::W32}, width);
    write(operands[0], {decoder.emit(ofWidth(family, width), width,
                                     {read(operands[1], width), by}),
                        width});
    return true;
  }
  if (name == "sad") {
    SlotOffset difference = decoder.emit(
        ofWidth(kind->isSigned ? Opcode::AbsDiffSigned8
                               : Opcode::AbsDiffUnsigned8,
                width),
        width, {read(operands[1], width), read(operands[2], width)});
    write(operands[0], {decoder.emit(ofWidth(Opcode::Add8, width), width,
                                     {difference, read(operands[3], width)}),
                        width});
    return true;
  }
  if (name == "not" || name == "neg" || name == "abs") {
    SlotOffset a = read(operands[1], width);
    SlotOffset result =
        name == "not"
            ? decoder.emit(ofWidth(Opcode::Xor8, width), width,
                           {a, decoder.constantSlot(width, ~uint64_t(0))})
        : name == "neg"
            ? decoder.emit(ofWidth(Opcode::Sub8, width), width,
                           {decoder.constantSlot(width, 0), a})
            : decoder.emit(ofWidth(Opcode::AbsInteger8, width), width, {a});
    write(operands[0], {result, width});
    return true;
  }
  return false;
}

bool AssemblyDecoder::mapFloats(
    const Statement &statement, StringRef typeName, unsigned numOperands,
    llvm::function_ref<SlotOffset(const Kind &, llvm::ArrayRef<SlotOffset>)>
        compute) {
  if (statement.operands.size() != numOperands + 1)
    return false;
  bool isPair = typeName.consume_back("x2");
  std::optional<Kind> kind = kindOf(typeName);
  if (!kind || !kind->isFloat)
    return false;
  if (!isPair) {
    llvm::SmallVector<SlotOffset, 3> slots;
    for (unsigned i = 1; i <= numOperands; ++i)
      slots.push_back(read(statement.operands[i], kind->width));
    write(statement.operands[0], {compute(*kind, slots), kind->width});
    return true;
  }
  Leaves halves = {{kind->type, 0, Width::W16, 16},
                   {kind->type, 2, Width::W16, 16}};
  llvm::SmallVector<Parts, 3> operands;
  for (unsigned i = 1; i <= numOperands; ++i)
    operands.push_back(decoder.unpackPart(
        {read(statement.operands[i], Width::W32), Width::W32}, halves));
  Parts results;
  for (unsigned half = 0; half < 2; ++half) {
    llvm::SmallVector<SlotOffset, 3> slots;
    for (const Parts &operand : operands)
      slots.push_back(operand[half].slot);
    results.push_back({compute(*kind, slots), Width::W16});
  }
  write(statement.operands[0], decoder.packParts(results, halves));
  return true;
}

bool AssemblyDecoder::translateFloat(const Statement &statement) {
  struct Row {
    StringRef name;
    Opcode family;
    unsigned operands;
  };
  static constexpr Row Rows[] = {
      {"add", Opcode::FAddF32, 2},         {"sub", Opcode::FSubF32, 2},
      {"mul", Opcode::FMulF32, 2},         {"div", Opcode::FDivF32, 2},
      {"fma", Opcode::FmaF32, 3},          {"mad", Opcode::FmaF32, 3},
      {"min", Opcode::FMinF32, 2},         {"max", Opcode::FMaxF32, 2},
      {"neg", Opcode::FNegF32, 1},         {"abs", Opcode::FAbsF32, 1},
      {"rcp", Opcode::RcpF32, 1},          {"sqrt", Opcode::SqrtF32, 1},
      {"rsqrt", Opcode::RsqrtF32, 1},      {"ex2", Opcode::Exp2F32, 1},
      {"lg2", Opcode::Log2F32, 1},         {"sin", Opcode::SinF32, 1},
      {"cos", Opcode::CosF32, 1},          {"tanh", Opcode::TanhF32, 1},
      {"copysign", Opcode::CopySignF32, 2}};
  const Row *row = llvm::find_if(
      Rows, [&](const Row &row) { return row.name == statement.name; });
  if (row == std::end(Rows))
    return false;
  Opcode family = row->family;
  if (statement.has("NaN"))
    family =
        family == Opcode::FMinF32 ? Opcode::FMinNanF32 : Opcode::FMaxNanF32;
  return mapFloats(
      statement, statement.type(), row->operands,
      [&](const Kind &kind, llvm::ArrayRef<SlotOffset> slots) {
        llvm::SmallVector<SlotOffset, 3> operands(slots);
        if (statement.has("ftz") && kind.width == Width::W32)
          for (SlotOffset &slot : operands)
            slot = decoder.emit(Opcode::FlushDenormalF32, Width::W32, {slot});
        SlotOffset result = decoder.floatOperation(family, kind.type, operands);
        if (statement.has("sat"))
          result =
              decoder.floatOperation(Opcode::SaturateF32, kind.type, {result});
        if (statement.has("relu"))
          result = decoder.floatOperation(
              Opcode::FMaxNanF32, kind.type,
              {result, decoder.constantSlot(kind.width, 0)});
        return result;
      });
}

/// vadd2, vabsdiff4, ...: integers side by side in a word, without saturation.
bool AssemblyDecoder::translateVideo(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  bool isBytes = name.consume_back("4");
  if ((!isBytes && !name.consume_back("2")) || !name.consume_front("v") ||
      statement.words.size() < 3 || operands.size() != 4)
    return false;
  bool accumulates = statement.has("add"),
       isSigned = statement.words[1] == "s32";
  if (statement.has("sat"))
    return false;
  Width width = isBytes ? Width::W8 : Width::W16;
  Opcode family = llvm::StringSwitch<Opcode>(name)
                      .Case("add", Opcode::Add8)
                      .Case("sub", Opcode::Sub8)
                      .Case("min", isSigned ? Opcode::SMin8 : Opcode::UMin8)
                      .Case("max", isSigned ? Opcode::SMax8 : Opcode::UMax8)
                      .Case("absdiff", isSigned ? Opcode::AbsDiffSigned8
                                                : Opcode::AbsDiffUnsigned8)
                      .Default(Opcode::Count);
  if (family == Opcode::Count)
    return false;
  Leaves leaves;
  unsigned bytes = bytesPerLane(width);
  for (unsigned at = 0; at < 4; at += bytes)
    leaves.push_back({llvm::IntegerType::get(call.getContext(), 8 * bytes), at,
                      width, 8 * bytes});
  Parts a =
      decoder.unpackPart({read(operands[1], Width::W32), Width::W32}, leaves);
  Parts b =
      decoder.unpackPart({read(operands[2], Width::W32), Width::W32}, leaves);
  SlotOffset sum = read(operands[3], Width::W32);
  Parts results;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    SlotOffset one =
        decoder.emit(ofWidth(family, width), width, {a[i].slot, b[i].slot});
    results.push_back({one, width});
    if (accumulates)
      sum = decoder.emit(Opcode::Add32, Width::W32,
                         {sum, resize({one, width}, Width::W32, isSigned)});
  }
  write(operands[0], accumulates ? Part{sum, Width::W32}
                                 : decoder.packParts(results, leaves));
  return true;
}

bool AssemblyDecoder::translateBits(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || operands.size() < 2)
    return false;
  Width width = kind->width;
  bool isWide = width == Width::W64;
  auto next = [](Opcode opcode, unsigned by) {
    return static_cast<Opcode>(static_cast<unsigned>(opcode) + by);
  };
  auto word = [&](unsigned i) { return read(operands[i], Width::W32); };
  auto value = [&](unsigned i) { return read(operands[i], width); };
  auto set = [&](SlotOffset slot, Width of) {
    write(operands[0], {slot, of});
    return true;
  };
  if (name == "popc" || name == "clz") {
    SlotOffset count =
        decoder.emit(ofWidth(name == "popc" ? Opcode::CountOnes8
                                            : Opcode::CountLeadingZeros8,
                             width),
                     width, {value(1)});
    return set(resize({count, width}, Width::W32), Width::W32);
  }
  if (name == "brev")
    return set(
        decoder.emit(ofWidth(Opcode::ReverseBits8, width), width, {value(1)}),
        width);
  if (name == "bfe" && operands.size() == 4)
    return set(decoder.emit(next(kind->isSigned ? Opcode::ExtractBitsSigned32
                                                : Opcode::ExtractBitsUnsigned32,
                                 isWide ? 2 : 0),
                            width, {value(1), word(2), word(3)}),
               width);
  if (name == "bfi" && operands.size() == 5)
    return set(
        decoder.emit(isWide ? Opcode::InsertBits64 : Opcode::InsertBits32,
                     width, {value(1), value(2), word(3), word(4)}),
        width);
  if (name == "bfind") {
    SlotOffset position =
        decoder.emit(next(kind->isSigned ? Opcode::FindHighestSigned32
                                         : Opcode::FindHighestUnsigned32,
                          isWide ? 2 : 0),
                     Width::W32, {value(1)});
    if (statement.has("shiftamt"))
      position = decoder.shiftAmount(position, isWide ? 63 : 31);
    return set(position, Width::W32);
  }
  if (name == "fns" && operands.size() == 4)
    return set(decoder.emit(Opcode::FindNthSet, Width::W32,
                            {word(1), word(2), word(3)}),
               Width::W32);
  if (name == "bmsk")
    return set(decoder.emit(statement.has("wrap") ? Opcode::BitMaskWrap
                                                  : Opcode::BitMaskClamp,
                            Width::W32, {word(1), word(2)}),
               Width::W32);
  if (name == "lop3" && operands.size() == 5)
    return set(decoder.emit(Opcode::Logic3, Width::W32,
                            {word(1), word(2), word(3), word(4)}),
               Width::W32);
  if (name == "prmt") {
    auto mode = llvm::StringSwitch<Opcode>(
                    statement.words.size() > 1 ? statement.type() : "")
                    .Case("f4e", Opcode::PermuteForward4)
                    .Case("b4e", Opcode::PermuteBackward4)
                    .Case("rc8", Opcode::PermuteReplicate8)
                    .Case("rc16", Opcode::PermuteReplicate16)
                    .Case("ecl", Opcode::PermuteEdgeLeft)
                    .Case("ecr", Opcode::PermuteEdgeRight)
                    .Default(Opcode::PermuteBytes);
    return set(decoder.emit(mode, Width::W32, {word(1), word(2), word(3)}),
               Width::W32);
  }
  if (name == "shf" && operands.size() == 4) {
    bool isLeft = statement.has("l"), clamps = statement.has("clamp");
    SlotOffset low = word(1), high = word(2), by = word(3);
    if (!clamps)
      by = decoder.emit(Opcode::And32, Width::W32,
                        {by, decoder.constantSlot(Width::W32, 31)});
    return set(decoder.emit(isLeft ? Opcode::FunnelLeftClamp
                                   : Opcode::FunnelRightClamp,
                            Width::W32, {low, high, by}),
               Width::W32);
  }
  if (name == "dp4a" && operands.size() == 4) {
    bool signedA = statement.words[0] == "s32";
    bool signedB = statement.words.back() == "s32";
    return set(decoder.emit(next(Opcode::DotBytesSS,
                                 (signedA ? 0 : 2) + (signedB ? 0 : 1)),
                            Width::W32, {word(1), word(2), word(3)}),
               Width::W32);
  }
  return false;
}

namespace {
/// The relations of setp and set.
struct RelationRow {
  StringRef name;
  llvm::CmpInst::Predicate ofFloat, ofSigned, ofUnsigned;
};
} // namespace

static const RelationRow *relationOf(StringRef name) {
  using P = llvm::CmpInst::Predicate;
  static constexpr RelationRow Rows[] = {
      {"eq", P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},
      {"ne", P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE},
      {"lt", P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},
      {"le", P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
      {"gt", P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},
      {"ge", P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},
      {"lo", P::FCMP_OLT, P::ICMP_ULT, P::ICMP_ULT},
      {"ls", P::FCMP_OLE, P::ICMP_ULE, P::ICMP_ULE},
      {"hi", P::FCMP_OGT, P::ICMP_UGT, P::ICMP_UGT},
      {"hs", P::FCMP_OGE, P::ICMP_UGE, P::ICMP_UGE},
      {"equ", P::FCMP_UEQ, P::ICMP_EQ, P::ICMP_EQ},
      {"neu", P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE},
      {"ltu", P::FCMP_ULT, P::ICMP_ULT, P::ICMP_ULT},
      {"leu", P::FCMP_ULE, P::ICMP_ULE, P::ICMP_ULE},
      {"gtu", P::FCMP_UGT, P::ICMP_UGT, P::ICMP_UGT},
      {"geu", P::FCMP_UGE, P::ICMP_UGE, P::ICMP_UGE},
      {"nan", P::FCMP_UNO, P::ICMP_NE, P::ICMP_NE},
      {"num", P::FCMP_ORD, P::ICMP_EQ, P::ICMP_EQ}};
  const RelationRow *row = llvm::find_if(
      Rows, [&](const RelationRow &row) { return row.name == name; });
  return row == std::end(Rows) ? nullptr : row;
}

bool AssemblyDecoder::translateCompare(const Statement &statement) {
  const auto &operands = statement.operands;
  std::optional<Kind> kind = kindOf(statement.type());
  if (statement.name == "selp" && kind) {
    write(operands[0],
          {decoder.selectSlots(kind->width, read(operands[3], Width::Mask),
                               read(operands[1], kind->width),
                               read(operands[2], kind->width)),
           kind->width});
    return true;
  }
  bool isSet = statement.name == "set";
  // With a second result or one more operand it does more than compare.
  if ((!isSet && statement.name != "setp") || statement.words.size() < 2 ||
      operands.size() != 3)
    return false;
  const RelationRow *row = relationOf(statement.words[0]);
  if (!row)
    return false;
  StringRef resultType = statement.words[statement.words.size() - 2];
  if (isSet && statement.type().ends_with("f16x2")) {
    // 1 or 0, or all ones where the result is of bits.
    bool isOne = resultType.ends_with("f16x2");
    return mapFloats(statement, statement.type(), 2,
                     [&](const Kind &half, llvm::ArrayRef<SlotOffset> slots) {
                       uint64_t one = !isOne                  ? 0xffff
                                      : half.type->isHalfTy() ? 0x3c00
                                                              : 0x3f80;
                       return decoder.selectSlots(
                           Width::W16,
                           decoder.compareFloats(row->ofFloat, half.type,
                                                 slots[0], slots[1]),
                           decoder.constantSlot(Width::W16, one),
                           decoder.constantSlot(Width::W16, 0));
                     });
  }
  if (!kind)
    return false;
  SlotOffset a = read(operands[1], kind->width);
  SlotOffset b = read(operands[2], kind->width);
  SlotOffset result =
      kind->isFloat ? decoder.compareFloats(row->ofFloat, kind->type, a, b)
                    : decoder.compareIntegers(kind->isSigned ? row->ofSigned
                                                             : row->ofUnsigned,
                                              leafOf(*kind), a, b);
  if (!isSet) {
    write(operands[0], {result, Width::Mask});
    return true;
  }
  std::optional<Kind> to = kindOf(resultType);
  if (!to)
    return false;
  uint64_t one = !to->isFloat            ? ~uint64_t(0)
                 : to->type->isFloatTy() ? 0x3f800000
                 : to->type->isHalfTy()  ? 0x3c00
                                         : 0x3f80;
  write(operands[0], {decoder.selectSlots(to->width, result,
                                          decoder.constantSlot(to->width, one),
                                          decoder.constantSlot(to->width, 0)),
                      to->width});
  return true;
}

bool AssemblyDecoder::translateConversion(const Statement &statement) {
  if (statement.name != "cvt" || statement.words.size() < 2)
    return false;
  const auto &operands = statement.operands;
  StringRef toName = statement.words[statement.words.size() - 2];
  std::optional<Kind> from = kindOf(statement.type()), to = kindOf(toName);
  if (!from || operands.size() < 2)
    return false;
  if (toName == "f16x2" || toName == "bf16x2") {
    if (operands.size() != 3)
      return false;
    Opcode opcode = toName == "f16x2" ? Opcode::F32ToF16 : Opcode::F32ToBF16;
    Parts parts;
    for (unsigned i : {2, 1}) // the first goes to the upper half
      parts.push_back(
          {decoder.emit(opcode, Width::W16, {read(operands[i], Width::W32)}),
           Width::W16});
    Leaf low{nullptr, 0, Width::W16, 16}, high{nullptr, 2, Width::W16, 16};
    write(operands[0], decoder.packParts(parts, {low, high}));
    return true;
  }
  if (!to)
    return false;
  SlotOffset value = read(operands[1], from->width);
  auto set = [&](Part part) {
    write(operands[0], part);
    return true;
  };
  if (from->isFloat && to->isFloat) {
    if (from->width < to->width)
      return set({decoder.widen(from->type, value, to->type), to->width});
    if (from->width > to->width)
      return set({decoder.narrow(to->type, value, from->type), to->width});
    Opcode round = statement.has("rni")   ? Opcode::RoundEvenF32
                   : statement.has("rmi") ? Opcode::FloorF32
                   : statement.has("rpi") ? Opcode::CeilF32
                   : statement.has("rzi") ? Opcode::TruncFloatF32
                                          : Opcode::Count;
    if (round != Opcode::Count)
      value = decoder.floatOperation(round, from->type, {value});
    if (statement.has("sat"))
      value = decoder.floatOperation(Opcode::SaturateF32, from->type, {value});
    return set({value, to->width});
  }
  if (from->isFloat) {
    Opcode round = statement.has("rni")   ? Opcode::RoundEvenF32
                   : statement.has("rmi") ? Opcode::FloorF32
                   : statement.has("rpi") ? Opcode::CeilF32
                                          : Opcode::TruncFloatF32;
    value = decoder.floatOperation(round, from->type, {value});
    return set(decoder.castPart(to->isSigned ? llvm::Instruction::FPToSI
                                             : llvm::Instruction::FPToUI,
                                {value, from->width}, from->type, to->type));
  }
  if (to->isFloat)
    return set(decoder.castPart(from->isSigned ? llvm::Instruction::SIToFP
                                               : llvm::Instruction::UIToFP,
                                {value, from->width}, from->type, to->type));
  if (statement.has("sat"))
    return false;
  return set(
      {resize({value, from->width}, to->width, from->isSigned), to->width});
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool AssemblyDecoder::translateMemory(const Statement &statement) {
  bool isLoad = statement.name == "ld" || statement.name == "ldu";
  if ((!isLoad && statement.name != "st") || statement.operands.size() < 2)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || kind->width == Width::Mask)
    return false;
  bool isShared = llvm::any_of(statement.words, [](StringRef word) {
    return word.starts_with("shared");
  });
  auto values = elementsOf(statement.operands[isLoad ? 0 : 1]);
  Decoder::Address address =
      addressIn(statement.operands[isLoad ? 1 : 0], isShared);
  auto count = static_cast<unsigned>(values.size());
  unsigned bytes = count * bytesPerLane(kind->width);
  bool mayWait = statement.has("volatile") || statement.has("acquire") ||
                 statement.has("relaxed") || statement.has("mmio");
  if (isLoad) {
    if (mayWait)
      decoder.emitRaw(Opcode::Spin);
    SlotOffset row = decoder.allocateRow(kind->width, count);
    Operation &operation =
        decoder.emitAccess(ofWidth(Opcode::Load8, kind->width), address,
                           AccessKind::Load, bytes, bytes, NoAccess);
    operation.result = row;
    operation.count = count;
    for (unsigned i = 0; i < count; ++i)
      write(values[i], {row + i * slotBytes(kind->width), kind->width});
    return true;
  }
  for (unsigned i = 0; i < count; ++i) {
    SlotOffset value = read(values[i], kind->width);
    Operation *operation;
    if (i == 0) {
      operation =
          &decoder.emitAccess(ofWidth(Opcode::Store8, kind->width), address,
                              AccessKind::Store, bytes, bytes, NoAccess);
    } else {
      operation = &decoder.emitRaw(ofWidth(Opcode::MoreStore8, kind->width));
      operation->operands[0] = address.slot;
      operation->immediate =
          address.displacement + i * bytesPerLane(kind->width);
      operation->count = 1;
    }
    operation->operands[1] = value;
  }
  return true;
}

bool AssemblyDecoder::translateAtomic(const Statement &statement) {
  bool isAtom = statement.name == "atom";
  if (!isAtom && statement.name != "red")
    return false;
  StringRef typeName = statement.type();
  bool isPair = typeName.consume_back("x2");
  std::optional<Kind> kind = kindOf(typeName);
  if (!kind)
    return false;
  std::optional<AtomicKind> operation;
  bool isShared = false;
  for (StringRef word : statement.words) {
    isShared |= word.starts_with("shared");
    if (auto found =
            llvm::StringSwitch<std::optional<AtomicKind>>(word)
                .Case("add", kind->isFloat ? AtomicKind::FAdd : AtomicKind::Add)
                .Case("and", AtomicKind::And)
                .Case("or", AtomicKind::Or)
                .Case("xor", AtomicKind::Xor)
                .Case("min",
                      kind->isSigned ? AtomicKind::SMin : AtomicKind::UMin)
                .Case("max",
                      kind->isSigned ? AtomicKind::SMax : AtomicKind::UMax)
                .Case("inc", AtomicKind::Increment)
                .Case("dec", AtomicKind::Decrement)
                .Case("exch", AtomicKind::Exchange)
                .Case("cas", AtomicKind::CompareAndSwap)
                .Default(std::nullopt))
      operation = found;
  }
  if (!operation)
    return false;
  if (kind->isFloat && kind->width == Width::W16) {
    if (*operation != AtomicKind::FAdd)
      return false;
    operation =
        kind->type->isHalfTy() ? AtomicKind::HalfAdd : AtomicKind::BfloatAdd;
  } else if (isPair) {
    return false;
  }
  const auto &operands = statement.operands;
  unsigned first = isAtom; // the address
  bool compares = *operation == AtomicKind::CompareAndSwap;
  if (operands.size() < first + 2 + compares)
    return false;
  Parts values = {
      {read(operands[first + 1 + compares], kind->width), kind->width}};
  Leaves leaves = {leafOf(*kind)};
  Parts compared;
  if (isPair) {
    leaves = {{kind->type, 0, Width::W16, 16}, {kind->type, 2, Width::W16, 16}};
    values = decoder.unpackPart(
        {read(operands[first + 1], Width::W32), Width::W32}, leaves);
  }
  if (compares)
    compared = {{read(operands[first + 1], kind->width), kind->width}};
  Parts old = decoder.emitAtomic(
      *operation, leaves, addressIn(operands[first], isShared), values,
      compared, (isPair ? 2 : 1) * bytesPerLane(kind->width));
  if (isAtom)
    write(operands[0], isPair ? decoder.packParts(old, leaves) : old[0]);
  return true;
}

bool AssemblyDecoder::translateAsyncCopy(const Statement &statement) {
  if (statement.name != "cp" || !statement.has("async") ||
      statement.has("bulk"))
    return false;
  if (statement.has("commit_group") || statement.has("wait_group") ||
      statement.has("wait_all"))
    return true;
  const auto &operands = statement.operands;
  unsigned bytes;
  if (operands.size() < 3 || operands[2].getAsInteger(0, bytes))
    return false;
  // A cache policy may come instead of the size, as a long.
  SlotOffset size = NoSlot;
  if (operands.size() > 3 && !statement.has("L2::cache_hint"))
    size = read(operands[3], Width::W32);
  decoder.emitAsyncCopy(addressIn(operands[0], true),
                        addressIn(operands[1], false), bytes, size);
  return true;
}

//===----------------------------------------------------------------------===//
// Warps and barriers
//===----------------------------------------------------------------------===//

bool AssemblyDecoder::translateWarp(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  bool isSync = statement.has("sync");
  auto members = [&](StringRef operand) {
    SlotOffset slot = read(operand, Width::W32);
    decoder.emitGather(slot);
    return slot;
  };
  if (name == "activemask") {
    write(operands[0],
          {decoder.emit(Opcode::ActiveMask, Width::W32, {}), Width::W32});
    return true;
  }
  if (name == "shfl") {
    auto kind = statement.has("up")     ? ShuffleKind::Up
                : statement.has("down") ? ShuffleKind::Down
                : statement.has("bfly") ? ShuffleKind::Butterfly
                                        : ShuffleKind::Index;
    bool hasPredicate = operands.size() == (isSync ? 6u : 5u);
    if (operands.size() != (isSync ? 5u : 4u) + hasPredicate)
      return false;
    unsigned first = 1 + hasPredicate;
    if (isSync)
      members(operands[first + 3]);
    auto [result, inside] =
        decoder.emitShuffle(kind, read(operands[first], Width::W32),
                            read(operands[first + 1], Width::W32),
                            read(operands[first + 2], Width::W32));
    write(operands[0], result);
    if (hasPredicate)
      write(operands[1], inside);
    return true;
  }
  if (name == "vote" && operands.size() == (isSync ? 3u : 2u)) {
    SlotOffset mask = isSync ? members(operands[2]) : NoSlot;
    auto kind = statement.has("all")   ? VoteKind::All
                : statement.has("any") ? VoteKind::Any
                : statement.has("uni") ? VoteKind::Uniform
                                       : VoteKind::Ballot;
    SlotOffset slot =
        decoder.emitVote(kind, read(operands[1], Width::Mask), mask);
    write(operands[0],
          {slot, kind == VoteKind::Ballot ? Width::W32 : Width::Mask});
    return true;
  }
  std::optional<Kind> kind = kindOf(statement.type());
  if (name == "match" && kind) {
    bool hasPredicate = operands.size() == 4;
    SlotOffset mask = members(operands.back());
    auto [result, same] = decoder.emitMatch(
        {read(operands[1 + hasPredicate], kind->width), kind->width}, mask,
        statement.has("all"));
    write(operands[0], result);
    if (hasPredicate)
      write(operands[1], same);
    return true;
  }
  if (name == "redux" && kind && operands.size() == 3) {
    std::optional<AtomicKind> operation;
    for (StringRef word : statement.words)
      if (std::optional<AtomicKind> found = Decoder::reduxKind(word))
        operation = found;
    if (!operation)
      return false;
    if (!kind->isSigned && *operation == AtomicKind::SMax)
      operation = AtomicKind::UMax;
    if (!kind->isSigned && *operation == AtomicKind::SMin)
      operation = AtomicKind::UMin;
    SlotOffset mask = members(operands[2]);
    write(operands[0],
          decoder.emitRedux(*operation, read(operands[1], Width::W32), mask));
    return true;
  }
  return false;
}

bool AssemblyDecoder::translateBarrier(const Statement &statement) {
  if (statement.name != "bar" && statement.name != "barrier")
    return false;
  const auto &operands = statement.operands;
  if (statement.has("warp")) {
    decoder.emitGather(read(operands[0], Width::W32), true);
    return true;
  }
  if (statement.has("cluster")) {
    if (statement.has("wait"))
      decoder.emitBarrier(decoder.constantSlot(Width::W32, 0), NoSlot, true,
                          false);
    return true;
  }
  bool isAligned = statement.name == "bar" || statement.has("aligned");
  if (statement.has("sync") || statement.has("arrive")) {
    if (operands.empty())
      return false;
    SlotOffset threads =
        operands.size() > 1 ? read(operands[1], Width::W32) : NoSlot;
    decoder.emitBarrier(read(operands[0], Width::W32), threads,
                        statement.has("sync"), isAligned);
    return true;
  }
  if (!statement.has("red") || operands.size() < 3)
    return false;
  auto kind = statement.has("popc")  ? BarrierVote::Count
              : statement.has("and") ? BarrierVote::All
                                     : BarrierVote::Any;
  SlotOffset number = read(operands[1], Width::W32);
  SlotOffset threads =
      operands.size() > 3 ? read(operands[2], Width::W32) : NoSlot;
  decoder.emitBarrierWithVote(
      number, threads, read(operands.back(), Width::Mask), true, isAligned);
  write(operands[0], decoder.emitBarrierResult(number, kind));
  return true;
}
