// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionWrites.h"
#include "VariableWrites.h"

using namespace auspex;

VariablePart VariablePart::first(llvm::ArrayRef<VariablePart> parts) {
  if (parts.empty())
    return {};
  VariablePart result = parts.front();
  if (result.member && parts.size() > 1)
    result.inner = parts[1].member;
  return result;
}

/// The function that holds the variable, looking out of lambdas and local
/// classes: what is captured can be written in there.
static const clang::FunctionDecl *
outermostFunction(const clang::VarDecl *variable) {
  const clang::FunctionDecl *outermost = nullptr;
  const clang::DeclContext *context = variable->getParentFunctionOrMethod();
  while (context) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(context))
      outermost = function;
    context = llvm::cast<clang::Decl>(context)->getParentFunctionOrMethod();
  }
  return outermost;
}

WrittenVariables::WrittenVariables() = default;
WrittenVariables::~WrittenVariables() = default;

const WrittenVariables::FunctionWrites *
WrittenVariables::writesAround(const clang::VarDecl *variable) {
  const clang::FunctionDecl *function = outermostFunction(variable);
  if (!function || !function->getBody())
    return nullptr;
  auto [entry, isNew] = functions.try_emplace(function);
  if (!isNew)
    return entry->second.get();
  // (Functions that this one gives references to are looked at meanwhile.)
  auto writes = std::make_unique<FunctionWrites>(function->getBody(), *this);
  return (functions[function] = std::move(writes)).get();
}

bool WrittenVariables::keepsItsValue(const clang::VarDecl *variable) {
  const FunctionWrites *writes = writesAround(variable);
  return writes && writes->isUnwritten(variable);
}

bool WrittenVariables::keepsPointee(const clang::ParmVarDecl *pointer) {
  const FunctionWrites *writes = writesAround(pointer);
  return writes && !writes->writesPointee(pointer);
}

bool WrittenVariables::isGivenAway(const clang::ParmVarDecl *parameter) {
  const FunctionWrites *writes = writesAround(parameter);
  return !writes || writes->isGivenAway(parameter);
}

std::optional<VariableVersion>
WrittenVariables::version(const clang::DeclRefExpr *mention,
                          const clang::FieldDecl *member) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  const FunctionWrites *writes = variable ? writesAround(variable) : nullptr;
  return writes ? writes->version(mention, member) : std::nullopt;
}

Origin WrittenVariables::before(const clang::Stmt *place,
                                const clang::VarDecl *variable,
                                const VariablePart &part) {
  const FunctionWrites *writes = writesAround(variable);
  return writes ? writes->before(place, variable, part) : Origin();
}

Origin WrittenVariables::after(const clang::Stmt *place,
                               const clang::VarDecl *variable,
                               const VariablePart &part) {
  const FunctionWrites *writes = writesAround(variable);
  return writes ? writes->after(place, variable, part) : Origin();
}

Origin WrittenVariables::afterWay(const clang::SwitchStmt &choice,
                                  const SwitchWay &way,
                                  const clang::VarDecl *variable,
                                  const VariablePart &part) {
  const FunctionWrites *writes = writesAround(variable);
  return writes ? writes->afterWay(choice, way, variable, part) : Origin();
}

PartsWritten WrittenVariables::writtenIn(const clang::Stmt *loop,
                                         const clang::VarDecl *variable) {
  const FunctionWrites *writes = writesAround(variable);
  return writes ? writes->writtenIn(loop) : PartsWritten();
}

const clang::BinaryOperator *
WrittenVariables::filling(const clang::Stmt *loop,
                          const clang::VarDecl *array) {
  auto *counting = llvm::dyn_cast<clang::ForStmt>(loop);
  if (!counting || llvm::count_if(writtenIn(loop, array), [&](const auto &one) {
                     return one.first == array;
                   }) != 1)
    return nullptr;
  auto fill =
      [&](const clang::Stmt *statement) -> const clang::BinaryOperator * {
    const clang::DeclRefExpr *mention = arrayAssignedIn(statement);
    return mention && mention->getDecl() == array
               ? llvm::cast<clang::BinaryOperator>(statement)
               : nullptr;
  };
  auto *block = llvm::dyn_cast<clang::CompoundStmt>(counting->getBody());
  if (!block)
    return fill(counting->getBody());
  for (const clang::Stmt *statement : block->body())
    if (const clang::BinaryOperator *found = fill(statement))
      return found;
  return nullptr;
}

const clang::ForStmt *
WrittenVariables::steppingLoop(const clang::DeclRefExpr *mention) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  const FunctionWrites *writes = variable ? writesAround(variable) : nullptr;
  return writes ? writes->steppingLoop(mention) : nullptr;
}

const clang::CXXForRangeStmt *
WrittenVariables::rangeLoop(const clang::VarDecl *variable) {
  const FunctionWrites *writes = writesAround(variable);
  return writes ? writes->rangeLoop(variable) : nullptr;
}

std::optional<Definition>
WrittenVariables::definition(const clang::DeclRefExpr *mention,
                             const VariablePart &part) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  const FunctionWrites *writes = variable ? writesAround(variable) : nullptr;
  return writes ? writes->definition(mention, part) : std::nullopt;
}
