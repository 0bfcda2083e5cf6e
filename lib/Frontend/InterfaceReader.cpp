// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InterfaceReader.h"

#include "LibraryCalls.h"
#include "PragmaLaunches.h"
#include "StructMembers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;

static bool isOfHost(const clang::FunctionDecl &function) {
  return !function.hasAttr<clang::CUDAGlobalAttr>() &&
         (!function.hasAttr<clang::CUDADeviceAttr>() ||
          function.hasAttr<clang::CUDAHostAttr>());
}

void InterfaceReader::noteEntry(const clang::FunctionDecl &function) {
  if (!isShared(function) || function.isMain() ||
      !entries.insert(function.getCanonicalDecl()).second)
    return;
  if (function.isDefined())
    result.entries.push_back(names.of(&function));
  // What it finds in its object others of the class may have put there.
  if (auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function)) {
    for (const clang::CXXMethodDecl *other : method->getParent()->methods())
      if (other->isUserProvided() &&
          !llvm::isa<clang::CXXDestructorDecl>(other))
        noteEntry(*other);
  }
}

void InterfaceReader::noteWays(const Site &site) {
  auto note = [&](const clang::FunctionDecl *function) {
    if (function)
      noteEntry(*function);
  };
  note(site.function);
  for (const CallPath &path : callers.pathsTo(site.function))
    for (const auto &[function, call] : path) {
      note(function);
      note(call->caller);
    }
}

void InterfaceReader::noteCall(Site call) {
  const clang::FunctionDecl *callee = calledBy(*call.expr);
  if (callee && !callee->isDefined() && callee->isExternallyVisible() &&
      !callee->isImplicit() && !callee->getBuiltinID() &&
      !isVirtualCall(*call.expr) && !isOfLibrary(callee) && isOfHost(*callee) &&
      !context.getSourceManager().isInSystemHeader(callee->getLocation()))
    calls.push_back(std::move(call));
}

HostInterface InterfaceReader::take() {
  for (const Site &call : calls)
    read(call);
  return std::move(result);
}

/// Whether \p call tells more than that somebody calls. What a method gives its
/// object it may have from nobody.
static bool saysSomething(const HostCall &call,
                          const clang::FunctionDecl &callee) {
  bool isOfObject = llvm::isa<clang::CXXMethodDecl>(callee);
  return (isOfObject && call.arguments.empty()) ||
         llvm::any_of(call.arguments, [](const HostArgument &argument) {
           return argument.value.isKnown() || !argument.members.empty();
         });
}

/// The calls at \p site, on each way to it.
void InterfaceReader::read(const Site &site) {
  const clang::Expr &call = *site.expr;
  const clang::FunctionDecl &callee = *calledBy(call);
  noteWays(site);
  ways.follow(site, [&](HostWay way) {
    auto ask = [&] { readCall(call, callee); };
    for (Supposition &one : ways.choices(std::move(way), ask)) {
      evaluator.suppose(std::move(one));
      HostCall read = readCall(call, callee);
      if (saysSomething(read, callee) &&
          !llvm::is_contained(result.calls, read))
        result.calls.push_back(std::move(read));
    }
  });
}

/// Whether what is known of what a parameter of \p type leads to counts.
static bool leadsElsewhere(clang::QualType type) {
  return type->isReferenceType() ||
         (type->isPointerType() && type->getPointeeType()->isRecordType());
}

/// Whether what \p call gives for parameter \p number of \p callee leads to
/// what another one or the object leads to: the function may write it by that
/// name.
static bool isGivenTwice(const clang::Expr &call,
                         const clang::FunctionDecl &callee, unsigned number) {
  auto variableOf = [&](unsigned i) {
    return leadsElsewhere(callee.getParamDecl(i)->getType())
               ? variableAt(argumentFor(call, i))
               : nullptr;
  };
  const clang::VarDecl *variable = variableOf(number);
  if (!variable)
    return false;
  auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  bool isTwice =
      method && variableAt(method->getImplicitObjectArgument()) == variable;
  for (unsigned i = 0; i < callee.getNumParams() && !isTwice; ++i)
    isTwice = i != number && variableOf(i) == variable;
  return isTwice;
}

HostCall InterfaceReader::readCall(const clang::Expr &call,
                                   const clang::FunctionDecl &callee) {
  HostCall result;
  result.function = names.of(&callee);
  result.isWithoutArguments = evaluator.supposesNoArguments();
  result.location =
      sourceLocation(context.getSourceManager(), call.getBeginLoc());
  for (unsigned i = 0; i < callee.getNumParams(); ++i) {
    const clang::Expr *argument = argumentFor(call, i);
    result.arguments.push_back(
        argument && !isGivenTwice(call, callee, i)
            ? readArgument(*argument, callee.getParamDecl(i)->getType())
            : HostArgument());
  }
  return result;
}

/// What \p argument says of a parameter of type \p parameter.
HostArgument InterfaceReader::readArgument(const clang::Expr &argument,
                                           clang::QualType parameter) {
  HostArgument result;
  clang::QualType type = parameter.getNonReferenceType();
  result.value = readValue(&argument, type);
  bool isPointer = type->isPointerType();
  clang::QualType object = isPointer ? type->getPointeeType() : type;
  if (!object->isRecordType() || result.value.isKnown())
    return result;
  for (StructMember &one : membersOf(object, context)) {
    one.parts.front().isPointee = isPointer;
    HostValue value = readValue({&argument, one.parts}, one.type);
    if (value.isKnown())
      result.members[one.member.byte] = value;
  }
  return result;
}

HostValue InterfaceReader::readValue(const HostPlace &place,
                                     clang::QualType type) {
  HostValue value;
  if (type->isIntegralOrEnumerationType() || type->isPointerType())
    value.integer = evaluator.integer(place);
  if (type->isRealFloatingType())
    value.real = evaluator.floating(place);
  if (!type->isPointerType() || value.integer)
    return value;
  if (std::optional<int64_t> bytes = evaluator.objectInBytes(place);
      bytes && *bytes > 0)
    value.objectInBytes = static_cast<uint64_t>(*bytes);
  return value;
}
