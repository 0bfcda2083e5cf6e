// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/PtxText.h"

#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;

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

llvm::SmallVector<StringRef, 8> auspex::ptxOperands(StringRef text) {
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

static PtxStatement parseStatement(StringRef text) {
  PtxStatement statement;
  if (text.consume_front("@")) {
    statement.predicate = text.take_until([](char c) { return c == ' '; });
    text = text.drop_front(statement.predicate.size()).trim();
  }
  statement.text = text;
  StringRef opcode = text.take_until([](char c) { return c == ' '; });
  llvm::SmallVector<StringRef, 8> words;
  opcode.split(words, '.', -1, /*KeepEmpty=*/false);
  if (!words.empty()) {
    statement.name = words.front();
    statement.words.assign(words.begin() + 1, words.end());
  }
  for (StringRef operand : ptxOperands(text.drop_front(opcode.size()))) {
    auto [first, second] = operand.split('|');
    statement.operands.push_back(first.trim());
    if (!second.empty())
      statement.operands.insert(statement.operands.begin() + 1, second.trim());
  }
  return statement;
}

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

PtxText::PtxText(StringRef assembly) : text(cleanText(assembly)) {
  llvm::SmallVector<StringRef, 8> statements;
  StringRef(text).split(statements, ';');
  for (StringRef statement : statements) {
    // Scopes and labels; braces of vectors come later in a statement.
    for (;;) {
      statement = statement.trim();
      if (statement.consume_front("{") || statement.consume_front("}"))
        continue;
      StringRef label = takeLabel(statement);
      if (label.empty())
        break;
      all.emplace_back().label = label;
    }
    if (!statement.empty())
      all.push_back(parseStatement(statement));
  }
}

llvm::SmallVector<StringRef, 4> auspex::ptxElements(StringRef operand) {
  llvm::SmallVector<StringRef, 4> elements;
  if (operand.consume_front("{")) {
    operand.consume_back("}");
    for (StringRef element : ptxOperands(operand))
      elements.push_back(element);
  } else {
    elements.push_back(operand);
  }
  return elements;
}

std::optional<PtxAddress> auspex::parsePtxAddress(StringRef operand) {
  operand.consume_front("[");
  operand.consume_back("]");
  operand = operand.trim();
  size_t sign = operand.find_first_of("+-");
  PtxAddress address;
  address.base = operand.take_front(sign).trim();
  if (sign == StringRef::npos)
    return address;
  StringRef number = operand.drop_front(sign);
  bool isMinus = number.front() == '-';
  number = number.drop_front().trim();
  bool isMinusAgain = number.consume_front("-");
  if (number.getAsInteger(0, address.displacement))
    return std::nullopt;
  if (isMinus != isMinusAgain)
    address.displacement = -address.displacement;
  return address;
}
