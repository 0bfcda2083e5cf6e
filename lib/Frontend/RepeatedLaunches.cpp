// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RepeatedLaunches.h"

#include "Callers.h"
#include "ExchangedArrays.h"
#include "LibraryCalls.h"
#include "Mentions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <array>

using namespace auspex;

/// Whether \p call, of the runtime library, copies or sets so little that what
/// L2 holds stays there: the flag that says whether a solver is done.
static bool movesLittle(const clang::CallExpr &call,
                        const clang::FunctionDecl &callee) {
  constexpr uint64_t Little = 4096;
  llvm::StringRef name = callee.getName();
  unsigned sizeAt = 2;
  clang::Expr::EvalResult size;
  bool isMove = name == "cudaMemcpy" || name == "cudaMemcpyAsync" ||
                name == "cudaMemset" || name == "cudaMemsetAsync" ||
                name == "cudaMemcpyFromSymbol";
  return isMove && call.getNumArgs() > sizeAt &&
         call.getArg(sizeAt)->EvaluateAsInt(size, callee.getASTContext()) &&
         size.Val.getInt().ule(Little);
}

/// Calls of the runtime library that wait, measure and ask.
static bool leavesDeviceMemoryAlone(llvm::StringRef name) {
  return name.starts_with("cudaEvent") || name.starts_with("cudaGetError") ||
         name == "cudaGetLastError" || name == "cudaPeekAtLastError" ||
         name == "cudaDeviceSynchronize" || name == "cudaThreadSynchronize" ||
         name == "cudaStreamSynchronize" || name == "cudaStreamQuery" ||
         name == "cudaGetDevice" || name.starts_with("cudaProfiler");
}

namespace {

/// What code of the host does, together with the functions that it calls. \p
/// calls are those on the way to the launch.
class HostWork : public MentionVisitor {
public:
  HostWork(const clang::CUDAKernelCallExpr &launch,
           llvm::ArrayRef<const clang::Expr *> calls, const clang::Stmt *loop)
      : launch(launch), calls(calls), loop(loop) {}

  /// The launch, and what the calls give to it.
  void visitLaunch();
  /// Does so without the numbers among the arguments that \p ofLoop, the work
  /// of the loop around, changes.
  void leaveOutVarying(HostWork &ofLoop);
  /// Of the launch, those that were left out.
  std::vector<unsigned> varyingArguments;
  /// Whether \p other mentions a parameter that such a number is given to.
  bool mentionsVarying(const HostWork &other) const {
    return llvm::any_of(varying, [&](const clang::ValueDecl *parameter) {
      return other.mentioned.contains(parameter);
    });
  }
  /// Of the variables that it mentions and \p round makes anew, what they start
  /// with.
  void visitStartsOf(const HostWork &round);

  bool hasLaunch = false;
  /// It may launch the same in another way, or run code that is not known.
  bool mayDoMore = false;
  /// What else it has the device do, and of these launches which in loops in
  /// it.
  llvm::SetVector<const clang::Expr *> others;
  llvm::SmallSetVector<clang::CUDAKernelCallExpr *, 4> severalTimes;
  llvm::DenseSet<const clang::ValueDecl *> mentioned;
  /// Members of variables, and of the object whose method it is in; and the
  /// variables that it mentions for more than a member of them.
  llvm::DenseSet<std::pair<const clang::ValueDecl *, const clang::ValueDecl *>>
      names;
  llvm::DenseSet<const clang::ValueDecl *> wholes;
  /// The types of all that it mentions, and of what it names by an address
  /// alone; the members, of whichever object, and the records they are part of.
  llvm::DenseSet<const clang::Type *> types, typesBehind, recordsInPart;
  llvm::DenseSet<const clang::FieldDecl *> members;

  /// Whether one of the launches in loops may be given more than one array by
  /// the same name.
  bool severalTimesVary() const;
  /// Whether it may write what \p other mentions, but for exchanges of two
  /// variables of those.
  bool writesFor(const HostWork &other) const;

  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) override {
    bool isThere = depth == calls.size();
    if (call == &launch && !isThere)
      return !(mayDoMore = true);
    hasLaunch |= call == &launch;
    bool isAlike = isThere && (call == &launch || areAlike(*call, launch));
    if (!isAlike) {
      others.insert(call);
      if (!isOnceARound())
        severalTimes.insert(call);
    }
    for (clang::Expr *part : call->getConfig()->arguments())
      if (!TraverseStmt(part))
        return false;
    std::vector<const clang::Expr *> arguments(call->arg_begin(),
                                               call->arg_end());
    if (const clang::FunctionDecl *kernel = call->getDirectCallee();
        isAlike && kernel)
      exchanging = findExchanging(arguments, kernel->getASTContext());
    for (clang::Expr *argument : call->arguments())
      if (!TraverseStmt(argument))
        return false;
    return TraverseStmt(call->getCallee());
  }

  bool VisitExpr(clang::Expr *expr) override {
    if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      mentioned.insert(canonical(mention->getDecl()));
      if (!memberOf.contains(mention))
        wholes.insert(canonical(mention->getDecl()));
      if (auto *part = llvm::dyn_cast<clang::BindingDecl>(mention->getDecl()))
        mentioned.insert(canonical(part->getDecomposedDecl()));
    }
    if (Name named = namedBy(expr, object))
      names.insert(named.key());
    if (!expr->isGLValue())
      return MentionVisitor::VisitExpr(expr);
    if (!memberOf.contains(expr))
      types.insert(typeOf(expr->getType()));
    if (const clang::FieldDecl *member = memberNamedBy(*expr)) {
      members.insert(member);
      recordsInPart.insert(recordOf(*member));
      if (auto *access = llvm::cast<clang::MemberExpr>(expr);
          !access->isArrow())
        memberOf[access->getBase()->IgnoreParenImpCasts()] = expr;
    } else if (isPlace(*expr) || isReference(*expr)) {
      typesBehind.insert(typeOf(expr->getType()));
    }
    return MentionVisitor::VisitExpr(expr);
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (std::optional<Exchange> swap = exchangeBy(*call, object)) {
      exchanges.push_back(*swap);
      return true;
    }
    if (callee && callee->getIdentifier() && isOnceARound() &&
        movesLittle(*call, *callee))
      return true;
    if (std::optional<DeviceCopy> copy = deviceCopy(*call);
        copy && isOnceARound()) {
      others.insert(call);
      return !copy->toHost ||
             giveToLibrary(*callee, llvm::ArrayRef(copy->toHost));
    }
    return callee ? enterOnWay(*call, *callee, call->arguments())
                  : !(mayDoMore = true);
  }
  bool TraverseCompoundStmt(clang::CompoundStmt *block) override {
    auto statements = llvm::ArrayRef(block->body_begin(), block->size());
    for (; statements.size() >= 3; statements = statements.drop_front())
      if (auto exchange = exchangeBy(statements.take_front(3), object))
        exchanges.push_back(*exchange);
    return MentionVisitor::TraverseCompoundStmt(block);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    return enterOnWay(*made, *made->getConstructor(), made->arguments());
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

  /// What decides which of two pointers comes first changes nothing, and of
  /// what is left out it is known.
  bool TraverseStmt(clang::Stmt *statement) override {
    auto *expr = llvm::dyn_cast_or_null<clang::Expr>(statement);
    return (expr && (exchanging.contains(expr) || leftOut.contains(expr))) ||
           MentionVisitor::TraverseStmt(statement);
  }

private:
  const clang::CUDAKernelCallExpr &launch;
  llvm::ArrayRef<const clang::Expr *> calls;
  const clang::Stmt *loop;
  llvm::SmallPtrSet<const clang::Expr *, 2> exchanging;
  llvm::SmallPtrSet<const clang::Expr *, 4> leftOut;
  llvm::DenseSet<const clang::ValueDecl *> varying;
  /// The functions that are called, of which objects, and in how many of them
  /// the visit is.
  llvm::DenseSet<const clang::FunctionDecl *> functions, functionsInLoops;
  llvm::DenseSet<
      std::pair<const clang::FunctionDecl *, const clang::ValueDecl *>>
      entered;
  unsigned depth = 0;
  std::vector<Exchange> exchanges;
  /// The objects whose methods are gone through: what these do to them is
  /// looked at.
  llvm::DenseSet<const clang::Expr *> objectsEntered;
  /// The variable whose method the visit is in; null if that is not known.
  const clang::ValueDecl *object = nullptr;
  /// By an object the member of it that is named.
  llvm::DenseMap<const clang::Expr *, const clang::Expr *> memberOf;
  /// Variables whose start it goes through.
  llvm::DenseSet<const clang::VarDecl *> started;
  /// What functions without a body get a pointer to.
  llvm::DenseSet<const clang::Type *> typesGiven;

  bool isOnceARound() const { return !innermostLoop || innermostLoop == loop; }
  static const clang::ValueDecl *canonical(const clang::ValueDecl *declared) {
    return llvm::cast<clang::ValueDecl>(declared->getCanonicalDecl());
  }
  static bool isReference(const clang::Expr &expr) {
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&expr);
    return mention && mention->getDecl()->getType()->isReferenceType();
  }

  /// The same for \p call, which is the next one on the way to the launch if
  /// that is in \p callee.
  template <typename Arguments>
  bool enterOnWay(const clang::Expr &call, const clang::FunctionDecl &callee,
                  const Arguments &arguments) {
    bool leadsThere = llvm::any_of(calls, [&](const clang::Expr *onWay) {
      const clang::FunctionDecl *called = calledBy(*onWay);
      return called && called->getCanonicalDecl() == callee.getCanonicalDecl();
    });
    bool isNext = depth < calls.size() && calls[depth] == &call;
    if (leadsThere && !isNext)
      return !(mayDoMore = true);
    const clang::Expr *called = objectOf(call);
    if (!called)
      return enter(callee, arguments);
    // Of the calls on the way, the launch's names are those in the method.
    const clang::ValueDecl *around = object;
    if (!isNext && !llvm::isa<clang::CXXThisExpr>(called))
      object = objectNamedBy(called);
    bool goesOn = enter(callee, arguments);
    const clang::FunctionDecl *definition = nullptr;
    if (isNext ||
        (callee.hasBody(definition) && entered.contains({definition, object})))
      objectsEntered.insert(called);
    object = around;
    return goesOn;
  }

  /// The object whose method \p call is; null if there is none.
  static const clang::Expr *objectOf(const clang::Expr &call) {
    auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    return method ? method->getImplicitObjectArgument()->IgnoreParenImpCasts()
                  : nullptr;
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
    functions.insert(definition);
    if (!isOnceARound())
      functionsInLoops.insert(definition);
    if (!entered.insert({definition, object}).second)
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
            functions.contains(function));
  }
};

} // namespace

void HostWork::visitLaunch() {
  depth = calls.size();
  TraverseStmt(const_cast<clang::CUDAKernelCallExpr *>(&launch));
  for (const clang::Expr *call : calls) {
    if (const clang::Expr *object = objectOf(*call))
      TraverseStmt(const_cast<clang::Expr *>(object));
    if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(call))
      for (const clang::Expr *argument : made->arguments())
        TraverseStmt(const_cast<clang::Expr *>(argument));
    else
      for (const clang::Expr *argument :
           llvm::cast<clang::CallExpr>(call)->arguments())
        TraverseStmt(const_cast<clang::Expr *>(argument));
  }
}

void HostWork::visitStartsOf(const HostWork &round) {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (const clang::VarDecl *variable : round.definitions)
      if (variable->hasLocalStorage() && variable->hasInit() &&
          !variable->isCXXForRangeDecl() &&
          mentioned.contains(canonical(variable)) &&
          started.insert(variable).second) {
        TraverseStmt(const_cast<clang::Expr *>(variable->getInit()));
        isDone = false;
      }
  }
}

bool HostWork::writesFor(const HostWork &other) const {
  llvm::DenseSet<const clang::Expr *> unchanged = objectsEntered;
  llvm::DenseSet<const clang::Expr *> changed;
  for (const auto &[one, two] : exchanges) {
    bool isAmong = other.names.contains(one.name.key()) &&
                   other.names.contains(two.name.key());
    (isAmong ? unchanged : changed)
        .insert_range(std::array{one.expr, two.expr});
  }
  auto isUnchanged = [&](const clang::Expr *expr) {
    return unchanged.contains(expr) && !changed.contains(expr);
  };
  auto writes = [&](const clang::DeclRefExpr *mention) {
    auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
    const clang::Expr *member = memberOf.lookup(mention);
    if (isUnchanged(mention) || (member && isUnchanged(member)))
      return false;
    Name named = member ? namedBy(member, nullptr) : Name();
    if (named && named.object)
      return other.names.contains(named.key()) ||
             other.wholes.contains(named.object);
    if (other.mentioned.contains(canonical(variable)))
      return true;
    const clang::Type *type = typeOf(variable->getType());
    return !isMadeHere(variable) && (other.typesBehind.contains(type) ||
                                     (variable->getType()->isReferenceType() &&
                                      (other.types.contains(type) ||
                                       other.recordsInPart.contains(type))));
  };
  auto writesBehind = [&](const clang::Expr *place) {
    if (isUnchanged(place))
      return false;
    const clang::Type *type = typeOf(place->getType());
    if (other.typesBehind.contains(type))
      return true;
    const clang::FieldDecl *member = memberNamedBy(*place);
    return member ? other.members.contains(member) ||
                        other.types.contains(recordOf(*member))
                  : other.types.contains(type) ||
                        other.recordsInPart.contains(type);
  };
  return llvm::any_of(definitions,
                      [&](const clang::VarDecl *variable) {
                        return other.mentioned.contains(canonical(variable)) &&
                               !other.started.contains(variable);
                      }) ||
         llvm::any_of(otherMentions(), writes) ||
         llvm::any_of(otherPlaces(), writesBehind) ||
         llvm::any_of(typesGiven, [&](const clang::Type *type) {
           return other.types.contains(type) ||
                  other.recordsInPart.contains(type);
         });
}

bool HostWork::severalTimesVary() const {
  auto isOfCall = [&](const clang::ValueDecl *variable) {
    return llvm::isa<clang::ParmVarDecl>(variable) &&
           functionsInLoops.contains(
               llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext()));
  };
  return llvm::any_of(severalTimes, [&](clang::CUDAKernelCallExpr *one) {
    HostWork ofArrays(launch, calls, loop);
    for (clang::Expr *argument : one->arguments())
      if (!argument->getType()->isArithmeticType())
        ofArrays.TraverseStmt(argument);
    return writesFor(ofArrays) || llvm::any_of(ofArrays.mentioned, isOfCall);
  });
}

/// Of the launch and the calls on the way, the numbers among the arguments that
/// vary from round to round.
void HostWork::leaveOutVarying(HostWork &ofLoop) {
  auto varies = [&](const clang::Expr *argument) {
    if (!argument->getType()->isArithmeticType())
      return false;
    HostWork ofArgument(launch, calls, loop);
    ofArgument.TraverseStmt(const_cast<clang::Expr *>(argument));
    ofArgument.visitStartsOf(ofLoop);
    return ofLoop.writesFor(ofArgument) || mentionsVarying(ofArgument);
  };
  for (const clang::Expr *call : calls) {
    auto *plain = llvm::dyn_cast<clang::CallExpr>(call);
    const clang::FunctionDecl *callee = calledBy(*call);
    if (!plain || !callee || llvm::isa<clang::CXXOperatorCallExpr>(plain))
      continue;
    for (auto [argument, parameter] :
         llvm::zip(plain->arguments(), callee->parameters()))
      if (varies(argument)) {
        leftOut.insert(argument);
        varying.insert(canonical(parameter));
      }
  }
  for (auto [number, argument] : llvm::enumerate(launch.arguments()))
    if (varies(argument)) {
      leftOut.insert(argument);
      varyingArguments.push_back(number);
    }
}

std::optional<Rounds>
auspex::roundsOf(const clang::CUDAKernelCallExpr &launch,
                 llvm::ArrayRef<const clang::Expr *> calls, clang::Stmt &loop) {
  HostWork ofLoop(launch, calls, &loop);
  ofLoop.TraverseStmt(&loop);
  if (!ofLoop.hasLaunch || ofLoop.mayDoMore || ofLoop.severalTimesVary())
    return std::nullopt;
  HostWork ofLaunch(launch, calls, &loop);
  ofLaunch.leaveOutVarying(ofLoop);
  ofLaunch.visitLaunch();
  ofLaunch.visitStartsOf(ofLoop);
  if (ofLoop.writesFor(ofLaunch) || ofLaunch.mentionsVarying(ofLaunch))
    return std::nullopt;
  return Rounds{std::move(ofLaunch.varyingArguments),
                {ofLoop.others.begin(), ofLoop.others.end()}};
}
