// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RepeatedLaunches.h"

#include "LibraryCalls.h"
#include "Mentions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;

/// Calls of the runtime library that wait, measure and ask.
static bool leavesDeviceMemoryAlone(llvm::StringRef name) {
  return name.starts_with("cudaEvent") || name.starts_with("cudaGetError") ||
         name == "cudaGetLastError" || name == "cudaPeekAtLastError" ||
         name == "cudaDeviceSynchronize" || name == "cudaThreadSynchronize" ||
         name == "cudaStreamSynchronize" || name == "cudaStreamQuery";
}

/// Of two places of different types, one is not the other. Of an array what
/// counts is the type of its elements.
static const clang::Type *typeOf(clang::QualType type) {
  return type.getNonReferenceType()
      .getCanonicalType()
      ->getBaseElementTypeUnsafe();
}

/// The record that \p place is a member of; null if it is none, or may be
/// something outside of the record.
static const clang::Type *recordOf(const clang::Expr &place) {
  auto *access = llvm::dyn_cast<clang::MemberExpr>(&place);
  auto *field = access
                    ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
                    : nullptr;
  return field && !field->getType()->isReferenceType()
             ? typeOf(field->getASTContext().getCanonicalTagType(
                   field->getParent()))
             : nullptr;
}

/// The mention of a variable that \p expr is; null if it is none.
static const clang::DeclRefExpr *variableIn(const clang::Expr *expr) {
  auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(
      expr ? expr->IgnoreParenImpCasts() : nullptr);
  return mention && llvm::isa<clang::VarDecl>(mention->getDecl()) ? mention
                                                                  : nullptr;
}

static const clang::ValueDecl *mentionedBy(const clang::Expr *expr) {
  const clang::DeclRefExpr *mention = variableIn(expr);
  return mention ? mention->getDecl() : nullptr;
}

static bool isSame(const clang::Expr *one, const clang::Expr *other,
                   const clang::ASTContext &context) {
  llvm::FoldingSetNodeID ofOne, ofOther;
  one->IgnoreParenImpCasts()->Profile(ofOne, context, /*Canonical=*/true);
  other->IgnoreParenImpCasts()->Profile(ofOther, context, /*Canonical=*/true);
  return ofOne == ofOther;
}

/// What decides which one of the same pointers each of \p arguments is:
/// `odd ? b : a` where another is `odd ? a : b`, the index of an array that has
/// no more pointers than arguments are elements of it.
static llvm::SmallPtrSet<const clang::Expr *, 2>
findExchanging(llvm::ArrayRef<const clang::Expr *> arguments,
               const clang::ASTContext &context) {
  llvm::SmallPtrSet<const clang::Expr *, 2> exchanging;
  for (const clang::Expr *argument : arguments) {
    argument = argument->IgnoreParenImpCasts();
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(argument)) {
      auto isOther = [&](const clang::Expr *other) {
        auto *mirrored = llvm::dyn_cast<clang::ConditionalOperator>(
            other->IgnoreParenImpCasts());
        const clang::ValueDecl *one = mentionedBy(choice->getTrueExpr()),
                               *two = mentionedBy(choice->getFalseExpr());
        return mirrored && one && two &&
               one == mentionedBy(mirrored->getFalseExpr()) &&
               two == mentionedBy(mirrored->getTrueExpr()) &&
               isSame(choice->getCond(), mirrored->getCond(), context);
      };
      if (llvm::any_of(arguments, isOther))
        exchanging.insert(choice->getCond());
    } else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(argument)) {
      const clang::ValueDecl *array = mentionedBy(element->getBase());
      const clang::ConstantArrayType *type =
          array ? context.getAsConstantArrayType(array->getType()) : nullptr;
      auto elements = llvm::count_if(arguments, [&](const clang::Expr *other) {
        auto *same = llvm::dyn_cast<clang::ArraySubscriptExpr>(
            other->IgnoreParenImpCasts());
        return same && mentionedBy(same->getBase()) == array;
      });
      if (type && type->getElementType()->isPointerType() &&
          type->getZExtSize() <= static_cast<uint64_t>(elements))
        exchanging.insert(element->getIdx());
    }
  }
  return exchanging;
}

namespace {

/// What code of the host does, together with the functions that it calls.
class HostWork : public MentionVisitor {
public:
  explicit HostWork(const clang::CUDAKernelCallExpr &launch) : launch(launch) {}

  /// It may use the memory of the device by more than the launch, or run code
  /// that is not known.
  bool mayDoMore = false;
  llvm::DenseSet<const clang::ValueDecl *> mentioned;
  /// The types of all that it mentions, and of what it names by an address
  /// alone. A member is part of the record.
  llvm::DenseSet<const clang::Type *> types, typesBehind;

  /// Whether it may write what \p other mentions, but for exchanges of two
  /// variables of those.
  bool writesFor(const HostWork &other) const;

  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) override {
    if (call != &launch || depth > 0)
      return !(mayDoMore = true);
    for (clang::Expr *part : call->getConfig()->arguments())
      if (!TraverseStmt(part))
        return false;
    std::vector<const clang::Expr *> arguments(call->arg_begin(),
                                               call->arg_end());
    if (const clang::FunctionDecl *kernel = call->getDirectCallee())
      exchanging = findExchanging(arguments, kernel->getASTContext());
    for (clang::Expr *argument : call->arguments())
      if (!TraverseStmt(argument))
        return false;
    return TraverseStmt(call->getCallee());
  }

  bool VisitExpr(clang::Expr *expr) override {
    if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr))
      mentioned.insert(canonical(mention->getDecl()));
    if (!expr->isGLValue())
      return MentionVisitor::VisitExpr(expr);
    types.insert(typeOf(expr->getType()));
    if (const clang::Type *record = recordOf(*expr))
      types.insert(record);
    else if (isPlace(*expr) || isReference(*expr))
      typesBehind.insert(typeOf(expr->getType()));
    return MentionVisitor::VisitExpr(expr);
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && isOfLibrary(callee) && callee->getIdentifier() &&
        callee->getName() == "swap" && call->getNumArgs() == 2 &&
        noteSwap(*call))
      return true;
    return callee ? enter(*callee, call->arguments()) : !(mayDoMore = true);
  }
  bool TraverseCompoundStmt(clang::CompoundStmt *block) override {
    auto statements = llvm::ArrayRef(block->body_begin(), block->size());
    for (; statements.size() >= 3; statements = statements.drop_front())
      noteExchange(statements.take_front(3));
    return MentionVisitor::TraverseCompoundStmt(block);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    return enter(*made->getConstructor(), made->arguments());
  }
  bool VisitVarDecl(clang::VarDecl *variable) override {
    return MentionVisitor::VisitVarDecl(variable) &&
           enterDestructor(variable->getType());
  }
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *made) override {
    return enterDestructor(made->getType());
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *freed) override {
    return enterDestructor(freed->getDestroyedType());
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *given) override {
    return TraverseStmt(given->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *given) override {
    return TraverseStmt(given->getExpr());
  }

  /// What decides which of two pointers comes first changes nothing.
  bool TraverseStmt(clang::Stmt *statement) override {
    auto *expr = llvm::dyn_cast_or_null<clang::Expr>(statement);
    return (expr && exchanging.contains(expr)) ||
           MentionVisitor::TraverseStmt(statement);
  }

private:
  const clang::CUDAKernelCallExpr &launch;
  llvm::SmallPtrSet<const clang::Expr *, 2> exchanging;
  /// The functions that are called, and in how many of them the visit is.
  llvm::DenseSet<const clang::FunctionDecl *> entered;
  unsigned depth = 0;
  /// The two variables of each std::swap, or of three statements that do the
  /// same.
  std::vector<std::array<const clang::DeclRefExpr *, 2>> swaps;
  /// What functions without a body get a pointer to.
  llvm::DenseSet<const clang::Type *> typesGiven;

  static const clang::ValueDecl *canonical(const clang::ValueDecl *declared) {
    return llvm::cast<clang::ValueDecl>(declared->getCanonicalDecl());
  }
  static bool isReference(const clang::Expr &expr) {
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&expr);
    return mention && mention->getDecl()->getType()->isReferenceType();
  }

  /// False if \p call, of std::swap, is of anything but variables.
  bool noteSwap(const clang::CallExpr &call) {
    auto variable = [&](unsigned i) {
      return llvm::dyn_cast<clang::DeclRefExpr>(
          call.getArg(i)->IgnoreParenImpCasts());
    };
    if (!variable(0) || !variable(1))
      return false;
    swaps.push_back({variable(0), variable(1)});
    return true;
  }

  /// What a statement copies: from one variable to another.
  struct Copy {
    const clang::VarDecl *to = nullptr, *from = nullptr;
    /// Of an assignment.
    const clang::DeclRefExpr *written = nullptr;
  };

  static std::optional<Copy> copyBy(const clang::Stmt *statement) {
    Copy copy;
    const clang::Expr *value = nullptr;
    if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      copy.to =
          declaration->isSingleDecl()
              ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
              : nullptr;
      value = copy.to ? copy.to->getInit() : nullptr;
    } else if (auto *assignment =
                   llvm::dyn_cast<clang::BinaryOperator>(statement);
               assignment && assignment->getOpcode() == clang::BO_Assign) {
      copy.written = variableIn(assignment->getLHS());
      if (copy.written)
        copy.to = llvm::cast<clang::VarDecl>(copy.written->getDecl());
      value = assignment->getRHS();
    }
    const clang::DeclRefExpr *from = variableIn(value);
    if (!copy.to || !from)
      return std::nullopt;
    copy.from = llvm::cast<clang::VarDecl>(from->getDecl());
    return copy;
  }

  /// `t = a; a = b; b = t;`
  void noteExchange(llvm::ArrayRef<const clang::Stmt *> three) {
    auto first = copyBy(three[0]), second = copyBy(three[1]),
         third = copyBy(three[2]);
    if (first && second && third && second->written && third->written &&
        second->to == first->from && third->to == second->from &&
        third->from == first->to && first->to != second->from)
      swaps.push_back({second->written, third->written});
  }

  /// Goes through what a call of \p callee runs. False if that may do anything,
  /// which ends the visit.
  template <typename Arguments>
  bool enter(const clang::FunctionDecl &callee, const Arguments &arguments) {
    const clang::SourceManager &sources =
        callee.getASTContext().getSourceManager();
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    llvm::StringRef name =
        callee.getIdentifier() ? callee.getName() : llvm::StringRef();
    if (callee.isTrivial() || leavesDeviceMemoryAlone(name))
      return true;
    bool isOfSystem = sources.isInSystemHeader(callee.getLocation());
    bool isOfC = callee.isExternC() && isOfSystem && !name.starts_with("cu");
    if (callee.getBuiltinID() || isOfLibrary(&callee) || isOfC)
      return giveToLibrary(callee, arguments);
    const clang::FunctionDecl *definition = nullptr;
    if ((method && method->isVirtual()) || !callee.hasBody(definition))
      return (isOfSystem && callee.hasAttr<clang::CUDADeviceAttr>()) ||
             !(mayDoMore = true);
    if (!entered.insert(definition).second)
      return true;
    ++depth;
    if (auto *made = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer *member : made->inits())
        if (!TraverseStmt(member->getInit()))
          return false;
    bool goesOn = TraverseStmt(definition->getBody());
    --depth;
    return goesOn;
  }
  bool enter(const clang::FunctionDecl &callee) {
    return enter(callee, llvm::ArrayRef<const clang::Expr *>());
  }

  /// A function of a library writes to what it gets, and calls it.
  template <typename Arguments>
  bool giveToLibrary(const clang::FunctionDecl &callee,
                     const Arguments &arguments) {
    if (callee.getOverloadedOperator() == clang::OO_Call)
      return !(mayDoMore = true);
    for (const clang::Expr *argument : arguments) {
      argument = argument->IgnoreParenImpCasts();
      clang::QualType type = argument->getType().getNonReferenceType();
      clang::QualType pointee =
          type->isArrayType() ? callee.getASTContext().getBaseElementType(type)
                              : type->getPointeeType();
      if (!pointee.isNull() && !pointee.isConstQualified())
        typesGiven.insert(typeOf(pointee));
      if (!enterCallable(*argument, type))
        return false;
    }
    return true;
  }

  bool enterCallable(const clang::Expr &value, clang::QualType type) {
    if (type->isFunctionType() || type->isFunctionPointerType()) {
      auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&value);
      auto *function =
          mention ? llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl())
                  : nullptr;
      return function ? enter(*function) : !(mayDoMore = true);
    }
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition())
      return true;
    if (record->isGenericLambda())
      return !(mayDoMore = true);
    return llvm::all_of(
        record->methods(), [&](const clang::CXXMethodDecl *method) {
          return method->getOverloadedOperator() != clang::OO_Call ||
                 enter(*method);
        });
  }

  bool enterDestructor(clang::QualType type) {
    const clang::CXXRecordDecl *record =
        type.isNull() || type->isReferenceType()
            ? nullptr
            : type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl *destructor =
        record && record->hasDefinition() ? record->getDestructor() : nullptr;
    if (!destructor || destructor->isTrivial() || isOfLibrary(destructor))
      return true;
    return enter(*destructor) &&
           llvm::all_of(record->fields(),
                        [&](const clang::FieldDecl *field) {
                          return enterDestructor(field->getType());
                        }) &&
           llvm::all_of(record->bases(),
                        [&](const clang::CXXBaseSpecifier &base) {
                          return enterDestructor(base.getType());
                        });
  }

  /// Whether a variable is made in this work, or is bound to what a call in it
  /// gives.
  bool isMadeHere(const clang::VarDecl *variable) const {
    auto *function =
        llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    return definitions.contains(variable) ||
           (llvm::isa<clang::ParmVarDecl>(variable) &&
            entered.contains(function));
  }
};

} // namespace

bool HostWork::writesFor(const HostWork &other) const {
  llvm::DenseSet<const clang::DeclRefExpr *> exchanged;
  for (const auto &[one, two] : swaps)
    if (other.mentioned.contains(canonical(one->getDecl())) &&
        other.mentioned.contains(canonical(two->getDecl())))
      exchanged.insert_range(std::array{one, two});
  auto writes = [&](const clang::DeclRefExpr *mention) {
    auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
    if (exchanged.contains(mention))
      return false;
    if (other.mentioned.contains(canonical(variable)))
      return true;
    const clang::Type *type = typeOf(variable->getType());
    return !isMadeHere(variable) && (other.typesBehind.contains(type) ||
                                     (variable->getType()->isReferenceType() &&
                                      other.types.contains(type)));
  };
  auto writesBehind = [&](const clang::Expr *place) {
    const clang::Type *type = typeOf(place->getType());
    const clang::Type *record = recordOf(*place);
    return other.typesBehind.contains(type) ||
           other.types.contains(record ? record : type);
  };
  return llvm::any_of(definitions,
                      [&](const clang::VarDecl *variable) {
                        return other.mentioned.contains(canonical(variable));
                      }) ||
         llvm::any_of(otherMentions(), writes) ||
         llvm::any_of(otherPlaces(), writesBehind) ||
         llvm::any_of(typesGiven, [&](const clang::Type *type) {
           return other.types.contains(type);
         });
}

bool auspex::repeatsAlone(const clang::CUDAKernelCallExpr &launch,
                          clang::Stmt &loop) {
  HostWork ofLaunch(launch), ofLoop(launch);
  ofLaunch.TraverseStmt(const_cast<clang::CUDAKernelCallExpr *>(&launch));
  ofLoop.TraverseStmt(&loop);
  return !ofLoop.mayDoMore && !ofLoop.writesFor(ofLaunch);
}
