// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments that the program is run with, and what functions of the C and
// C++ libraries make of them and of other strings.
#include "HostEvaluator.h"

#include "HostArithmetic.h"
#include "LibraryCalls.h"
#include "TextScan.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;
using llvm::StringRef;

/// \p value as an integer or a pointer.
HostEvaluator::Value HostEvaluator::word(uint64_t value,
                                         clang::QualType type) const {
  return APSInt(llvm::APInt(context.getTypeSize(type), value,
                            /*isSigned=*/false, /*implicitTrunc=*/true),
                !type->isSignedIntegerType());
}

/// \p value, which is that of a program without arguments.
HostEvaluator::Value HostEvaluator::ofNoArguments(uint64_t value,
                                                  clang::QualType type) {
  askedForArguments = true;
  return supposition.withoutArguments ? word(value, type) : Value();
}

/// What \p parameter of main() holds.
HostEvaluator::Value
HostEvaluator::givenToMain(const clang::ParmVarDecl &parameter) {
  unsigned number = parameter.getFunctionScopeIndex();
  clang::QualType type = parameter.getType();
  if (number == 0 && !programArguments)
    return ofNoArguments(1, type);
  if (number == 0)
    return word(programArguments->size() + 1, type);
  return number == 1 && argumentCount() ? Value(ProgramArguments()) : Value();
}

/// How many arguments the program has, with its name; none if that is not
/// known.
std::optional<uint64_t> HostEvaluator::argumentCount() const {
  if (programArguments)
    return programArguments->size() + 1;
  return supposition.withoutArguments ? std::optional(1) : std::nullopt;
}

/// `argv + 1`, `begin != end` and the like; nothing if these are no pointers to
/// arguments.
HostEvaluator::Value
HostEvaluator::ofProgramArguments(clang::BinaryOperatorKind kind,
                                  const Value &left, const Value &right,
                                  clang::QualType type) const {
  auto *a = std::get_if<ProgramArguments>(&left);
  auto *b = std::get_if<ProgramArguments>(&right);
  auto *steps = std::get_if<APSInt>(&right);
  if (a && b && (kind == clang::BO_EQ || kind == clang::BO_NE))
    return boolean((a->first == b->first) == (kind == clang::BO_EQ), type);
  std::optional<int64_t> distance = steps ? steps->tryExtValue() : std::nullopt;
  if (!a || !distance || (kind != clang::BO_Add && kind != clang::BO_Sub))
    return {};
  auto place = static_cast<int64_t>(a->first);
  if (llvm::AddOverflow(place, kind == clang::BO_Add ? *distance : -*distance,
                        place) ||
      place < 0 || static_cast<uint64_t>(place) > *argumentCount())
    return {};
  return ProgramArguments{static_cast<uint64_t>(place)};
}

/// `std::find(begin, end, text)` among the arguments of the program, of which
/// none is the program's name; nothing for other calls.
HostEvaluator::Value HostEvaluator::findArgument(const clang::CallExpr &call) {
  if (!isOfLibrary(call.getDirectCallee()) ||
      !call.getDirectCallee()->getIdentifier() ||
      call.getDirectCallee()->getName() != "find" || call.getNumArgs() != 3)
    return {};
  Value begin = evaluate(call.getArg(0)), end = evaluate(call.getArg(1));
  auto *first = std::get_if<ProgramArguments>(&begin);
  auto *last = std::get_if<ProgramArguments>(&end);
  if (!first || !last || first->first > last->first)
    return {};
  Value value = evaluate(call.getArg(2));
  for (uint64_t i = std::max<uint64_t>(first->first, 1); i < last->first; ++i) {
    auto *text = std::get_if<StringRef>(&value);
    Value argument = programArgument(APSInt::getUnsigned(i));
    if (!text || !std::holds_alternative<StringRef>(argument))
      return {};
    if (std::get<StringRef>(argument) == *text)
      return ProgramArguments{i};
  }
  return *last;
}

/// `argv[index]`.
HostEvaluator::Value HostEvaluator::programArgument(const APSInt &index) const {
  uint64_t number = index.isNonNegative() ? index.getLimitedValue() : 0;
  if (number == *argumentCount())
    return APSInt(llvm::APInt(64, 0)); // a null pointer
  if (number == 0 || number > *argumentCount())
    return {};
  return StringRef((*programArguments)[number - 1]);
}

/// Element \p index of what \p base, a pointer, leads to, if that is a string
/// or the arguments of the program.
HostEvaluator::Value HostEvaluator::elementOfText(const clang::Expr *base,
                                                  const clang::Expr *index,
                                                  clang::QualType type) {
  Value value = evaluate(base);
  auto *text = std::get_if<StringRef>(&value);
  if (!text && !std::holds_alternative<ProgramArguments>(value))
    return {};
  std::optional<APSInt> number = this->number(index);
  if (!number)
    return {};
  if (!text) {
    Value argument = ofProgramArguments(clang::BO_Add, value, *number, type);
    auto *place = std::get_if<ProgramArguments>(&argument);
    return place ? programArgument(APSInt::getUnsigned(place->first)) : Value();
  }
  uint64_t at =
      number->isNonNegative() ? number->getLimitedValue() : UINT64_MAX;
  if (at > text->size() || !type->isCharType())
    return {};
  char letter = at == text->size() ? '\0' : (*text)[at];
  return this->number(llvm::APInt(64, letter, /*isSigned=*/true), type);
}

//===----------------------------------------------------------------------===//
// Functions of the libraries
//===----------------------------------------------------------------------===//

/// What a function of the C library that looks for something in the arguments
/// or the environment finds if there is nothing; none for other functions.
static std::optional<uint64_t>
foundInArguments(const clang::FunctionDecl &function) {
  if (!function.getIdentifier() || !function.isExternC() || function.hasBody())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<uint64_t>>(function.getName())
      .Case("getenv", 0)
      .Cases({"getopt", "getopt_long", "getopt_long_only"}, UINT64_MAX)
      .Default(std::nullopt);
}

/// What \p call finds in the arguments and the environment; nothing if it is
/// none of the functions that look there.
HostEvaluator::Value
HostEvaluator::lookUpArguments(const clang::CallExpr &call) {
  std::optional<uint64_t> nothing = foundInArguments(*call.getDirectCallee());
  if (!nothing)
    return {};
  if (!programArguments)
    return ofNoArguments(*nothing, call.getType());
  bool hasOption = llvm::any_of(*programArguments, [](StringRef argument) {
    return argument.starts_with("-");
  });
  bool isOfOptions = *nothing != 0;
  if (isOfOptions && hasOption)
    return {};
  return word(*nothing, call.getType());
}

/// \p value in the floating-point type \p type.
llvm::APFloat HostEvaluator::realOf(double value, clang::QualType type) const {
  APFloat real(value);
  bool losesInfo = false;
  real.convert(context.getFloatTypeSemantics(type),
               APFloat::rmNearestTiesToEven, &losesInfo);
  return real;
}

/// What strtoll reads at the begin of \p text, or strtoull where a number \p
/// isUnsigned.
static int64_t leadingInteger(StringRef text, unsigned base,
                              bool isUnsigned = false) {
  std::string digits = text.str();
  auto radix = static_cast<int>(base);
  return isUnsigned ? static_cast<int64_t>(
                          std::strtoull(digits.c_str(), nullptr, radix))
                    : std::strtoll(digits.c_str(), nullptr, radix);
}

/// Of a function of the libraries that reads a number from a string or compares
/// two; nothing for others.
HostEvaluator::Value HostEvaluator::callWithText(const clang::CallExpr &call) {
  const clang::FunctionDecl &callee = *call.getDirectCallee();
  bool isOfC = callee.isExternC() && !callee.hasBody();
  if (!callee.getIdentifier() || call.getNumArgs() == 0 ||
      !(isOfC || isWellKnown(callee)))
    return {};
  if (isScan(call))
    return scanned(call, std::nullopt);
  enum Kind {
    None,
    Integer,
    IntegerInBase,
    Real,
    Compare,
    CompareAnyCase,
    Length,
    Find
  };
  Kind kind = llvm::StringSwitch<Kind>(callee.getName())
                  .Cases({"atoi", "atol", "atoll"}, Integer)
                  .Cases({"strtol", "strtoul", "strtoll", "strtoull", "stoi",
                          "stol", "stoul", "stoll", "stoull"},
                         IntegerInBase)
                  .Cases({"atof", "strtod", "strtof", "stod", "stof"}, Real)
                  .Cases({"strcmp", "strncmp"}, Compare)
                  .Cases({"strcasecmp", "strncasecmp"}, CompareAnyCase)
                  .Case("strlen", Length)
                  .Case("strchr", Find)
                  .Default(None);
  if (kind == None)
    return {};
  Value value = evaluate(call.getArg(0));
  auto *text = std::get_if<StringRef>(&value);
  if (!text)
    return {};
  clang::QualType type = call.getType();
  auto integer = [&](int64_t result) {
    return number(llvm::APInt(64, result, /*isSigned=*/true), type);
  };
  switch (kind) {
  case None:
    return {};
  case Integer:
    return integer(leadingInteger(*text, 10));
  case IntegerInBase: {
    std::optional<APSInt> base =
        call.getNumArgs() == 3 ? number(call.getArg(2)) : std::nullopt;
    bool isBase = base && (base->isZero() || (*base >= 2 && *base <= 36));
    return isBase ? integer(leadingInteger(*text, base->getZExtValue(),
                                           type->isUnsignedIntegerType()))
                  : Value();
  }
  case Real:
    return realOf(std::strtod(text->str().c_str(), nullptr), type);
  case Compare:
  case CompareAnyCase: {
    Value other = call.getNumArgs() >= 2 ? evaluate(call.getArg(1)) : Value();
    auto *otherText = std::get_if<StringRef>(&other);
    std::optional<APSInt> most = call.getNumArgs() == 3
                                     ? number(call.getArg(2))
                                     : APSInt::get(INT64_MAX);
    if (!otherText || !most)
      return {};
    StringRef a = text->take_front(most->getLimitedValue());
    StringRef b = otherText->take_front(most->getLimitedValue());
    return integer(kind == Compare ? a.compare(b) : a.compare_insensitive(b));
  }
  case Length:
    return integer(static_cast<int64_t>(text->size()));
  case Find: {
    std::optional<APSInt> letter =
        call.getNumArgs() == 2 ? number(call.getArg(1)) : std::nullopt;
    if (!letter || letter->isZero())
      return {};
    size_t at = text->find(static_cast<char>(letter->getExtValue()));
    return at == StringRef::npos ? word(0, type) : Value(text->drop_front(at));
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// What sscanf writes through \p argument; what it returns if that is none.
HostEvaluator::Value HostEvaluator::scanned(const clang::CallExpr &call,
                                            std::optional<unsigned> argument) {
  Value text = evaluate(call.getArg(0)), format = evaluate(call.getArg(1));
  if (!std::holds_alternative<StringRef>(text) ||
      !std::holds_alternative<StringRef>(format))
    return {};
  auto values =
      scanText(std::get<StringRef>(text), std::get<StringRef>(format));
  constexpr unsigned First = 2;
  if (!values || (argument && *argument - First >= values->size()))
    return {};
  if (!argument)
    return number(llvm::APInt(64, values->size()), call.getType());
  clang::QualType type = call.getArg(*argument)->getType()->getPointeeType();
  const auto &value = (*values)[*argument - First];
  if (auto *integer = std::get_if<int64_t>(&value))
    return type->isIntegerType()
               ? number(llvm::APInt(64, *integer, /*isSigned=*/true), type)
               : Value();
  return type->isRealFloatingType()
             ? Value(realOf(std::get<double>(value), type))
             : Value();
}

/// What `stream >> x` writes where the stream is a string that nothing has been
/// read from yet.
HostEvaluator::Value HostEvaluator::extracted(const clang::CallExpr &call) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(call.getArg(0)->IgnoreParenImpCasts());
  auto *stream =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  const clang::CXXRecordDecl *record =
      stream ? stream->getType()->getAsCXXRecordDecl() : nullptr;
  if (!isOfLibrary(record) || (record->getName() != "basic_istringstream" &&
                               record->getName() != "basic_stringstream"))
    return {};
  std::optional<VariableVersion> version =
      writes.version(mention, /*member=*/nullptr);
  auto *made = stream->getInit() ? llvm::dyn_cast<clang::CXXConstructExpr>(
                                       stream->getInit()->IgnoreImplicit())
                                 : nullptr;
  if (!version || version->writes || version->repeated || !made ||
      made->getNumArgs() == 0)
    return {};
  Value value =
      inFrame(frameOf(stream), [&] { return evaluate(made->getArg(0)); });
  auto *text = std::get_if<StringRef>(&value);
  clang::QualType type = call.getArg(1)->getType();
  if (!text || text->empty() ||
      !(llvm::isDigit(text->front()) || text->front() == '-'))
    return {};
  if (type->isRealFloatingType())
    return realOf(std::strtod(text->str().c_str(), nullptr), type);
  bool isNumber = type->isIntegerType() && !type->isAnyCharacterType() &&
                  !type->isBooleanType();
  return isNumber
             ? number(llvm::APInt(64,
                                  leadingInteger(*text, 10,
                                                 type->isUnsignedIntegerType()),
                                  /*isSigned=*/true),
                      type)
             : Value();
}

/// `a == b` or `a != b` of the library's strings; nothing for other operators.
HostEvaluator::Value
HostEvaluator::compareTexts(const clang::CXXOperatorCallExpr &call) {
  bool isEqual = call.getOperator() == clang::OO_EqualEqual;
  if ((!isEqual && call.getOperator() != clang::OO_ExclaimEqual) ||
      call.getNumArgs() != 2 || !isOfLibrary(call.getDirectCallee()))
    return {};
  Value left = evaluate(call.getArg(0)), right = evaluate(call.getArg(1));
  auto *a = std::get_if<StringRef>(&left), *b = std::get_if<StringRef>(&right);
  return a && b ? boolean((*a == *b) == isEqual, call.getType()) : Value();
}

/// Whether \p record is std::string.
static bool isText(const clang::CXXRecordDecl *record) {
  return isOfLibrary(record) && record->getName() == "basic_string";
}

/// What \p construct makes of a string, if that is a std::string.
HostEvaluator::Value
HostEvaluator::constructText(const clang::CXXConstructExpr &construct) {
  if (construct.getNumArgs() == 0 ||
      !isText(construct.getConstructor()->getParent()))
    return {};
  for (const clang::Expr *other : llvm::drop_begin(construct.arguments()))
    if (!llvm::isa<clang::CXXDefaultArgExpr>(other))
      return {};
  Value value = evaluate(construct.getArg(0));
  return std::holds_alternative<StringRef>(value) ? value : Value();
}

/// `text.c_str()`; nothing for other methods.
HostEvaluator::Value
HostEvaluator::textOf(const clang::CXXMemberCallExpr &call) {
  const clang::CXXMethodDecl *method = call.getMethodDecl();
  if (!method || !method->getIdentifier() || !isText(method->getParent()) ||
      (method->getName() != "c_str" && method->getName() != "data"))
    return {};
  Value value = evaluate(call.getImplicitObjectArgument());
  return std::holds_alternative<StringRef>(value) ? value : Value();
}
