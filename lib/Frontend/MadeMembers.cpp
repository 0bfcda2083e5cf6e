// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MadeMembers.h"

#include "AllCodeVisitor.h"
#include "LibraryCalls.h"
#include "StatementOrder.h"
#include "clang/AST/DeclCXX.h"

using namespace auspex;

namespace {

/// `member.part = value` in a constructor, or `member = value`; without a value
/// if it is not known.
struct MemberAssignment {
  const clang::FieldDecl *member = nullptr, *part = nullptr;
  const clang::Expr *value = nullptr;
};

} // namespace

static std::optional<MemberAssignment>
memberAssignment(const clang::Stmt &statement) {
  auto *expr = llvm::dyn_cast<clang::Expr>(&statement);
  expr = expr ? expr->IgnoreImplicit() : nullptr;
  const clang::Expr *target = nullptr;
  MemberAssignment result;
  if (auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(expr);
      assignment && assignment->getOpcode() == clang::BO_Assign) {
    target = assignment->getLHS();
    result.value = assignment->getRHS();
  } else if (auto *call =
                 llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
             call && call->getOperator() == clang::OO_Equal &&
             call->getDirectCallee() && call->getDirectCallee()->isTrivial()) {
    target = call->getArg(0);
    result.value = call->getArg(1);
  }
  for (; target; target = target->IgnoreParens()) {
    if (llvm::isa<clang::CXXThisExpr>(target->IgnoreImplicit()))
      return result.member ? std::optional(result) : std::nullopt;
    auto *access = llvm::dyn_cast<clang::MemberExpr>(target);
    auto *field =
        access ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
               : nullptr;
    if (!field)
      return std::nullopt;
    // Of a part's own parts nothing is known.
    if (result.part)
      result.value = nullptr;
    result.part = result.member;
    result.member = field;
    target = access->getBase();
  }
  return std::nullopt;
}

namespace {

/// Looks for a call of the CUDA library that writes a member, whatever branches
/// are taken.
class WriterVisitor : public AllCodeVisitor {
public:
  explicit WriterVisitor(const clang::FieldDecl *member) : member(member) {}
  /// Null if there is none, or the member is mentioned otherwise too.
  const clang::CallExpr *found() const { return count == 1 ? call : nullptr; }

  bool TraverseIfStmt(clang::IfStmt *statement) override {
    const clang::CallExpr *before = call;
    bool goesOn = AllCodeVisitor::TraverseIfStmt(statement);
    WriterVisitor condition(member);
    condition.TraverseStmt(statement->getCond());
    call = condition.call ? condition.call : before;
    return goesOn;
  }
  bool VisitMemberExpr(clang::MemberExpr *access) override {
    count += access->getMemberDecl() == member;
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *called) override {
    bool isWriter = allocatedBytes(*called) || gpuProperty(*called);
    const clang::Expr *pointer =
        isWriter ? called->getArg(0)->IgnoreParenCasts() : nullptr;
    auto *address = llvm::dyn_cast_or_null<clang::UnaryOperator>(pointer);
    auto *access = address && address->getOpcode() == clang::UO_AddrOf
                       ? llvm::dyn_cast<clang::MemberExpr>(
                             address->getSubExpr()->IgnoreParens())
                       : nullptr;
    if (access && access->getMemberDecl() == member &&
        llvm::isa<clang::CXXThisExpr>(access->getBase()->IgnoreImplicit()))
      call = called;
    return true;
  }

private:
  const clang::FieldDecl *member;
  const clang::CallExpr *call = nullptr;
  unsigned count = 0;
};

} // namespace

MadeValue
auspex::valueMadeBy(const clang::CXXMethodDecl &method,
                    llvm::ArrayRef<VariablePart> parts, MemberWrites &writes,
                    llvm::function_ref<bool(const clang::Stmt &)> isIdle) {
  const clang::FieldDecl *member = parts.front().member;
  const clang::FieldDecl *part = parts.size() > 1 ? parts[1].member : nullptr;
  MadeValue found;
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method))
    for (const clang::CXXCtorInitializer *initializer : constructor->inits()) {
      if (initializer->getMember() == member)
        found = {initializer->getInit(), 1, nullptr, 1};
      else if (initializer->isDelegatingInitializer() ||
               (initializer->isBaseInitializer() &&
                initializer->getBaseClass()->getAsRecordDecl() ==
                    member->getParent()))
        found = {initializer->getInit(), 0, nullptr, 1};
    }
  bool isUnknown = false, mayHaveReturned = false;
  for (const clang::Stmt *statement : method.getBody()->children()) {
    std::optional<MemberAssignment> assignment = memberAssignment(*statement);
    if (assignment && (assignment->member != member ||
                       (part && assignment->part && assignment->part != part)))
      continue;
    std::optional<MemberWrites::Members> written = writes.of(*statement);
    if (!assignment && mayBeIn(written, member) && isIdle && isIdle(*statement))
      continue;
    // Who has the object may write to it later.
    isUnknown |= !written;
    mayHaveReturned |= StatementOrder::returns(statement);
    if (!assignment && !mayBeIn(written, member))
      continue;
    // What stands behind `return` may not be reached, but for objects that are
    // there if nothing fails.
    isUnknown |= assignment && mayHaveReturned;
    unsigned before = found.writes;
    found = {};
    found.writes = before + 1;
    if (!assignment) {
      WriterVisitor writer(member);
      writer.TraverseStmt(const_cast<clang::Stmt *>(statement));
      found.writer = writer.found();
    } else if (!assignment->part || (part && assignment->part == part)) {
      found.value = assignment->value;
      found.parts = assignment->part ? 2 : 1;
    }
  }
  return isUnknown ? MadeValue{nullptr, 0, nullptr, 2} : found;
}
