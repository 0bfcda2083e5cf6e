// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold that are not on the stack: of those that one statement
// writes, what that writes, if it runs before.
#include "HostEvaluator.h"

#include "DeviceVariables.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;
using llvm::APSInt;

/// Whether the program begins in this file.
static bool hasMain(const clang::ASTContext &context) {
  const clang::DeclarationName name(&context.Idents.get("main"));
  return llvm::any_of(
      context.getTranslationUnitDecl()->lookup(name),
      [](const clang::NamedDecl *found) {
        auto *function = llvm::dyn_cast<clang::FunctionDecl>(found);
        return function && function->isMain() && function->hasBody();
      });
}

bool HostEvaluator::isOwn(const clang::VarDecl *variable) const {
  const clang::SourceManager &sources = context.getSourceManager();
  // Another file sees a variable of the GPU only where code is linked there.
  if (isOnDevice(*variable) && !context.getLangOpts().GPURelocatableDeviceCode)
    return variable->hasDefinition() != clang::VarDecl::DeclarationOnly;
  if (!variable->isExternallyVisible())
    return !sources.isInSystemHeader(variable->getLocation());
  if (variable->hasDefinition() == clang::VarDecl::DeclarationOnly ||
      !hasMain(context))
    return false;
  // A header that defines a variable goes into one file alone, unless there may
  // be many definitions.
  const clang::VarDecl *definition = variable->getDefinition();
  if (definition && !variable->isInline() && !variable->isWeak() &&
      !sources.isInMainFile(definition->getLocation()))
    return !sources.isInSystemHeader(definition->getLocation());
  return llvm::all_of(variable->redecls(),
                      [&](const clang::VarDecl *declaration) {
                        return sources.isInMainFile(declaration->getLocation());
                      });
}

//===----------------------------------------------------------------------===//
// The order in which code runs
//===----------------------------------------------------------------------===//

static bool isOneFunction(const clang::FunctionDecl *a,
                          const clang::FunctionDecl *b) {
  return a && b && a->getCanonicalDecl() == b->getCanonicalDecl();
}

const StatementOrder &
HostEvaluator::orderIn(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *definition = function.getDefinition();
  std::unique_ptr<StatementOrder> &order = orders[definition];
  if (!order)
    order = std::make_unique<StatementOrder>(definition->getBody());
  return *order;
}

/// Whether what stands at \p site runs once at most in its function.
static bool isAlone(const Site &site, const StatementOrder &order,
                    const clang::Stmt *place) {
  for (const clang::Stmt *around = site.expr; around;
       around = order.parentOf(around))
    if (StatementOrder::isLoop(around) && !order.isOnce(around) &&
        !(place && order.isWithin(place, around)))
      return false;
  return true;
}

/// Whether what stands at \p site runs whenever its function comes to where \p
/// place is.
bool HostEvaluator::runsBefore(const Site &site, const Site &place,
                               const StatementOrder &order) {
  llvm::SmallPtrSet<const clang::Expr *, 4> branches;
  for (const clang::Stmt *around = site.expr; around;
       around = order.parentOf(around)) {
    if (auto *branch = llvm::dyn_cast<clang::IfStmt>(around))
      branches.insert(branch->getCond());
    else if (auto *choice = llvm::dyn_cast<clang::SwitchStmt>(around))
      branches.insert(choice->getCond());
    // What a part of an expression may leave out.
    auto *both = llvm::dyn_cast<clang::BinaryOperator>(around);
    if (llvm::isa<clang::ConditionalOperator>(around) ||
        (both && both->isLogicalOp() &&
         order.isWithin(site.expr, both->getRHS())))
      return false;
  }
  return llvm::all_of(site.conditions, [&](const Condition &condition) {
    // A check that leaves, of which nothing is known, finds nothing wrong.
    return llvm::is_contained(place.conditions, condition) ||
           holds(condition).value_or(!condition.function &&
                                     !branches.contains(condition.value));
  });
}

/// Whether a condition for what stands at \p site is known not to hold.
bool HostEvaluator::isRuledOut(const Site &site) {
  return llvm::any_of(site.conditions, [&](const Condition &condition) {
    return onWay(wayTo(condition), [&] { return holds(condition) == false; });
  });
}

/// Whether what stands at \p site is in a loop that has no round.
bool HostEvaluator::isPassedBy(const Site &site, const StatementOrder &order) {
  for (const clang::Stmt *around = site.expr; around;
       around = order.parentOf(around)) {
    auto *counting = llvm::dyn_cast<clang::ForStmt>(around);
    bool isInRound = !counting || !counting->getInit() ||
                     !order.isWithin(site.expr, counting->getInit());
    if (StatementOrder::isLoop(around) && isInRound && isPassedBy(*around))
      return true;
  }
  return false;
}

/// When a piece of code runs, seen from the code that is evaluated.
struct HostEvaluator::Moment {
  enum { Before, After, Never, Unknown } kind = Unknown;
  /// How it is reached, if before, and whether that is for a caller that nobody
  /// knows.
  Way way = {};
  bool isAssumed = false;
  /// Which function on the way to the code leads there, and where: what is
  /// larger is later. -1 for the begin of the program.
  std::pair<int, unsigned> order = {-1, 0};
};

/// The same for what is in one of the functions on the way.
HostEvaluator::Moment HostEvaluator::momentOnWay(const Site &site,
                                                 size_t index) {
  const Site &place = way[index].site;
  const StatementOrder &order = orderIn(*site.function);
  if (order.hasLabels() || !order.contains(site.expr) ||
      !order.contains(place.expr))
    return {};
  Moment result;
  result.order = {static_cast<int>(index), order.begin(site.expr)};
  if (order.begin(site.expr) < order.begin(place.expr)) {
    bool isNever = inFrame(way[index].frame, [&] {
      return isRuledOut(site) || isPassedBy(site, order);
    });
    if (isNever) {
      result.kind = Moment::Never;
      return result;
    }
    if (!isAlone(site, order, place.expr) || !runsBefore(site, place, order))
      return {};
    result.kind = Moment::Before;
    result.way.assign(way.begin(), way.begin() + index);
    result.way.push_back({site, way[index].frame});
    return result;
  }
  // What a loop or another call brings round may have run before all the same.
  bool isOnce = site.function->isMain() && isAlone(place, order, nullptr);
  if (isOnce)
    result.kind = Moment::After;
  return result;
}

/// The moments at which what stands at \p site runs. None if they are too many
/// to tell.
std::optional<std::vector<HostEvaluator::Moment>>
HostEvaluator::momentsOf(const Site &site, unsigned depth) {
  constexpr unsigned MostCalls = 8;
  constexpr size_t MostMoments = 32;
  if (!site.function)
    return std::vector{Moment{Moment::Before, {{site, &outermost}}}};
  for (size_t i = way.size(); i-- > 0;)
    if (isOneFunction(way[i].site.function, site.function))
      return std::vector{momentOnWay(site, i)};
  llvm::ArrayRef<Call> calls = callers.here(*site.function);
  if (calls.empty()) {
    // Another file may call it, or a declaration; a function that nobody can
    // call never runs. Where something calls the code that is evaluated back,
    // main() has come to that.
    bool isCalledBack = !way.empty() && way.front().site.function;
    bool mayRun = site.function->isMain()
                      ? isCalledBack
                      : !hasMain(context) ||
                            llvm::isa<clang::CXXConstructorDecl>(site.function);
    if (mayRun)
      return std::vector{
          Moment{Moment::Before, {{site, &outermost}}, /*isAssumed=*/true}};
    return std::vector<Moment>();
  }
  if (depth == MostCalls)
    return std::nullopt;
  const StatementOrder &order = orderIn(*site.function);
  bool isOnce = isAlone(site, order, nullptr);
  std::vector<Moment> result;
  for (const Call &call : calls) {
    auto found = momentsOf(call.site(), depth + 1);
    if (!found || result.size() + found->size() > MostMoments)
      return std::nullopt;
    for (Moment &moment : *found) {
      if (moment.kind == Moment::Before) {
        Frame *entered = &constructors.emplace_back(
            Frame{site.function->getCanonicalDecl(), call.expr,
                  moment.way.back().frame});
        moment.way.push_back({site, entered});
        // Its arguments decide too.
        if (onWay(moment.way,
                  [&] { return isRuledOut(site) || isPassedBy(site, order); }))
          moment.kind = Moment::Never;
        else if (!isOnce || !onWay(moment.way,
                                   [&] { return runsBefore(site, {}, order); }))
          moment.kind = Moment::Unknown;
      }
      result.push_back(std::move(moment));
    }
  }
  return result;
}

/// Whether \p variable has a value of use, or one that nobody knows, before it
/// is written.
bool HostEvaluator::startsWithSize(const clang::VarDecl &variable) {
  const clang::Expr *initial = variable.getAnyInitializer();
  auto *construction = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(initial);
  bool isNothing =
      !initial ||
      (construction && construction->getConstructor()->isDefaultConstructor() &&
       (construction->getConstructor()->isTrivial() ||
        isDim3(construction->getConstructor()->getParent())));
  if (isNothing)
    return false;
  std::optional<APSInt> start = number(initial);
  return !start || start->isStrictlyPositive();
}

/// The last of all writes of a part of \p variable before the code that is
/// evaluated, and how it is reached; null if none of them has run by then. None
/// if that is not known.
std::optional<std::pair<const StaticWrite *, HostEvaluator::Way>>
HostEvaluator::lastWrite(const clang::VarDecl *variable, Parts parts) {
  VariablePart part = VariablePart::first(parts);
  auto writes = staticWrites.find(variable->getCanonicalDecl());
  if (writes == staticWrites.end())
    return std::nullopt;
  const StaticWrite *last = nullptr;
  Moment latest;
  for (const StaticWrite &write : writes->second) {
    if (!write.what.part.overlaps(part))
      continue;
    auto moments = momentsOf(write.site);
    if (!moments)
      return std::nullopt;
    for (Moment &moment : *moments) {
      if (moment.kind == Moment::Unknown ||
          (moment.kind == Moment::Before && last &&
           moment.order == latest.order))
        return std::nullopt;
      if (moment.kind != Moment::Before ||
          (last && moment.order < latest.order))
        continue;
      last = &write;
      latest = std::move(moment);
    }
  }
  if (last && (!last->what.part.covers(part) ||
               (latest.isAssumed && startsWithSize(*variable))))
    return std::nullopt;
  return std::pair(last, std::move(latest.way));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What \p write leaves in a part of \p variable, where the write is evaluated.
HostEvaluator::Value HostEvaluator::valueOf(const StaticWrite &write,
                                            const clang::VarDecl *variable,
                                            Parts parts) {
  if (write.bytes) {
    auto size = context.getTypeSizeInChars(variable->getType()).getQuantity();
    std::optional<APSInt> copied = number(write.bytes);
    if (!copied || *copied != size)
      return {};
  }
  if (!write.isPointee)
    return valueOf(write.what, parts);
  Place place({write.what.value, parts}, frame);
  if (place.parts.empty())
    place.parts.push_back({});
  place.parts.front().isPointee = true;
  return evaluate(place);
}

/// Whether \p condition asks if \p variable is still nothing: `!n`, `n == 0`.
static bool asksForNothing(const Condition &condition,
                           const clang::VarDecl &variable) {
  const clang::Expr *asked =
      condition.value ? condition.value->IgnoreParenImpCasts() : nullptr;
  bool isNegated = !condition.holds;
  if (auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(asked);
      unary && unary->getOpcode() == clang::UO_LNot) {
    asked = unary->getSubExpr()->IgnoreParenImpCasts();
    isNegated = !isNegated;
  } else if (auto *compared =
                 llvm::dyn_cast_or_null<clang::BinaryOperator>(asked);
             compared && (compared->getOpcode() == clang::BO_EQ ||
                          compared->getOpcode() == clang::BO_LE ||
                          compared->getOpcode() == clang::BO_LT)) {
    asked = compared->getLHS()->IgnoreParenImpCasts();
    isNegated = !isNegated;
  }
  auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(asked);
  return isNegated && condition.cases.empty() && mention &&
         mention->getDecl()->getCanonicalDecl() == variable.getCanonicalDecl();
}

/// Whether a function keeps in \p variable what it asks for once: it starts
/// with nothing, and is written at once, or if it is still nothing. What says
/// whether something has been done has both its values in turn.
bool HostEvaluator::isFoundOnce(const clang::VarDecl &variable,
                                const StaticWrite &write) {
  return !variable.getType()->isBooleanType() && !startsWithSize(variable) &&
         llvm::all_of(write.site.conditions, [&](const Condition &condition) {
           return asksForNothing(condition, variable);
         });
}

/// What is in a part of \p variable, which is not on the stack: what was
/// written last.
HostEvaluator::Value HostEvaluator::keptValue(const clang::VarDecl *variable,
                                              Parts parts) {
  auto written = staticWrites.find(variable->getCanonicalDecl());
  if (variable->getType().isVolatileQualified() || variable->isWeak() ||
      written == staticWrites.end() ||
      !(variable->isStaticLocal() || isOwn(variable)) ||
      !beingFound.insert(variable).second)
    return {};
  Value value;
  if (!variable->isStaticLocal()) {
    const clang::Expr *initial = variable->getAnyInitializer();
    auto last = lastWrite(variable, parts);
    if (last && last->first)
      value = onWay(std::move(last->second),
                    [&] { return valueOf(*last->first, variable, parts); });
    else if (last && initial)
      value = inFrame(&outermost,
                      [&] { return evaluate(Place({initial, parts}, frame)); });
  } else if (written->second.size() == 1 &&
             isFoundOnce(*variable, written->second.front())) {
    // The function writes it before anybody reads it, but a pointer in its
    // first call alone.
    value = valueOf(written->second.front(), variable, parts);
    if (std::holds_alternative<Allocation>(value))
      value = {};
  }
  beingFound.erase(variable);
  return value;
}
