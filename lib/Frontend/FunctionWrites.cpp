// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionWrites.h"

#include "clang/AST/ExprCXX.h"

#include <map>

using namespace auspex;

bool WrittenVariables::FunctionWrites::isUnwritten(
    const clang::VarDecl *variable) const {
  bool isHere = writes.definitions.contains(variable) ||
                llvm::isa<clang::ParmVarDecl>(variable);
  return isHere && !writes.isWritten(variable);
}

bool WrittenVariables::FunctionWrites::writesPointee(
    const clang::ParmVarDecl *pointer) const {
  return llvm::any_of(writes.placesOf(pointer),
                      [](const Place &place) { return place.part.isPointee; });
}

bool WrittenVariables::FunctionWrites::isGivenAway(
    const clang::ParmVarDecl *parameter) const {
  bool isPointer = parameter->getType()->isPointerType();
  return (isPointer && writes.isWritten(parameter)) ||
         writes.unknownMembers.contains(parameter) ||
         llvm::any_of(writes.unknownOf(parameter), [](const Place &place) {
           return place.isGiven || place.isLate;
         });
}

/// Whether a call gets \p mention, by reference or by its address.
bool WrittenVariables::FunctionWrites::isGivenToCall(
    const clang::Stmt *mention) const {
  do
    mention = order.parentOf(mention);
  while (llvm::isa_and_nonnull<clang::CastExpr, clang::ParenExpr,
                               clang::UnaryOperator>(mention));
  return llvm::isa_and_nonnull<clang::CallExpr>(mention);
}

std::optional<Definition>
WrittenVariables::FunctionWrites::definition(const clang::DeclRefExpr *mention,
                                             const VariablePart &part) const {
  auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
  auto start = writes.declarations.find(variable);
  bool isParameter = llvm::isa<clang::ParmVarDecl>(variable);
  if (!order.contains(mention) || order.mayFollowJump(mention) ||
      (start == writes.declarations.end() && !isParameter) ||
      !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
      writes.hasUnknownMember(variable, part))
    return std::nullopt;
  const Write given = {{.isGiven = true}};
  const Write *found = isParameter ? &given : &start->second;
  std::vector<const Write *> others;
  for (const Write &write : writes.knownOf(variable)) {
    if (!write.touches(part))
      continue;
    others.push_back(&write);
    bool comesBefore = write.scope && order.isWithin(mention, write.scope) &&
                       write.end < order.begin(mention);
    if (comesBefore && write.end > found->end)
      found = &write;
  }
  for (const Write *other : others)
    if (other != found && comesBetween(other->end, *found, mention))
      return std::nullopt;
  // What is given away may be written at any time from then on; what a function
  // gets is what it was before.
  unsigned last = order.begin(mention) - (isGivenToCall(mention) ? 1 : 0);
  for (const Place &place : writes.unknownOf(variable))
    if (place.part.overlaps(part) && ((place.at <= last && place.isGiven) ||
                                      comesBetween(place.at, *found, mention)))
      return std::nullopt;
  return found->what.part.covers(part) ? std::optional(found->what)
                                       : std::nullopt;
}

/// Whether the write at \p other may be the last one before \p mention, after
/// \p found.
bool WrittenVariables::FunctionWrites::comesBetween(
    unsigned other, const Write &found, const clang::Stmt *mention) const {
  if (other > found.end && other < order.begin(mention))
    return true;
  // In a loop that leaves out what was found, all writes come before, and
  // nobody knows when a lambda runs.
  for (const clang::Stmt *outer = order.parentOf(mention); outer;
       outer = order.parentOf(outer)) {
    auto *counting = llvm::dyn_cast<clang::ForStmt>(outer);
    bool isStart = counting && counting->getInit() &&
                   order.isIn(found.end, counting->getInit());
    if (order.isIn(found.end, outer) && !isStart)
      return false;
    if (llvm::isa<clang::LambdaExpr>(outer))
      return true;
    if (StatementOrder::isLoop(outer) && order.isIn(other, outer))
      return true;
  }
  return false;
}

PartsWritten
WrittenVariables::FunctionWrites::writtenIn(const clang::Stmt *loop) const {
  // An assignment ends where what it evaluates last does.
  std::multimap<unsigned, std::pair<const clang::VarDecl *, VariablePart>>
      found;
  for (const auto &[variable, all] : writes.known)
    for (const Write &write : all)
      if (order.isIn(write.end, loop))
        found.emplace(write.end, std::pair(variable, write.what.part));
  for (const auto &[variable, all] : writes.unknown)
    for (const Place &place : all)
      if (order.isIn(place.at, loop))
        found.emplace(place.at, std::pair(variable, place.part));
  return PartsWritten(llvm::make_second_range(found));
}

std::optional<VariableVersion> WrittenVariables::FunctionWrites::version(
    const clang::DeclRefExpr *mention, const clang::FieldDecl *member) const {
  auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
  if (!order.contains(mention) || !variable->hasLocalStorage() ||
      variable->getType().isVolatileQualified())
    return std::nullopt;
  VariableVersion version = {variable, member};
  std::vector<Place> places = writes.placesOf(variable);
  // Nobody knows when a lambda runs.
  if (writes.unknownMembers.contains(variable) ||
      (order.mayFollowJump(mention) && !places.empty()) ||
      llvm::any_of(places, [](Place place) { return place.isLate; }))
    return std::nullopt;
  version.writes = llvm::count_if(
      places, [&](Place place) { return place.at < order.begin(mention); });
  auto isRepeated = [&](const clang::Stmt *outer) {
    return (llvm::isa<clang::LambdaExpr>(outer) && !places.empty()) ||
           (StatementOrder::isLoop(outer) &&
            llvm::any_of(places, [&](Place place) {
              return order.isIn(place.at, outer);
            }));
  };
  for (const clang::Stmt *outer = order.parentOf(mention);
       outer && !version.repeated; outer = order.parentOf(outer))
    if (isRepeated(outer))
      version.repeated = outer;
  return version;
}

const clang::ForStmt *WrittenVariables::FunctionWrites::steppingLoop(
    const clang::DeclRefExpr *mention) const {
  auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
  if (!order.contains(mention) || order.mayFollowJump(mention) ||
      !variable->hasLocalStorage())
    return nullptr;
  for (const clang::ForStmt *loop :
       llvm::reverse(order.loopsStepping(variable))) {
    if (!order.isWithin(mention, loop))
      continue;
    auto isHarmless = [&](Place place) {
      if (!order.isIn(place.at, loop))
        return !place.isGiven && !place.isLate;
      return order.isIn(place.at, loop->getInc()) ||
             (loop->getInit() && order.isIn(place.at, loop->getInit()));
    };
    return llvm::all_of(writes.placesOf(variable), isHarmless) ? loop : nullptr;
  }
  return nullptr;
}
