// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VariableWrites.h"

#include "Callers.h"
#include "LibraryCalls.h"
#include "Mentions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;

llvm::ArrayRef<VariableWrites::Write>
VariableWrites::knownOf(const clang::VarDecl *variable) const {
  auto found = known.find(variable);
  if (found == known.end())
    return {};
  return found->second;
}

llvm::ArrayRef<VariableWrites::Place>
VariableWrites::unknownOf(const clang::VarDecl *variable) const {
  auto found = unknown.find(variable);
  if (found == unknown.end())
    return {};
  return found->second;
}

bool VariableWrites::isWritten(const clang::VarDecl *variable) const {
  return unknownMembers.contains(variable) ||
         llvm::any_of(placesOf(variable),
                      [](const Place &place) { return !place.part.isPointee; });
}

std::vector<VariableWrites::Place>
VariableWrites::placesOf(const clang::VarDecl *variable) const {
  std::vector<Place> result(unknownOf(variable));
  for (const Write &write : knownOf(variable))
    result.push_back(
        {write.end, /*isGiven=*/false, /*isLate=*/false, write.what.part});
  return result;
}

bool VariableWrites::hasUnknownMember(const clang::VarDecl *variable,
                                      const VariablePart &part) const {
  auto members = unknownMembers.find(variable);
  return members != unknownMembers.end() &&
         (!part.member || members->second.contains(part.member));
}

/// Whether \p expr is argument \p number of \p call, in whatever type.
static bool isArgument(const clang::Expr *expr, const clang::CallExpr &call,
                       unsigned number) {
  return number < call.getNumArgs() &&
         call.getArg(number)->IgnoreParenCasts() == expr;
}

/// Whether \p parent launches what is configured at \p address.
static bool isConfiguration(const clang::Expr &address,
                            const clang::Stmt *parent) {
  auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
  auto kind = call ? LaunchCall::kindOf(*call) : std::nullopt;
  return kind && *kind != LaunchCall::Sizes && isArgument(&address, *call, 0);
}

/// The number of the element of \p array that \p access is, if that is written
/// as a constant.
static std::optional<uint64_t> elementOf(const clang::DeclRefExpr &array,
                                         const clang::Stmt *access) {
  auto *subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(access);
  if (!subscript || !array.getType()->isConstantArrayType() ||
      subscript->getBase()->IgnoreParenImpCasts() != &array)
    return std::nullopt;
  auto *index = llvm::dyn_cast<clang::IntegerLiteral>(
      subscript->getIdx()->IgnoreParenImpCasts());
  return index ? std::optional(index->getValue().getLimitedValue())
               : std::nullopt;
}

namespace {

class MentionReader {
public:
  MentionReader(const StatementOrder &order, WrittenVariables &all)
      : order(order), all(all) {}

  VariableWrites run(clang::Stmt *body);

private:
  const StatementOrder &order;
  WrittenVariables &all;
  VariableWrites result;
  /// Addresses that arrays keep for launches.
  struct HeldAddress {
    const clang::VarDecl *array, *variable;
    /// Where it is taken.
    unsigned at;
  };
  std::vector<HeldAddress> addresses;

  void note(const clang::DeclRefExpr &mention);
  bool isGivenToLaunch(const clang::DeclRefExpr &mention) const;
  bool noteReference(const clang::DeclRefExpr &mention,
                     const clang::VarDecl &variable);
  const clang::CXXMethodDecl *
  containerMethod(const clang::DeclRefExpr &mention) const;
  bool leavesSize(const clang::DeclRefExpr &mention) const;
  bool noteResize(const clang::DeclRefExpr &mention,
                  const clang::VarDecl &variable);
  bool noteMethod(const clang::DeclRefExpr &mention,
                  const clang::VarDecl &variable);
  void notePointee(const clang::DeclRefExpr &mention,
                   const clang::ParmVarDecl &pointer,
                   llvm::ArrayRef<const clang::Expr *> written);
  bool isCopied(const clang::DeclRefExpr &mention) const;
  bool isStep(const clang::Expr &object) const;
  bool isElementAssigned(const clang::DeclRefExpr &mention) const;
  bool noteExtraction(const clang::DeclRefExpr &mention,
                      const clang::VarDecl &variable);
  bool noteWrite(const clang::DeclRefExpr &mention,
                 const clang::VarDecl &variable);
  bool noteOutput(const clang::ParmVarDecl &parameter,
                  const clang::CallExpr &call, const VariablePart &part,
                  const clang::VarDecl &variable);
  bool noteGivenAddress(const clang::Expr &address, const clang::CallExpr &call,
                        const VariablePart &part,
                        const clang::VarDecl &variable);
  bool noteAddress(const clang::DeclRefExpr &mention,
                   const clang::VarDecl &variable);
  bool addWrite(const clang::VarDecl &variable, const Definition &what,
                const clang::Stmt *at);
  bool isWrittenAfter(const clang::VarDecl *variable, unsigned at) const;
  /// A part of a variable, and what names it.
  struct NamedPart {
    VariablePart part;
    const clang::Stmt *object;
  };
  NamedPart partAround(const clang::DeclRefExpr &mention) const;
  const clang::VarDecl *arrayAround(const clang::Stmt *parent) const;
  const clang::VarDecl *arrayOf(const clang::InitListExpr &list) const;
};

} // namespace

VariableWrites MentionReader::run(clang::Stmt *body) {
  for (const auto &[variable, statement] : order.declarations())
    result.declarations[variable] = {{variable->getInit()},
                                     order.parentOf(statement),
                                     order.begin(statement),
                                     order.end(statement)};
  MentionVisitor visitor;
  visitor.TraverseStmt(body);
  for (const clang::DeclRefExpr *mention : visitor.otherMentions())
    note(*mention);
  std::vector<const clang::Expr *> written = visitor.otherPlaces();
  for (const clang::DeclRefExpr *mention : visitor.allMentions())
    if (auto *pointer = llvm::dyn_cast<clang::ParmVarDecl>(mention->getDecl());
        pointer && pointer->getType()->isPointerType())
      notePointee(*mention, *pointer, written);
  // An array of addresses that does more than be given to launches gives away
  // what the addresses lead to.
  for (const auto &[array, variable, at] : addresses)
    if (result.unknown.contains(array) || isWrittenAfter(variable, at))
      result.unknown[variable].push_back({at, /*isGiven=*/true});
  result.definitions = std::move(visitor.definitions);
  return std::move(result);
}

/// A mention that does something else than read.
void MentionReader::note(const clang::DeclRefExpr &mention) {
  auto *variable = llvm::cast<clang::VarDecl>(mention.getDecl());
  bool isHere = order.contains(&mention);
  if (isHere &&
      (isGivenToLaunch(mention) || isCopied(mention) ||
       noteReference(mention, *variable) || noteMethod(mention, *variable) ||
       noteExtraction(mention, *variable) || noteWrite(mention, *variable) ||
       noteAddress(mention, *variable)))
    return;
  VariableWrites::Place place = {0, /*isGiven=*/true};
  auto [part, object] = partAround(mention);
  place.part = part;
  if (leavesSize(mention) || (isHere && noteResize(mention, *variable)))
    place.part.element = 0;
  if (isHere) {
    place.at = order.begin(&mention);
    place.isLate = order.isInLambda(&mention);
    auto *whole = llvm::cast<clang::Expr>(object);
    place.isGiven =
        place.isLate || !(isStep(*whole) || isElementAssigned(mention));
  }
  // What is done to one member, or through its address, leaves the others, but
  // not what is done to bytes from there on.
  auto *address = isHere ? order.around(object) : nullptr;
  auto *parent = address ? order.parentOf(address) : nullptr;
  auto *bytes = llvm::dyn_cast_or_null<clang::CastExpr>(parent);
  if (bytes && bytes->getType()->isVoidPointerType())
    place.part = {};
  if (place.part.member && place.isGiven) {
    result.unknownMembers[variable].insert(place.part.member);
    return;
  }
  result.unknown[variable].push_back(place);
}

/// What is done to what \p pointer points to, by one of its mentions. \p
/// written are the places that are not only read.
void MentionReader::notePointee(const clang::DeclRefExpr &mention,
                                const clang::ParmVarDecl &pointer,
                                llvm::ArrayRef<const clang::Expr *> written) {
  VariableWrites::Place unknown = {0, /*isGiven=*/true};
  unknown.part.isPointee = true;
  if (!order.contains(&mention)) {
    result.unknown[&pointer].push_back(unknown);
    return;
  }
  unknown.at = order.begin(&mention);
  const clang::Stmt *loaded = order.around(&mention);
  const clang::Stmt *user = loaded ? order.around(loaded) : nullptr;
  Definition what;
  what.part.isPointee = true;
  // `*p` and `p->member`.
  auto *access = llvm::dyn_cast_or_null<clang::MemberExpr>(user);
  auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(user);
  bool isPlace = access || (unary && unary->getOpcode() == clang::UO_Deref);
  if (isPlace && !llvm::is_contained(written, user))
    return;
  if (access)
    what.part.member =
        llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
  if (access ? what.part.member != nullptr : isPlace) {
    unknown.part.member = what.part.member;
    const clang::Stmt *parent = order.around(user);
    auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    if (assignment && assignment->getOpcode() == clang::BO_Assign &&
        assignment->getLHS()->IgnoreParens() == user) {
      what.value = assignment->getRHS();
      if (addWrite(pointer, what, parent))
        return;
    }
    auto *address = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    loaded =
        address && address->getOpcode() == clang::UO_AddrOf ? address : nullptr;
    user = loaded ? order.around(loaded) : nullptr;
  } else if (llvm::isa_and_nonnull<clang::IfStmt>(user)) {
    return;
  }
  auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(user);
  if (call && llvm::any_of(addressesRead(*call), [&](const auto *address) {
        return address->IgnoreParenCasts() ==
               llvm::cast<clang::Expr>(loaded)->IgnoreParenCasts();
      }))
    return;
  // `cudaMalloc(p, bytes)` and `cudaMalloc(&p->member, bytes)`.
  if (call && allocatedBytes(*call) &&
      isArgument(llvm::cast<clang::Expr>(loaded)->IgnoreParenCasts(), *call,
                 0)) {
    what.call = call;
    if (addWrite(pointer, what, call))
      return;
  }
  result.unknown[&pointer].push_back(unknown);
}

/// The member of the variable that a mention is about, or member of that; all
/// of the variable if it is about none.
MentionReader::NamedPart
MentionReader::partAround(const clang::DeclRefExpr &mention) const {
  NamedPart result = {{}, &mention};
  for (const clang::FieldDecl **level :
       {&result.part.member, &result.part.inner}) {
    auto *access =
        llvm::dyn_cast_or_null<clang::MemberExpr>(order.around(result.object));
    auto *member =
        access && !access->isArrow()
            ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
            : nullptr;
    if (!member || member->getType()->isReferenceType() ||
        member->isBitField() || member->getParent()->isUnion())
      break;
    *level = member;
    result.object = access;
  }
  return result;
}

bool MentionReader::isGivenToLaunch(const clang::DeclRefExpr &mention) const {
  auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(order.around(&mention));
  auto kind = call ? LaunchCall::kindOf(*call) : std::nullopt;
  if (!kind)
    return false;
  if (*kind != LaunchCall::Arguments)
    return mention.getType()->isArrayType() &&
           isArgument(&mention, *call, LaunchCall::addresses(*kind));
  return !mention.getType()->isArrayType() && !isArgument(&mention, *call, 0);
}

/// Moved without doing anything else than to copy it, as what is returned is.
bool MentionReader::isCopied(const clang::DeclRefExpr &mention) const {
  auto *copy =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(order.around(&mention));
  return copy && copy->getConstructor()->isCopyOrMoveConstructor() &&
         copy->getConstructor()->isTrivial();
}

/// What \p call writes by way of \p parameter, unless somebody keeps that.
bool MentionReader::noteOutput(const clang::ParmVarDecl &parameter,
                               const clang::CallExpr &call,
                               const VariablePart &part,
                               const clang::VarDecl &variable) {
  Definition what;
  what.part = part;
  what.call = &call;
  what.output = parameter.getFunctionScopeIndex();
  return !all.isGivenAway(&parameter) && addWrite(variable, what, &call);
}

/// An argument for a reference: what the function does with that is known.
bool MentionReader::noteReference(const clang::DeclRefExpr &mention,
                                  const clang::VarDecl &variable) {
  auto [part, object] = partAround(mention);
  auto *around = llvm::dyn_cast_or_null<clang::Expr>(order.around(object));
  const clang::FunctionDecl *callee = around ? calledBy(*around) : nullptr;
  const clang::FunctionDecl *body = nullptr;
  if (!callee || !callee->hasBody(body))
    return false;
  auto *call = llvm::dyn_cast<clang::CallExpr>(around);
  for (const clang::ParmVarDecl *parameter : body->parameters()) {
    const clang::Expr *argument =
        argumentFor(*around, parameter->getFunctionScopeIndex());
    if (!argument || !parameter->getType()->isReferenceType() ||
        !order.isWithin(&mention, argument))
      continue;
    if (all.keepsItsValue(parameter))
      return true;
    // What a call of the library makes an object of is not its own parameter.
    return call && callee == call->getDirectCallee() &&
           argument->IgnoreParens() == object &&
           noteOutput(*parameter, *call, part, variable);
  }
  return false;
}

/// A call of a method of \p variable: what that does to the object is known.
bool MentionReader::noteMethod(const clang::DeclRefExpr &mention,
                               const clang::VarDecl &variable) {
  auto *access =
      llvm::dyn_cast_or_null<clang::MemberExpr>(order.around(&mention));
  auto *method =
      access ? llvm::dyn_cast<clang::CXXMethodDecl>(access->getMemberDecl())
             : nullptr;
  if (!method || isOfLibrary(method) || access->isArrow())
    return false;
  const std::optional<MemberWrites::Members> &written =
      all.members().of(*method);
  bool isOfOther = variable.getType()->isReferenceType();
  if (!written || (isOfOther && !written->empty()))
    return false;
  auto *call =
      llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(order.around(access));
  for (const clang::FieldDecl *member : *written) {
    Definition what;
    what.part = {member};
    what.call = call;
    what.isOfObject = true;
    if (!call || !addWrite(variable, what, call))
      result.unknownMembers[&variable].insert(member);
  }
  return true;
}

/// The method of a container of the library that is called for what \p mention
/// names; null if there is none.
const clang::CXXMethodDecl *
MentionReader::containerMethod(const clang::DeclRefExpr &mention) const {
  const clang::Stmt *parent = order.around(&mention);
  auto *access = llvm::dyn_cast_or_null<clang::MemberExpr>(parent);
  auto *call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent);
  const clang::Decl *method = access ? access->getMemberDecl()
                              : call ? call->getDirectCallee()
                                     : nullptr;
  auto *found = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(method);
  return found && isOfLibrary(found) ? found : nullptr;
}

/// Whether elements alone may be written, now or later, not their number.
bool MentionReader::leavesSize(const clang::DeclRefExpr &mention) const {
  auto *range = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(
      order.parentOf(order.around(&mention)));
  if (range && range->getRangeStmt() == order.around(&mention))
    return isOfLibrary(mention.getType()->getAsCXXRecordDecl());
  const clang::CXXMethodDecl *method = containerMethod(mention);
  if (!method)
    return false;
  if (method->getOverloadedOperator() == clang::OO_Subscript)
    return true;
  return method->getIdentifier() &&
         llvm::StringSwitch<bool>(method->getName())
             .Cases({"at", "back", "begin", "data", "end", "front", "rbegin",
                     "rend", "reserve"},
                    true)
             .Default(false);
}

/// `x.resize(value)`. What the elements are is not noted.
bool MentionReader::noteResize(const clang::DeclRefExpr &mention,
                               const clang::VarDecl &variable) {
  const clang::CXXMethodDecl *method = containerMethod(mention);
  auto *call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(
      order.around(order.around(&mention)));
  if (!method || !call || !method->getIdentifier() ||
      method->getName() != "resize" || call->getNumArgs() == 0)
    return false;
  Definition what;
  what.value = call->getArg(0);
  what.part = VariablePart::size();
  return addWrite(variable, what, call);
}

/// `x++`, `++x` and `x *= 2`, of which nothing else takes a reference.
bool MentionReader::isStep(const clang::Expr &object) const {
  const clang::Stmt *parent = order.around(&object);
  auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
  auto *binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
  bool writes = (unary && unary->isIncrementDecrementOp()) ||
                (binary && binary->isAssignmentOp() &&
                 binary->getLHS()->IgnoreParens() == &object);
  if (!writes || (unary && unary->isPostfix()))
    return writes;
  const clang::Stmt *outer = order.around(parent);
  auto *comma = llvm::dyn_cast_or_null<clang::BinaryOperator>(outer);
  return (comma && comma->isCommaOp()) ||
         llvm::isa_and_nonnull<clang::CompoundStmt, clang::ForStmt,
                               clang::IfStmt, clang::WhileStmt, clang::DoStmt,
                               clang::SwitchCase, clang::ImplicitCastExpr>(
             outer);
}

/// `x[i] = value` of an array.
bool MentionReader::isElementAssigned(const clang::DeclRefExpr &mention) const {
  auto *element =
      llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(order.around(&mention));
  return element && mention.getType()->isConstantArrayType() &&
         element->getBase()->IgnoreParenImpCasts() == &mention &&
         isStep(*element);
}

/// `stream >> x` of a number, which the library does not keep a reference to.
bool MentionReader::noteExtraction(const clang::DeclRefExpr &mention,
                                   const clang::VarDecl &variable) {
  auto *call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(
      order.around(&mention));
  if (!call || !isExtraction(*call) || !isArgument(&mention, *call, 1))
    return false;
  Definition what;
  what.call = call;
  what.output = 1;
  return addWrite(variable, what, call);
}

/// `x = value`, `x.member = value` and `x[0] = value`.
bool MentionReader::noteWrite(const clang::DeclRefExpr &mention,
                              const clang::VarDecl &variable) {
  Definition what;
  auto [part, object] = partAround(mention);
  const clang::Stmt *parent = order.around(object);
  what.part = part;
  if (llvm::isa_and_nonnull<clang::MemberExpr>(parent))
    return false;
  if (part.isWhole() && (what.part.element = elementOf(mention, parent))) {
    object = parent;
    parent = order.around(object);
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

/// An address for a function of this file that writes there.
bool MentionReader::noteGivenAddress(const clang::Expr &address,
                                     const clang::CallExpr &call,
                                     const VariablePart &part,
                                     const clang::VarDecl &variable) {
  const clang::FunctionDecl *callee = call.getDirectCallee(), *body = nullptr;
  if (!callee || !callee->hasBody(body))
    return false;
  for (const clang::ParmVarDecl *parameter : body->parameters()) {
    const clang::Expr *argument =
        argumentFor(call, parameter->getFunctionScopeIndex());
    if (!argument || argument->IgnoreParenImpCasts() != &address ||
        !parameter->getType()->isPointerType())
      continue;
    return (all.keepsItsValue(parameter) && all.keepsPointee(parameter)) ||
           noteOutput(*parameter, call, part, variable);
  }
  return false;
}

/// `&x`: given to a launch, kept for one, or for what the library writes.
bool MentionReader::noteAddress(const clang::DeclRefExpr &mention,
                                const clang::VarDecl &variable) {
  auto [part, object] = partAround(mention);
  if (part.isWhole() &&
      (part.element = elementOf(mention, order.around(object))))
    object = order.around(object);
  bool isMember = !part.isWhole();
  auto *address =
      llvm::dyn_cast_or_null<clang::UnaryOperator>(order.around(object));
  if (!address || address->getOpcode() != clang::UO_AddrOf)
    return false;
  const clang::Stmt *parent = order.around(address);
  if (isMember && isConfiguration(*address, parent))
    return true;
  if (const clang::VarDecl *array = isMember ? nullptr : arrayAround(parent)) {
    addresses.push_back({array, &variable, order.begin(&mention)});
    return true;
  }
  auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
  if (!call)
    return false;
  if (isConfiguration(*address, call))
    return true;
  if (noteGivenAddress(*address, *call, part, variable))
    return true;
  unsigned outputs = isScan(*call) ? call->getNumArgs()
                     : isOccupancyCall(*call) || pitchedBytes(*call) ? 2
                     : gpuProperty(*call) || allocatedBytes(*call) ||
                             addressOfHost(*call) || kernelOfActiveBlocks(*call)
                         ? 1
                         : 0;
  for (unsigned i = 0; i < outputs; ++i)
    if (isArgument(address, *call, i)) {
      Definition what;
      what.part = part;
      what.call = call;
      what.output = i;
      return addWrite(variable, what, call);
    }
  return false;
}

bool MentionReader::addWrite(const clang::VarDecl &variable,
                             const Definition &what, const clang::Stmt *at) {
  // Nobody knows when a lambda runs, nor which of two writes comes first that a
  // function does.
  std::vector<VariableWrites::Write> &known = result.known[&variable];
  if (order.isInLambda(at) ||
      llvm::any_of(known, [&](const VariableWrites::Write &other) {
        return other.end == order.end(at) && other.touches(what.part);
      }))
    return false;
  known.push_back({what, order.scopeOf(at), order.begin(at), order.end(at)});
  return true;
}

bool MentionReader::isWrittenAfter(const clang::VarDecl *variable,
                                   unsigned at) const {
  return llvm::any_of(
      result.knownOf(variable),
      [&](const VariableWrites::Write &write) { return write.end > at; });
}

/// The array that \p parent, a list or an assignment to an element, puts a
/// pointer into; null for anything else.
const clang::VarDecl *
MentionReader::arrayAround(const clang::Stmt *parent) const {
  if (auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(parent))
    return arrayOf(*list);
  const clang::DeclRefExpr *array = arrayAssignedIn(parent);
  if (!array)
    return nullptr;
  auto *assignment = llvm::cast<clang::BinaryOperator>(parent);
  return elementOf(*array, assignment->getLHS()->IgnoreParens())
             ? llvm::dyn_cast<clang::VarDecl>(array->getDecl())
             : nullptr;
}

/// The array that a list of pointers initialises.
const clang::VarDecl *
MentionReader::arrayOf(const clang::InitListExpr &list) const {
  auto *statement =
      llvm::dyn_cast_or_null<clang::DeclStmt>(order.parentOf(&list));
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

const clang::DeclRefExpr *
auspex::arrayAssignedIn(const clang::Stmt *statement) {
  auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(statement);
  auto *element = assignment && assignment->getOpcode() == clang::BO_Assign
                      ? llvm::dyn_cast<clang::ArraySubscriptExpr>(
                            assignment->getLHS()->IgnoreParens())
                      : nullptr;
  return element ? llvm::dyn_cast<clang::DeclRefExpr>(
                       element->getBase()->IgnoreParenImpCasts())
                 : nullptr;
}

VariableWrites auspex::readWrites(clang::Stmt *body,
                                  const StatementOrder &order,
                                  WrittenVariables &all) {
  return MentionReader(order, all).run(body);
}
