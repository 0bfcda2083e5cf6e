// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of the writes of one function: the statements in their order,
/// the mentions of variables that write or may, and the questions of
/// WrittenVariables about them. Long, as every kind of mention is looked at
/// here and nowhere else.
#ifndef AUSPEX_LIB_FRONTEND_FUNCTIONWRITES_H
#define AUSPEX_LIB_FRONTEND_FUNCTIONWRITES_H

#include "Callers.h"
#include "LibraryCalls.h"
#include "Mentions.h"
#include "WrittenVariables.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>

namespace auspex {

class WrittenVariables::FunctionWrites {
public:
  FunctionWrites(clang::Stmt *body, WrittenVariables &all) : all(all) {
    number(body, nullptr);
    MentionVisitor visitor;
    visitor.TraverseStmt(body);
    for (const clang::DeclRefExpr *mention : visitor.otherMentions())
      note(*mention);
    // An array of addresses that does more than be given to launches gives
    // away what the addresses lead to.
    for (const auto &[array, variable, at] : addressIn)
      if (unknown.contains(array) || isWrittenAfter(variable, at))
        unknown[variable].push_back(at);
    definitions = std::move(visitor.definitions);
  }

  bool isUnwritten(const clang::VarDecl *variable) const {
    bool isHere = definitions.contains(variable) ||
                  llvm::isa<clang::ParmVarDecl>(variable);
    return isHere && !unknown.contains(variable) &&
           !unknownMembers.contains(variable) && !writes.contains(variable);
  }

  std::optional<Definition> definition(const clang::DeclRefExpr *mention,
                                       const VariablePart &part) const {
    auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
    auto start = declarations.find(variable);
    bool isParameter = llvm::isa<clang::ParmVarDecl>(variable);
    if (hasJumps || (start == declarations.end() && !isParameter) ||
        !positions.contains(mention) || !variable->hasLocalStorage() ||
        variable->getType()->isReferenceType())
      return std::nullopt;
    if (auto members = unknownMembers.find(variable);
        members != unknownMembers.end() &&
        (!part.member || members->second.contains(part.member)))
      return std::nullopt;
    const Write given = {{.isGiven = true}, nullptr, 0};
    const Write *found = isParameter ? &given : &start->second;
    std::vector<const Write *> others;
    if (auto all = writes.find(variable); all != writes.end())
      for (const Write &write : all->second) {
        if (!part.isWhole() && !write.what.part.isWhole() &&
            write.what.part != part)
          continue;
        others.push_back(&write);
        bool comesBefore = write.scope && isWithin(mention, write.scope) &&
                           write.end < begin(mention);
        if (comesBefore && write.end > found->end)
          found = &write;
      }
    for (const Write *other : others)
      if (other != found && comesBetween(*other, *found, mention))
        return std::nullopt;
    // What is given away may be written at any time from then on.
    if (auto given = unknown.find(variable); given != unknown.end())
      for (unsigned at : given->second)
        if ((at <= begin(mention) && isGivenAway(at)) ||
            comesBetween({{}, nullptr, at}, *found, mention))
          return std::nullopt;
    return found->what;
  }

  Origin before(const clang::Stmt *place, const clang::VarDecl *variable,
                const VariablePart &part) const {
    return isTraceable(place, variable, part)
               ? originBefore(place, {variable, part})
               : Origin();
  }
  Origin after(const clang::Stmt *place, const clang::VarDecl *variable,
               const VariablePart &part) const {
    return isTraceable(place, variable, part)
               ? originAfter(place, {variable, part})
               : Origin();
  }

  PartsWritten writtenIn(const clang::Stmt *loop) const {
    std::map<unsigned, std::pair<const clang::VarDecl *, VariablePart>> found;
    for (const auto &[variable, all] : writes)
      for (const Write &write : all)
        if (isIn(write.end, loop))
          found[write.end] = {variable, write.what.part};
    for (const auto &[variable, all] : unknown)
      for (unsigned at : all)
        if (isIn(at, loop))
          found[at] = {variable, VariablePart()};
    return PartsWritten(llvm::make_second_range(found));
  }

  std::optional<VariableVersion> version(const clang::DeclRefExpr *mention,
                                         const clang::FieldDecl *member) const {
    auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
    if (!positions.contains(mention) || !variable->hasLocalStorage() ||
        variable->getType().isVolatileQualified())
      return std::nullopt;
    VariableVersion version = {variable, member};
    std::vector<PlaceOfWrite> places = writesOf(variable);
    // Nobody knows when a lambda runs.
    if (unknownMembers.contains(variable) || (hasJumps && !places.empty()) ||
        llvm::any_of(places, [](PlaceOfWrite place) { return place.isLate; }))
      return std::nullopt;
    version.writes = llvm::count_if(
        places, [&](PlaceOfWrite place) { return place.at < begin(mention); });
    auto isRepeated = [&](const clang::Stmt *outer) {
      return (llvm::isa<clang::LambdaExpr>(outer) && !places.empty()) ||
             (isLoop(outer) && llvm::any_of(places, [&](PlaceOfWrite place) {
                return isIn(place.at, outer);
              }));
    };
    for (const clang::Stmt *outer = parentOf(mention);
         outer && !version.repeated; outer = parentOf(outer))
      if (isRepeated(outer))
        version.repeated = outer;
    return version;
  }

  const clang::ForStmt *steppingLoop(const clang::DeclRefExpr *mention) const {
    auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
    auto found = loops.find(variable);
    if (hasJumps || found == loops.end() || !positions.contains(mention) ||
        !variable->hasLocalStorage())
      return nullptr;
    // The innermost comes last.
    for (const clang::ForStmt *loop : llvm::reverse(found->second)) {
      if (!isWithin(mention, loop))
        continue;
      auto isHarmless = [&](PlaceOfWrite place) {
        if (!isIn(place.at, loop))
          return !place.isGiven && !place.isLate;
        return isIn(place.at, loop->getInc()) ||
               (loop->getInit() && isIn(place.at, loop->getInit()));
      };
      return llvm::all_of(writesOf(variable), isHarmless) ? loop : nullptr;
    }
    return nullptr;
  }

  const clang::CXXForRangeStmt *
  rangeLoop(const clang::VarDecl *variable) const {
    return ranges.lookup(variable);
  }

private:
  struct Position {
    const clang::Stmt *parent;
    /// Numbers in the order of the source: its own, and the last one in it.
    unsigned begin, end;
  };
  struct Write {
    Definition what;
    /// The statements around it; null unless it runs whenever they do.
    const clang::Stmt *scope;
    unsigned end;
  };

  WrittenVariables &all;
  llvm::DenseMap<const clang::Stmt *, Position> positions;
  unsigned count = 0;
  bool hasJumps = false;
  /// Where break and continue stand.
  std::vector<unsigned> exits;
  /// By the variable that they step or define.
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::ForStmt *>>
      loops;
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *> ranges;
  llvm::DenseSet<const clang::VarDecl *> definitions;
  /// What each variable is defined with.
  llvm::DenseMap<const clang::VarDecl *, Write> declarations;
  llvm::DenseMap<const clang::VarDecl *, std::vector<Write>> writes;
  /// With writes that nobody knows, to all or to a member; where the mentions
  /// stand that may be such writes, or lead to them.
  llvm::DenseMap<const clang::VarDecl *, std::vector<unsigned>> unknown;
  /// Those of them that write, and do not give the variable away; those in
  /// lambdas.
  llvm::DenseSet<unsigned> steps, late;
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallPtrSet<const clang::FieldDecl *, 4>>
      unknownMembers;
  struct HeldAddress {
    const clang::VarDecl *array, *variable;
    /// Where it is taken.
    unsigned at;
  };
  std::vector<HeldAddress> addressIn;

  void number(const clang::Stmt *statement, const clang::Stmt *parent) {
    if (!positions.try_emplace(statement, Position{parent, count, 0}).second)
      return;
    ++count;
    hasJumps |= llvm::isa<clang::LabelStmt, clang::IndirectGotoStmt>(statement);
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(statement))
      exits.push_back(count - 1);
    if (auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
      if (const clang::VarDecl *variable = steppedVariable(*loop))
        loops[variable].push_back(loop);
    if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
      ranges[loop->getLoopVariable()] = loop;
    for (const clang::Stmt *child : statement->children())
      if (child)
        number(child, statement);
    positions[statement].end = count - 1;
    if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl *declared : declaration->decls())
        if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declared))
          declarations[variable] = {
              {variable->getInit()}, parent, positions[statement].end};
  }

  unsigned begin(const clang::Stmt *statement) const {
    return positions.find(statement)->second.begin;
  }
  const clang::Stmt *parentOf(const clang::Stmt *statement) const {
    return positions.lookup(statement).parent;
  }
  bool isIn(unsigned at, const clang::Stmt *scope) const {
    const Position &outer = positions.find(scope)->second;
    return outer.begin <= at && at <= outer.end;
  }
  bool isWithin(const clang::Stmt *statement, const clang::Stmt *scope) const {
    return isIn(begin(statement), scope);
  }
  static bool isLoop(const clang::Stmt *statement) {
    return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                     clang::CXXForRangeStmt>(statement);
  }

  struct PlaceOfWrite {
    unsigned at;
    /// Whether somebody may get the variable there to write it later, and
    /// whether the place is in a lambda.
    bool isGiven, isLate;
  };
  /// Where \p variable is or may be written.
  std::vector<PlaceOfWrite> writesOf(const clang::VarDecl *variable) const {
    std::vector<PlaceOfWrite> result;
    if (auto all = unknown.find(variable); all != unknown.end())
      for (unsigned at : all->second)
        result.push_back({at, isGivenAway(at), late.contains(at)});
    if (auto all = writes.find(variable); all != writes.end())
      for (const Write &write : all->second)
        result.push_back({write.end, false, false});
    return result;
  }
  //===--------------------------------------------------------------------===//
  // Step by step
  //===--------------------------------------------------------------------===//

  struct Object {
    const clang::VarDecl *variable;
    VariablePart part;
  };

  bool isTraceable(const clang::Stmt *place, const clang::VarDecl *variable,
                   const VariablePart &part) const {
    bool isHere = declarations.contains(variable) ||
                  llvm::isa<clang::ParmVarDecl>(variable);
    if (hasJumps || !isHere || !positions.contains(place) ||
        !variable->hasLocalStorage() || variable->getType()->isReferenceType())
      return false;
    if (auto members = unknownMembers.find(variable);
        members != unknownMembers.end() &&
        (!part.member || members->second.contains(part.member)))
      return false;
    unsigned end = positions.find(place)->second.end;
    return llvm::none_of(writesOf(variable), [&](PlaceOfWrite write) {
      return write.isLate || (write.isGiven && write.at <= end);
    });
  }

  static bool touches(const Write &write, const VariablePart &part) {
    return part.isWhole() || write.what.part.isWhole() ||
           write.what.part == part;
  }

  /// Calls \p visit with the place of each write of \p object there may be.
  template <typename Visit>
  void forEachWrite(const Object &object, Visit visit) const {
    if (auto start = declarations.find(object.variable);
        start != declarations.end())
      visit(start->second.end);
    if (auto all = writes.find(object.variable); all != writes.end())
      for (const Write &write : all->second)
        if (touches(write, object.part))
          visit(write.end);
    if (auto all = unknown.find(object.variable); all != unknown.end())
      for (unsigned at : all->second)
        visit(at);
  }

  size_t countWrites(const clang::Stmt *statement, const Object &object) const {
    const Position &range = positions.find(statement)->second;
    size_t count = 0;
    forEachWrite(object, [&](unsigned at) {
      count += range.begin <= at && at <= range.end;
    });
    return count;
  }
  bool mayWrite(const clang::Stmt *statement, const Object &object) const {
    return statement && countWrites(statement, object) > 0;
  }

  /// The last statement of \p block, in front of number \p end, that may write;
  /// null if none may.
  const clang::Stmt *lastWriter(const clang::CompoundStmt &block, unsigned end,
                                const Object &object) const {
    unsigned begin = this->begin(&block), last = begin;
    forEachWrite(object, [&](unsigned at) {
      if (at < end)
        last = std::max(last, at);
    });
    if (last == begin)
      return nullptr;
    auto writer = llvm::find_if(block.body(), [&](const clang::Stmt *child) {
      return isIn(last, child);
    });
    return *writer;
  }

  /// Whether control may leave \p statement other than at its end.
  static bool mayLeave(const clang::Stmt *statement);
  Origin originBefore(const clang::Stmt *place, const Object &object) const;
  Origin originInLoop(const clang::Stmt *place, const clang::Stmt *loop,
                      const Object &object) const;
  Origin originAfter(const clang::Stmt *place, const Object &object) const;
  Origin originOfDefinition(const clang::DeclStmt &declaration,
                            const Object &object) const;
  Origin originOfExpression(const clang::Expr *expr,
                            const Object &object) const;

  /// Whether an unknown write is more than a write here and now.
  bool isGivenAway(unsigned at) const {
    return !steps.contains(at) || late.contains(at);
  }
  bool isInLambda(const clang::Stmt *statement) const {
    while (statement && !llvm::isa<clang::LambdaExpr>(statement))
      statement = parentOf(statement);
    return statement;
  }

  bool isWrittenAfter(const clang::VarDecl *variable, unsigned at) const {
    auto all = writes.find(variable);
    return all != writes.end() &&
           llvm::any_of(all->second,
                        [&](const Write &write) { return write.end > at; });
  }

  /// What stands around \p expr and does not change what it is about.
  const clang::Stmt *around(const clang::Stmt *expr) const {
    auto changesNothing = [](const clang::Stmt *statement) {
      if (auto *cast = llvm::dyn_cast<clang::CastExpr>(statement))
        return cast->getCastKind() != clang::CK_LValueToRValue;
      auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
      return llvm::isa<clang::ParenExpr>(statement) ||
             (call && passedOn(*call));
    };
    const clang::Stmt *parent = parentOf(expr);
    while (parent && changesNothing(parent))
      parent = parentOf(parent);
    return parent;
  }

  /// Whether \p expr is argument \p number of \p call, in whatever type.
  static bool isArgument(const clang::Expr *expr, const clang::CallExpr &call,
                         unsigned number) {
    return number < call.getNumArgs() &&
           call.getArg(number)->IgnoreParenCasts() == expr;
  }

  /// A mention that does something else than read.
  void note(const clang::DeclRefExpr &mention) {
    auto *variable = llvm::cast<clang::VarDecl>(mention.getDecl());
    if (positions.contains(&mention) &&
        (isGivenToLaunch(mention) || isGivenToReader(mention) ||
         noteWrite(mention, *variable) || noteAddress(mention, *variable)))
      return;
    if (positions.contains(&mention)) {
      if (isStep(mention))
        steps.insert(begin(&mention));
      if (isInLambda(&mention))
        late.insert(begin(&mention));
    }
    // What is done to one member, or through its address, leaves the others.
    if (const clang::FieldDecl *member = memberAround(mention))
      unknownMembers[variable].insert(member);
    else
      unknown[variable].push_back(positions.contains(&mention) ? begin(&mention)
                                                               : 0);
  }

  /// The member of the variable that a mention is about; null if it is about
  /// all of it.
  const clang::FieldDecl *
  memberAround(const clang::DeclRefExpr &mention) const {
    if (!positions.contains(&mention))
      return nullptr;
    auto *access = llvm::dyn_cast_or_null<clang::MemberExpr>(around(&mention));
    auto *member =
        access && !access->isArrow()
            ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
            : nullptr;
    return member && !member->getType()->isReferenceType() ? member : nullptr;
  }

  bool isGivenToLaunch(const clang::DeclRefExpr &mention) const {
    auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(around(&mention));
    auto kind = call ? LaunchCall::kindOf(*call) : std::nullopt;
    if (!kind)
      return false;
    if (*kind != LaunchCall::Arguments)
      return mention.getType()->isArrayType() &&
             isArgument(&mention, *call, LaunchCall::addresses(*kind));
    return !mention.getType()->isArrayType() && !isArgument(&mention, *call, 0);
  }

  /// An argument for a reference through which the function does not write.
  bool isGivenToReader(const clang::DeclRefExpr &mention) const {
    auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(around(&mention));
    const clang::FunctionDecl *callee =
        call ? call->getDirectCallee() : nullptr;
    const clang::FunctionDecl *body = nullptr;
    if (!callee || !callee->hasBody(body))
      return false;
    for (const clang::ParmVarDecl *parameter : body->parameters()) {
      const clang::Expr *argument =
          argumentFor(*call, parameter->getFunctionScopeIndex());
      if (argument && parameter->getType()->isReferenceType() &&
          isWithin(&mention, argument))
        return all.keepsItsValue(parameter);
    }
    return false;
  }

  /// `x++`, `++x` and `x *= 2`, of which nothing else takes a reference.
  bool isStep(const clang::DeclRefExpr &mention) const {
    const clang::Stmt *parent = around(&mention);
    auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    auto *binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    bool writes = (unary && unary->isIncrementDecrementOp()) ||
                  (binary && binary->isAssignmentOp() &&
                   binary->getLHS()->IgnoreParens() == &mention);
    if (!writes || (unary && unary->isPostfix()))
      return writes;
    const clang::Stmt *outer = around(llvm::cast<clang::Expr>(parent));
    auto *comma = llvm::dyn_cast_or_null<clang::BinaryOperator>(outer);
    return (comma && comma->isCommaOp()) ||
           llvm::isa_and_nonnull<clang::CompoundStmt, clang::ForStmt,
                                 clang::IfStmt, clang::WhileStmt, clang::DoStmt,
                                 clang::SwitchCase, clang::ImplicitCastExpr>(
               outer);
  }

  /// The number of the element of \p array that \p access is, if that is
  /// written as a constant.
  std::optional<uint64_t> elementOf(const clang::DeclRefExpr &array,
                                    const clang::Stmt *access) const {
    auto *subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(access);
    if (!subscript || !array.getType()->isConstantArrayType() ||
        subscript->getBase()->IgnoreParenImpCasts() != &array)
      return std::nullopt;
    auto *index = llvm::dyn_cast<clang::IntegerLiteral>(
        subscript->getIdx()->IgnoreParenImpCasts());
    return index ? std::optional(index->getValue().getLimitedValue())
                 : std::nullopt;
  }

  /// `x = value`, `x.member = value` and `x[0] = value`.
  bool noteWrite(const clang::DeclRefExpr &mention,
                 const clang::VarDecl &variable) {
    Definition what;
    const clang::Stmt *object = &mention, *parent = around(object);
    if (llvm::isa_and_nonnull<clang::MemberExpr>(parent)) {
      what.part.member = memberAround(mention);
      if (!what.part.member)
        return false;
      object = parent;
      parent = around(object);
    } else if ((what.part.element = elementOf(mention, parent))) {
      object = parent;
      parent = around(object);
    }
    if (auto *assignment =
            llvm::dyn_cast_or_null<clang::BinaryOperator>(parent)) {
      if (assignment->getOpcode() != clang::BO_Assign ||
          assignment->getLHS()->IgnoreParens() != object)
        return false;
      what.value = assignment->getRHS();
    } else if (auto *assignment =
                   llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent)) {
      auto *callee = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(
          assignment->getDirectCallee());
      if (!callee || !callee->isTrivial() ||
          !(callee->isCopyAssignmentOperator() ||
            callee->isMoveAssignmentOperator()) ||
          assignment->getArg(0)->IgnoreParens() != object)
        return false;
      what.value = assignment->getArg(1);
    } else {
      return false;
    }
    return addWrite(variable, what, parent);
  }

  /// `&x`: given to a launch, kept for one, or for what the library writes.
  bool noteAddress(const clang::DeclRefExpr &mention,
                   const clang::VarDecl &variable) {
    const clang::Stmt *object = around(&mention);
    bool isMember = memberAround(mention);
    auto *address = llvm::dyn_cast_or_null<clang::UnaryOperator>(
        isMember ? around(llvm::cast<clang::Expr>(object)) : object);
    if (!address || address->getOpcode() != clang::UO_AddrOf)
      return false;
    const clang::Stmt *parent = around(address);
    if (isMember)
      return isConfiguration(*address, parent);
    if (const clang::VarDecl *array = arrayAround(parent)) {
      addressIn.push_back({array, &variable, begin(&mention)});
      return true;
    }
    auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    if (!call)
      return false;
    if (isConfiguration(*address, call))
      return true;
    unsigned outputs = isOccupancyCall(*call) ? 2 : gpuProperty(*call) ? 1 : 0;
    for (unsigned i = 0; i < outputs; ++i)
      if (isArgument(address, *call, i)) {
        Definition what;
        what.call = call;
        what.output = i;
        return addWrite(variable, what, call);
      }
    return false;
  }

  /// Whether \p parent launches what is configured at \p address.
  static bool isConfiguration(const clang::Expr &address,
                              const clang::Stmt *parent) {
    auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    auto kind = call ? LaunchCall::kindOf(*call) : std::nullopt;
    return kind && *kind != LaunchCall::Sizes && isArgument(&address, *call, 0);
  }

  /// The array that \p parent, a list or an assignment to an element, puts a
  /// pointer into; null for anything else.
  const clang::VarDecl *arrayAround(const clang::Stmt *parent) const {
    if (auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(parent))
      return arrayOf(*list);
    auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    auto *element = assignment && assignment->getOpcode() == clang::BO_Assign
                        ? llvm::dyn_cast<clang::ArraySubscriptExpr>(
                              assignment->getLHS()->IgnoreParens())
                        : nullptr;
    auto *array = element ? llvm::dyn_cast<clang::DeclRefExpr>(
                                element->getBase()->IgnoreParenImpCasts())
                          : nullptr;
    return array && elementOf(*array, element)
               ? llvm::dyn_cast<clang::VarDecl>(array->getDecl())
               : nullptr;
  }

  /// The array that a list of pointers initialises.
  const clang::VarDecl *arrayOf(const clang::InitListExpr &list) const {
    auto *statement = llvm::dyn_cast_or_null<clang::DeclStmt>(parentOf(&list));
    if (!statement)
      return nullptr;
    for (const clang::Decl *declared : statement->decls()) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
      if (variable && variable->getInit() == &list &&
          variable->getType()->isConstantArrayType())
        return variable;
    }
    return nullptr;
  }

  bool addWrite(const clang::VarDecl &variable, const Definition &what,
                const clang::Stmt *at) {
    unsigned end = positions.lookup(at).end;
    const clang::Stmt *scope = scopeOf(at);
    // Nobody knows when a lambda runs.
    if (isInLambda(at))
      return false;
    writes[&variable].push_back({what, scope, end});
    return true;
  }

  /// The block in which \p expr is evaluated whenever the block runs.
  const clang::Stmt *scopeOf(const clang::Stmt *expr) const {
    const clang::Stmt *child = expr, *parent = parentOf(child);
    while (parent) {
      if (llvm::isa<clang::CompoundStmt>(parent)) {
        const clang::Stmt *owner = parentOf(parent);
        // A label of a switch leads past the statements before it.
        if (llvm::isa_and_nonnull<clang::SwitchStmt>(owner))
          return nullptr;
        // do { ... } while (0), as macros have it.
        if (!isOnce(owner))
          return parent;
        parent = owner;
      } else if (!llvm::isa<clang::DeclStmt, clang::FullExpr, clang::ParenExpr,
                            clang::CastExpr, clang::CallExpr>(parent) &&
                 !isOnce(parent)) {
        return nullptr;
      }
      child = parent;
      parent = parentOf(child);
    }
    return nullptr;
  }

  /// A loop whose body runs once, to its end.
  bool isOnce(const clang::Stmt *statement) const {
    auto *loop = llvm::dyn_cast_or_null<clang::DoStmt>(statement);
    if (!loop)
      return false;
    const Position &range = positions.find(loop)->second;
    if (llvm::any_of(exits, [&](unsigned at) {
          return range.begin <= at && at <= range.end;
        }))
      return false;
    const clang::Expr *condition = loop->getCond()->IgnoreParenImpCasts();
    if (auto *boolean = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(condition))
      return !boolean->getValue();
    auto *number = llvm::dyn_cast<clang::IntegerLiteral>(condition);
    return number && number->getValue().isZero();
  }

  /// Whether \p other may be the last write before \p mention, after \p found.
  bool comesBetween(const Write &other, const Write &found,
                    const clang::Stmt *mention) const {
    if (other.end > found.end && other.end < begin(mention))
      return true;
    // In a loop that leaves out what was found, all writes come before, and
    // nobody knows when a lambda runs.
    for (const clang::Stmt *outer = parentOf(mention); outer;
         outer = parentOf(outer)) {
      const Position &range = positions.find(outer)->second;
      if (range.begin <= found.end && found.end <= range.end)
        return false;
      if (llvm::isa<clang::LambdaExpr>(outer))
        return true;
      if (isLoop(outer) && range.begin <= other.end && other.end <= range.end)
        return true;
    }
    return false;
  }
};

} // namespace auspex

#endif
