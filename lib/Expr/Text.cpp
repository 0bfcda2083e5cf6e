// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing and parsing expressions.
#include "auspex/Expr/Expr.h"

#include "Builder.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static const std::pair<Atom::Kind, StringRef> functionNames[] = {
    {Atom::Kind::FloorDiv, "floordiv"}, {Atom::Kind::Mod, "mod"},
    {Atom::Kind::Min, "min"},           {Atom::Kind::Max, "max"},
    {Atom::Kind::And, "and"},           {Atom::Kind::Or, "or"},
    {Atom::Kind::Xor, "xor"},           {Atom::Kind::Pow2, "pow2"},
    {Atom::Kind::Log2, "log2"},
};

/// [a < b]: what enters with a minus stands on the other side, and a constant
/// on the right.
static std::string printBracket(const Atom &atom) {
  StringRef relation = atom.kind == Atom::Kind::EqualZero ? " == "
                       : atom.kind == Atom::Kind::NotZero ? " != "
                                                          : " <= ";
  std::vector<Expr::Term> negative, positive;
  for (Expr::Term term : atom.operands[0].sum()) {
    bool minus = term.coefficient < 0;
    term.coefficient = minus ? -term.coefficient : term.coefficient;
    (minus ? negative : positive).push_back(std::move(term));
  }
  Expr left = ExprBuilder::fromTerms(negative);
  Expr right = ExprBuilder::fromTerms(positive);
  if (left.isConstant()) {
    std::swap(left, right);
    relation = relation == " <= " ? " >= " : relation;
  } else if (relation == " <= " && negative.back().isConstant() &&
             negative.back().coefficient == 1) {
    // 1 + a <= b reads a < b.
    left = left - Expr(1);
    relation = " < ";
  }
  return "[" + left.str() + relation.str() + right.str() + "]";
}

static std::string printFunction(const Atom &atom) {
  for (const auto &[kind, name] : functionNames) {
    if (kind != atom.kind)
      continue;
    std::vector<std::string> operands;
    for (const Expr &operand : atom.operands)
      operands.push_back(operand.str());
    return name.str() + "(" + llvm::join(operands, ", ") + ")";
  }
  return printBracket(atom);
}

/// Appends a term with its sign.
static void printTerm(int64_t coefficient, llvm::ArrayRef<Expr::Factor> factors,
                      std::string &text) {
  bool negative = coefficient < 0;
  text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
  bool isFirst = true;
  auto append = [&](StringRef part) {
    if (!isFirst)
      text += '*';
    text += part;
    isFirst = false;
  };
  if (std::abs(coefficient) != 1 || factors.empty())
    append(std::to_string(std::abs(coefficient)));
  for (const auto &[atom, power] : factors) {
    bool isSymbol = atom->kind == Atom::Kind::Symbol;
    std::string function = isSymbol ? "" : printFunction(*atom);
    for (unsigned i = 0; i < power; ++i)
      append(isSymbol ? atom->name : function);
  }
}

std::string Expr::str() const {
  if (!valid)
    return "?";
  if (terms.empty())
    return "0";
  std::string text;
  for (const Term &term : terms)
    printTerm(term.coefficient, term.factors, text);
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

class Parser {
public:
  explicit Parser(StringRef text) : whole(text), rest(text) {}

  llvm::Expected<Expr> parse() {
    if (whole.size() > Expr::MaxTextSize)
      complain("it is longer than " + llvm::Twine(Expr::MaxTextSize) +
               " bytes");
    Expr result = sum();
    skipSpace();
    if (complaint.empty() && !rest.empty())
      complain("'" + shorten(rest) + "' is left over");
    if (complaint.empty() && !result.isValid())
      complain("a number or the whole is too large, or a divisor is 0");
    if (!complaint.empty())
      return makeInputError({}, "in the expression '" + shorten(whole) +
                                    "': " + complaint);
    return result;
  }

private:
  StringRef whole, rest;
  std::string complaint;
  unsigned depth = 0;

  /// Messages stay on one line of the screen, more or less.
  static std::string shorten(StringRef text) {
    constexpr size_t Most = 200;
    return text.size() <= Most ? text.str()
                               : text.take_front(Most).str() + "...";
  }

  void complain(const llvm::Twine &what) {
    if (complaint.empty())
      complaint = what.str();
    rest = "";
  }

  void skipSpace() { rest = rest.drop_while(llvm::isSpace); }

  bool eat(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  void expect(StringRef token) {
    if (!eat(token))
      complain("'" + token + "' is missing");
  }

  Expr sum() {
    if (++depth > 200) {
      complain("nested too deeply");
      return Expr();
    }
    Expr result = product();
    while (complaint.empty())
      if (eat("+"))
        result = result + product();
      else if (eat("-"))
        result = result - product();
      else
        break;
    --depth;
    return result;
  }

  Expr product() {
    Expr result = unary();
    while (complaint.empty())
      if (eat("*"))
        result = result * unary();
      else if (eat("/"))
        result = Expr::floorDiv(result, unary());
      else if (eat("%"))
        result = Expr::mod(result, unary());
      else
        break;
    return result;
  }

  Expr unary() {
    bool negative = false;
    while (complaint.empty() && eat("-"))
      negative = !negative;
    Expr result = primary();
    return negative ? -result : result;
  }

  Expr primary() {
    skipSpace();
    if (eat("(")) {
      Expr inner = sum();
      expect(")");
      return inner;
    }
    if (eat("["))
      return condition();
    if (!rest.empty() && llvm::isDigit(rest[0]))
      return number();
    auto isInName = [](char c) {
      return llvm::isAlnum(c) || c == '.' || c == '_' || c == '$';
    };
    StringRef name = rest.take_front(
        rest.find_if_not(isInName, /*From=*/rest.starts_with("@")));
    if (name.empty()) {
      complain(rest.empty() ? llvm::Twine("it ends too early")
                            : "'" + rest.take_front(1) + "' is not expected");
      return Expr();
    }
    rest = rest.drop_front(name.size());
    return eat("(") ? call(name) : Expr::symbol(name);
  }

  Expr number() {
    StringRef digits = rest.take_while(llvm::isDigit);
    rest = rest.drop_front(digits.size());
    int64_t value;
    if (digits.getAsInteger(10, value)) {
      complain(digits + " is too large");
      return Expr();
    }
    return Expr(value);
  }

  Expr condition() {
    Expr left = sum();
    static constexpr StringRef relations[] = {"<=", ">=", "==", "!=", "<", ">"};
    for (StringRef relation : relations) {
      if (!eat(relation))
        continue;
      Expr right = sum();
      expect("]");
      if (relation == "<=")
        return Expr::isLessOrEqual(left, right);
      if (relation == ">=")
        return Expr::isLessOrEqual(right, left);
      if (relation == "==")
        return Expr::isEqual(left, right);
      if (relation == "!=")
        return Expr::isNotEqual(left, right);
      return relation == "<" ? Expr::isLess(left, right)
                             : Expr::isLess(right, left);
    }
    complain("a comparison is missing in [ ]");
    return Expr();
  }

  Expr call(StringRef name) {
    std::vector<Expr> operands{sum()};
    while (complaint.empty() && eat(","))
      operands.push_back(sum());
    expect(")");
    if (!complaint.empty())
      return Expr();
    bool two = operands.size() == 2, one = operands.size() == 1;
    if (name == "floordiv" && two)
      return Expr::floorDiv(operands[0], operands[1]);
    if (name == "mod" && two)
      return Expr::mod(operands[0], operands[1]);
    if (name == "and" && two)
      return Expr::bitAnd(operands[0], operands[1]);
    if (name == "or" && two)
      return Expr::bitOr(operands[0], operands[1]);
    if (name == "xor" && two)
      return Expr::bitXor(operands[0], operands[1]);
    if (name == "pow2" && one)
      return Expr::pow2(operands[0]);
    if (name == "log2" && one)
      return Expr::log2(operands[0]);
    if ((name == "min" || name == "max") && operands.size() >= 2) {
      Expr result = operands[0];
      for (size_t i = 1; i < operands.size(); ++i)
        result = name == "min" ? Expr::min(result, operands[i])
                               : Expr::max(result, operands[i]);
      return result;
    }
    complain("no function '" + name + "' takes " +
             llvm::Twine(operands.size()) + " operands");
    return Expr();
  }
};

} // namespace

llvm::Expected<Expr> Expr::parse(StringRef text) {
  return Parser(text).parse();
}
