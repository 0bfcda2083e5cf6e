// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallsOfOthers.h"

#include "MangledNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/StringMap.h"

using namespace auspex;

namespace {

class CallBuilder {
public:
  CallBuilder(clang::ASTContext &context, Callers &callers)
      : context(context), callers(callers) {}

  void add(const HostCall &call, const clang::FunctionDecl &function);

private:
  clang::ASTContext &context;
  Callers &callers;
  /// Where the function stands that is called.
  clang::SourceLocation place;

  clang::Expr *unknown(clang::QualType type);
  clang::Expr *value(const HostValue &value, clang::QualType type);
  clang::Expr *object(const HostArgument &argument, clang::QualType type,
                      uint64_t byte);
  clang::Expr *argument(const HostArgument &argument, clang::QualType type);
  clang::Expr *expression(const clang::FunctionDecl &function,
                          llvm::ArrayRef<clang::Expr *> arguments);
};

} // namespace

clang::Expr *CallBuilder::unknown(clang::QualType type) {
  return new (context) clang::OpaqueValueExpr(place, type, clang::VK_PRValue);
}

clang::Expr *CallBuilder::value(const HostValue &value, clang::QualType type) {
  type = type.getUnqualifiedType();
  if (value.real && type->isRealFloatingType()) {
    llvm::APFloat real(*value.real);
    bool losesInfo = false;
    real.convert(context.getFloatTypeSemantics(type),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return clang::FloatingLiteral::Create(context, real, /*isexact=*/true, type,
                                          place);
  }
  if (value.objectInBytes && type->isPointerType()) {
    clang::Expr *pointer = unknown(type);
    callers.tellObject(*pointer, *value.objectInBytes);
    return pointer;
  }
  if (!value.integer)
    return unknown(type);
  bool isNull = type->isPointerType() && *value.integer == 0;
  if (!isNull && !type->isIntegralOrEnumerationType())
    return unknown(type);
  clang::QualType number = isNull ? context.getIntPtrType() : type;
  // Enumerations and bool have no literals.
  if (!number->isIntegerType() || number->isEnumeralType() ||
      number->isBooleanType())
    number = context.getIntTypeForBitwidth(
        context.getTypeSize(number),
        number->isSignedIntegerOrEnumerationType());
  clang::Expr *literal = clang::IntegerLiteral::Create(
      context,
      llvm::APInt(context.getIntWidth(number), *value.integer,
                  /*isSigned=*/true, /*implicitTrunc=*/true),
      number, place);
  if (context.hasSameType(number, type))
    return literal;
  return clang::ImplicitCastExpr::Create(
      context, type,
      isNull                  ? clang::CK_NullToPointer
      : type->isBooleanType() ? clang::CK_IntegralToBoolean
                              : clang::CK_IntegralCast,
      literal, /*BasePath=*/nullptr, clang::VK_PRValue,
      clang::FPOptionsOverride());
}

/// What has \p type and begins at \p byte of a structure.
clang::Expr *CallBuilder::object(const HostArgument &argument,
                                 clang::QualType type, uint64_t byte) {
  auto list = [&](llvm::ArrayRef<clang::Expr *> parts) {
    auto *expr =
        new (context) clang::InitListExpr(context, place, parts, place);
    expr->setType(type.getUnqualifiedType());
    return expr;
  };
  llvm::SmallVector<clang::Expr *> parts;
  if (auto *array = context.getAsConstantArrayType(type)) {
    constexpr uint64_t MostElements = 64;
    clang::QualType element = array->getElementType();
    uint64_t size = context.getTypeSizeInChars(element).getQuantity();
    if (array->getZExtSize() > MostElements)
      return unknown(type);
    for (uint64_t i = 0; i < array->getZExtSize(); ++i)
      parts.push_back(object(argument, element, byte + i * size));
    return list(parts);
  }
  const auto *record = type->getAsCXXRecordDecl();
  if (!record) {
    auto known = argument.members.find(byte);
    return value(known == argument.members.end() ? HostValue() : known->second,
                 type);
  }
  if (record->isUnion() || record->getNumBases() ||
      !record->isCompleteDefinition() || record->isInvalidDecl())
    return unknown(type);
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(record);
  for (const clang::FieldDecl *field : record->fields())
    parts.push_back(
        field->isBitField()
            ? unknown(field->getType())
            : object(argument, field->getType(),
                     byte + layout.getFieldOffset(field->getFieldIndex()) / 8));
  return list(parts);
}

clang::Expr *CallBuilder::argument(const HostArgument &argument,
                                   clang::QualType type) {
  type = type.getNonReferenceType();
  if (argument.members.empty())
    return value(argument.value, type);
  if (!type->isPointerType())
    return object(argument, type, /*byte=*/0);
  clang::Expr *pointee = object(argument, type->getPointeeType(), /*byte=*/0);
  return clang::UnaryOperator::Create(context, pointee, clang::UO_AddrOf, type,
                                      clang::VK_PRValue, clang::OK_Ordinary,
                                      place, /*CanOverflow=*/false,
                                      clang::FPOptionsOverride());
}

clang::Expr *CallBuilder::expression(const clang::FunctionDecl &function,
                                     llvm::ArrayRef<clang::Expr *> arguments) {
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    return clang::CXXConstructExpr::Create(
        context, context.getCanonicalTagType(constructor->getParent()), place,
        const_cast<clang::CXXConstructorDecl *>(constructor),
        /*Elidable=*/false, arguments, /*HadMultipleCandidates=*/false,
        /*ListInitialization=*/false, /*StdInitListInitialization=*/false,
        /*ZeroInitialization=*/false, clang::CXXConstructionKind::Complete,
        place);
  clang::Expr *callee = clang::DeclRefExpr::Create(
      context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
      const_cast<clang::FunctionDecl *>(&function),
      /*RefersToEnclosingVariableOrCapture=*/false, place, function.getType(),
      clang::VK_LValue);
  return clang::CallExpr::Create(
      context, callee, arguments, function.getCallResultType(),
      clang::Expr::getValueKindForType(function.getReturnType()), place,
      clang::FPOptionsOverride());
}

void CallBuilder::add(const HostCall &call,
                      const clang::FunctionDecl &function) {
  place = function.getLocation();
  if (call.arguments.size() != function.getNumParams())
    return;
  llvm::SmallVector<clang::Expr *> arguments;
  for (auto [given, parameter] :
       llvm::zip(call.arguments, function.parameters()))
    arguments.push_back(argument(given, parameter->getType()));
  callers.add(function,
              {expression(function, arguments), /*caller=*/nullptr,
               /*conditions=*/{}, /*loop=*/nullptr, call.isWithoutArguments});
}

void auspex::addCalls(llvm::ArrayRef<HostCall> calls,
                      clang::ASTContext &context, Callers &callers) {
  if (calls.empty())
    return;
  MangledNames names(context);
  llvm::StringMap<const clang::FunctionDecl *> functions;
  for (const clang::FunctionDecl *function : callers.definitions())
    if (isShared(*function))
      functions.try_emplace(names.of(function), function);
  CallBuilder builder(context, callers);
  for (const HostCall &call : calls)
    if (const clang::FunctionDecl *function = functions.lookup(call.function))
      builder.add(call, *function);
}
