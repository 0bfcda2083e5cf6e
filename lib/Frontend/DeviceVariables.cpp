// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceVariables.h"

#include "AllCodeVisitor.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace auspex;

/// Of a variable that is const, clang makes a constant of the GPU besides.
template <typename Attribute>
static bool isSaidToBe(const clang::VarDecl &variable) {
  auto *attribute = variable.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

bool auspex::isOnDevice(const clang::VarDecl &variable) {
  return isSaidToBe<clang::CUDAConstantAttr>(variable) ||
         isSaidToBe<clang::CUDADeviceAttr>(variable);
}

bool auspex::isForDevice(const clang::FunctionDecl *function) {
  return function && (function->hasAttr<clang::CUDAGlobalAttr>() ||
                      function->hasAttr<clang::CUDADeviceAttr>());
}

namespace {

/// Finds what code mentions, one function after the other.
class DeviceCodeVisitor : public AllCodeVisitor {
public:
  llvm::MapVector<const clang::VarDecl *, const clang::DeclRefExpr *> variables;

  void visit(const clang::FunctionDecl &kernel) {
    enter(kernel);
    while (!functions.empty())
      TraverseStmt(functions.pop_back_val()->getBody());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    constexpr size_t Most = 64;
    auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
    if (variable && isOnDevice(*variable) && !variable->isConstexpr() &&
        variables.size() < Most)
      variables.try_emplace(variable->getCanonicalDecl(), mention);
    if (auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl()))
      enter(*function);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *access) override {
    if (auto *method =
            llvm::dyn_cast<clang::FunctionDecl>(access->getMemberDecl()))
      enter(*method);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expr) override {
    enter(*expr->getConstructor());
    return true;
  }

private:
  llvm::SmallVector<const clang::FunctionDecl *, 8> functions;
  llvm::DenseSet<const clang::FunctionDecl *> seen;

  void enter(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *definition = nullptr;
    if (function.hasBody(definition) && seen.insert(definition).second)
      functions.push_back(definition);
  }
};

} // namespace

llvm::ArrayRef<const clang::DeclRefExpr *>
DeviceVariables::mentionedBy(const clang::FunctionDecl &kernel) {
  auto [entry, isNew] = known.try_emplace(kernel.getCanonicalDecl());
  if (isNew) {
    DeviceCodeVisitor visitor;
    visitor.visit(kernel);
    for (const auto &[variable, mention] : visitor.variables)
      entry->second.push_back(mention);
  }
  return entry->second;
}
