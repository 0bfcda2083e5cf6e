// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of host expressions, as far as they are the same in every run.
///
/// Clang's own evaluator answers first: literals, constexpr, enumerators,
/// sizeof, template arguments. It does not look into ordinary variables, so the
/// rest is evaluated here: integers, floating point for the sake of
/// ceil(n / 256.0), dim3 and its members, variables of which the last write is
/// known or that branches and loops write that are gone through one statement
/// after the other, members of structures and of objects that constructors
/// made, parameters of functions on a path of calls or of functions that nobody
/// else can call and that always get the same, and calls of functions of this
/// file, of methods too, with what they write through references. What has no
/// value in C++, or takes too many steps to find, is unknown.
///
/// Where loops give a variable several values, or the source does not say which
/// element of a list is meant, the evaluator names the choice, and answers for
/// one of its values if that is supposed. Variables can be supposed to be
/// symbols too: then sizes are expressions in them.
#ifndef AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H
#define AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H

#include "Callers.h"
#include "HostArithmetic.h"
#include "MadeMembers.h"
#include "Mentions.h"
#include "StatementOrder.h"
#include "SwitchWays.h"
#include "WrittenVariables.h"
#include "auspex/Expr/Expr.h"
#include "auspex/Footprint/LaunchShape.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/MapVector.h"

#include <array>
#include <deque>
#include <optional>
#include <variant>

namespace auspex {

/// One of several values that the source has for a variable: of one that a loop
/// steps, what it is; of an array and of the variable of a loop over a list,
/// the number of the element. Or one of the rounds of a loop, by number; or one
/// of the calls that make objects of a class.
struct Choice {
  const clang::VarDecl *variable;
  std::vector<int64_t> values;
  /// Null for what is chosen otherwise.
  const clang::Stmt *loop = nullptr;
  /// The class, or its method that gives objects what is asked for.
  const clang::Decl *maker = nullptr;

  /// As many values are all looked at.
  static constexpr size_t MostValues = 32;
};

/// What is taken for granted beside the source.
struct Supposition {
  /// The code that is asked about, and how it is reached.
  Site site;
  CallPath path;
  /// What that launches; null if it is not known.
  const clang::FunctionDecl *kernel = nullptr;
  /// The values of choices.
  llvm::SmallDenseMap<const clang::VarDecl *, int64_t, 4> chosen;
  /// In which round which loops are, the one around others first.
  llvm::SmallVector<std::pair<Choice, int64_t>, 2> chosenRounds;
  llvm::SmallDenseMap<const clang::Decl *, int64_t, 2> chosenObjects;

  void choose(const Choice &choice, int64_t value) {
    if (choice.loop)
      chosenRounds.emplace_back(choice, value);
    else if (choice.maker)
      chosenObjects[choice.maker] = value;
    else
      chosen[choice.variable] = value;
  }
  /// What some variables hold.
  std::vector<std::pair<VariableVersion, Expr>> found;
  /// What cudaOccupancyMaxPotentialBlockSize gives.
  std::optional<int64_t> blocks, threads;
  /// The program is run without arguments, in an empty environment.
  bool withoutArguments = false;
};

/// An expression, or what is in it: of `s`, s.member[2].
struct HostPlace {
  /// Null where nothing is known.
  const clang::Expr *expr = nullptr;
  llvm::SmallVector<VariablePart, 2> parts;

  HostPlace(const clang::Expr *expr = nullptr) : expr(expr) {}
  HostPlace(const clang::Expr *expr, llvm::ArrayRef<VariablePart> parts)
      : expr(expr), parts(parts) {}
  /// A part of it.
  HostPlace in(const VariablePart &part) const {
    HostPlace result = *this;
    result.parts.push_back(part);
    return result;
  }
};

class HostEvaluator {
public:
  /// \p mentions are all of the file; \p programArguments are what the program
  /// is run with, if that is known.
  HostEvaluator(const clang::ASTContext &context, Callers &callers,
                const MentionVisitor &mentions,
                const std::optional<std::vector<std::string>> &programArguments)
      : context(context), callers(callers), programArguments(programArguments),
        changed(mentions.otherVariables()),
        memberWriters(
            mentions.memberWriters([this](const clang::ParmVarDecl *parameter) {
              return writes.keepsItsValue(parameter);
            })),
        staticWrites(mentions.staticWrites()) {}

  /// Answers questions from now on as if \p newSupposition were true.
  void suppose(Supposition newSupposition);

  std::optional<int64_t> integer(const HostPlace &place);
  /// The value of what has a floating-point type; neither NaN nor infinity.
  std::optional<double> floating(const HostPlace &place);
  /// The sides of a dim3; expressions hold the symbols that are supposed.
  std::optional<std::array<Expr, 3>> sizes(const HostPlace &place);
  /// The function that a callee expression names, through pointers too.
  const clang::FunctionDecl *function(const clang::Expr *expr);
  /// What element \p number of \p array, if that is a local array, is
  /// initialised or assigned with; null if it is not known.
  const clang::Expr *elementValue(const clang::Expr *array, unsigned number);

  /// What is not known that \p place hangs on, as the source writes it, and
  /// where: "atoi(argv[1]) at line 12". Empty if it is known, or if that is
  /// not.
  std::string openPart(const HostPlace &place);

  /// The variables that are at \p place and that it is a copy of: of an
  /// argument `n`, the parameter and what the caller gives for it.
  std::vector<VariableVersion> variables(const HostPlace &place);

  /// The size of the allocation that the pointer at \p place is the begin of.
  std::optional<int64_t> objectInBytes(const HostPlace &place);
  /// Whether the pointer at \p place is the begin of memory of the host.
  bool isInHostMemory(const HostPlace &place);

  /// Whether \p condition is known not to hold.
  bool isRuledOut(const Condition &condition);
  /// Whether \p loop, of a function on the way, is known to have no second
  /// round. It is no matter that the program's arguments are asked for.
  bool runsOnce(const clang::Stmt &loop);
  /// The variable of which \p condition alone says what it holds, those that it
  /// is a copy of, and that.
  std::vector<std::pair<VariableVersion, Expr>>
  consequences(const Condition &condition);

  /// What a question hung on that was asked since the last suppose(), and that
  /// was not supposed: a call of cudaOccupancyMaxPotentialBlockSize, and the
  /// first choice. Null if there was none.
  const clang::CallExpr *occupancyCall() const { return asked; }
  const Choice *choice() const { return open ? &*open : nullptr; }
  /// Whether that was asked for since the last time, and forgets it: the number
  /// of the program's arguments, or a variable of its environment.
  bool takeAskedForArguments() {
    return std::exchange(askedForArguments, false);
  }
  bool supposesNoArguments() const { return supposition.withoutArguments; }

private:
  /// A number, or an expression in symbols. The first alternative, here and
  /// below, is a value that is unknown.
  using Integer = std::variant<std::monostate, llvm::APSInt, Expr>;
  /// The sides of a dim3; each may be unknown by itself.
  using Sides = std::array<Integer, 3>;
  /// What a pointer points to the begin of.
  struct Allocation {
    /// The call of the library, or what another file gives.
    const clang::Expr *origin;
    llvm::APSInt bytes;
  };
  /// What the second parameter of main() holds, or a pointer to one of the
  /// arguments: the number of that.
  struct ProgramArguments {
    uint64_t first = 0;
  };
  using Value =
      std::variant<std::monostate, llvm::APSInt, Expr, llvm::APFloat, Fraction,
                   Sides, Allocation, const clang::FunctionDecl *,
                   llvm::StringRef, ProgramArguments>;
  /// A variable, or a member of one.
  using Part = std::pair<const clang::VarDecl *, const clang::FieldDecl *>;
  using State = llvm::MapVector<Part, Value>;
  using Parts = llvm::ArrayRef<VariablePart>;
  /// A function whose code is evaluated: on the path, or called from there. The
  /// outermost, without function, holds what is in none of them.
  struct Frame {
    /// The canonical declaration, a CallExpr or CXXConstructExpr that enters
    /// it, and where that stands.
    const clang::FunctionDecl *function = nullptr;
    const clang::Expr *call = nullptr;
    Frame *outer = nullptr;
    bool isOnPath = false;
    /// What is known of variables that keep their values.
    llvm::DenseMap<const clang::VarDecl *, Value> kept{};
    /// What variables hold in the round that is evaluated, by loop.
    llvm::DenseMap<const clang::Stmt *, State> rounds{};
    /// What variables hold behind loops, in no round of another one; none where
    /// it was not found out how many rounds there are.
    llvm::DenseMap<const clang::Stmt *, std::optional<State>> afterLoops{};
  };
  /// A place in the code of \c frame.
  struct Place : HostPlace {
    Frame *frame;
    /// Where there is no expression, MadeValue::writer.
    const clang::CallExpr *writer = nullptr;

    Place(const HostPlace &place, Frame *frame)
        : HostPlace(place), frame(frame) {}
    /// From a pointer to what it points to.
    void enterPointee();
  };

  const clang::ASTContext &context;
  Callers &callers;
  const std::optional<std::vector<std::string>> &programArguments;
  llvm::DenseSet<const clang::VarDecl *> changed;
  WrittenVariables writes;
  MemberWriters memberWriters;
  StaticWrites staticWrites;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<StatementOrder>>
      orders;
  Supposition supposition;
  const clang::CallExpr *asked = nullptr;
  std::optional<Choice> open;
  bool askedForArguments = false;
  Frame outermost;
  /// Of the path, from its begin on, and of the constructors, and of the ways
  /// to writes, that were looked into since the last suppose(). They keep their
  /// addresses.
  std::deque<Frame> path, constructors;
  /// Where the code is that is evaluated: in each function on the way to it.
  struct Point {
    Site site;
    Frame *frame;
  };
  using Way = std::vector<Point>;
  Way way;
  /// Those not on the stack of which the last write is looked for.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> beingFound;
  /// The one whose code is evaluated.
  Frame *frame = &outermost;
  /// What is left for one question: recursion may be deep or endless.
  static constexpr unsigned MostSteps = 20000;
  unsigned steps = 0, granted = 0, depth = 0;
  /// What is left for the whole file, of which the launches may have many
  /// choices each.
  uint64_t stepsOfFile = 6'000'000;

  /// The number or expression that an Integer or a Value is.
  template <typename Variant>
  static std::optional<Expr> expression(const Variant &value) {
    if (auto *expr = std::get_if<Expr>(&value))
      return *expr;
    auto *number = std::get_if<llvm::APSInt>(&value);
    auto known = number ? number->tryExtValue() : std::nullopt;
    return known ? std::optional(Expr(*known)) : std::nullopt;
  }
  void grantSteps();
  Value ask(const HostPlace &place);
  Value evaluate(const clang::Expr *expr);
  Value evaluate(Place place);
  Value part(const clang::Expr *object, Parts parts);
  template <typename Evaluate> auto inFrame(Frame *entered, Evaluate evaluate);
  void forgetKept();
  std::optional<llvm::APSInt> number(const clang::Expr *expr);
  Integer integerOf(const clang::Expr *expr);
  Value evaluateByClang(const clang::Expr *expr);
  Value evaluateNode(const clang::Expr *expr);
  Value cast(const clang::CastExpr *expr);
  Value castInteger(const llvm::APSInt &number, const clang::CastExpr *expr);
  Value castReal(llvm::APFloat real, const clang::CastExpr *expr);
  Value castSymbolic(const Expr &size, const clang::CastExpr *expr);
  Value step(const clang::UnaryOperator *expr);
  Value unary(const clang::UnaryOperator *expr);
  Value binary(const clang::BinaryOperator *expr);
  Value logical(const clang::BinaryOperator *expr);
  Value symbolic(clang::BinaryOperatorKind kind, const Value &left,
                 const Value &right) const;
  Value choose(const clang::ConditionalOperator *expr);
  static Value either(const Value &condition, const Value &first,
                      const Value &second);
  Value mention(const clang::ValueDecl *declaration);
  Value mention(const clang::DeclRefExpr *mention);
  const clang::Expr *unchangingValue(const clang::VarDecl *variable);
  Value valueOf(const StaticWrite &write, const clang::VarDecl *variable,
                Parts parts);
  Value keptValue(const clang::VarDecl *variable, Parts parts);
  struct Moment;
  bool startsWithSize(const clang::VarDecl &variable);
  bool isFoundOnce(const clang::VarDecl &variable, const StaticWrite &write);
  const StatementOrder &orderIn(const clang::FunctionDecl &function);
  bool isRuledOut(const Site &site);
  bool runsBefore(const Site &site, const Site &place,
                  const StatementOrder &order);
  Moment momentOnWay(const Site &site, size_t index);
  std::optional<std::vector<Moment>> momentsOf(const Site &site,
                                               unsigned depth = 0);
  std::optional<std::pair<const StaticWrite *, Way>>
  lastWrite(const clang::VarDecl *variable, Parts parts);
  std::optional<bool> holds(const Condition &condition);
  Way wayTo(const Condition &condition) const;
  /// What \p evaluate finds where \p other leads to.
  template <typename Evaluate> auto onWay(Way other, Evaluate evaluate);
  /// Whether no other file can write \p variable, which is not on the stack:
  /// they cannot name it, or this is the program, with main() beside it.
  bool isOwn(const clang::VarDecl *variable) const;
  Frame *frameOf(const clang::VarDecl *variable);
  Frame *frameOnPath(const clang::FunctionDecl &function);
  Value given(const clang::ParmVarDecl *parameter, Parts parts);
  static const clang::Expr *argument(const Frame &frame,
                                     const clang::ParmVarDecl *parameter);
  Value written(const clang::DeclRefExpr *mention, Parts parts);
  Value valueOf(const Definition &definition, Parts parts);
  Value allocated(const clang::CallExpr &call);
  bool writesUnlessItFails(const clang::CompoundStmt &body,
                           const clang::ParmVarDecl *parameter);
  Value writtenBy(const Definition &definition, Parts parts);
  Value writtenByMethod(const Definition &write, Parts inMember);
  Value from(const Origin &origin, const clang::VarDecl *variable, Parts parts);
  Value evaluateOrigin(const Origin &origin, const clang::VarDecl *variable,
                       Parts parts);
  Value filledBy(const clang::Stmt *loop, const clang::VarDecl *array,
                 Parts parts);
  Value afterStep(const clang::Expr *step, const Value &old);
  Value afterBranch(const clang::IfStmt &statement,
                    const clang::VarDecl *variable, Parts parts);
  std::optional<SwitchWay> wayTaken(const clang::SwitchStmt &choice);
  Value afterSwitch(const clang::SwitchStmt &choice,
                    const clang::VarDecl *variable, Parts parts);
  bool neverRuns(const clang::Stmt *loop, const clang::Expr *condition,
                 State &state);
  std::optional<State> goThrough(const clang::Stmt *loop,
                                 const clang::VarDecl *variable,
                                 llvm::function_ref<bool(bool)> onRound);
  std::optional<const clang::Stmt *> breakTaken(const clang::Stmt *body);
  std::optional<Choice> roundsOf(const clang::Stmt *loop, Part part);
  void enterRounds();
  Value inChosenRound(const clang::Stmt *loop, Part part);
  static Value side(const Value &value, const clang::FieldDecl *member);
  static Value inState(const State &state, const clang::VarDecl *variable,
                       Parts parts);
  Value fromGPU(const Expr &property, clang::QualType type) const;
  /// Whether \p record has the members x, y and z, all of integers, as dim3 and
  /// uint3 do.
  static bool hasSides(const clang::RecordDecl *record);
  /// CUDA's own dim3, of which the constructor is known to set x, y and z.
  static bool isDim3(const clang::CXXRecordDecl *record);
  static Value
  sidesOf(const clang::RecordDecl &record,
          llvm::function_ref<Value(const clang::FieldDecl *)> valueOf);
  Value member(const clang::MemberExpr *expr);
  Place resolve(Place place);
  std::optional<Place> resolveStep(const Place &place);
  Place boundPart(const clang::BindingDecl &binding, Parts parts);
  std::optional<Place> resolveVariable(const clang::DeclRefExpr *mention,
                                       Parts parts);
  std::optional<Place> objectOf(const clang::MemberExpr &access);
  std::optional<Place> inThis(Parts parts);
  std::optional<Place> inCalledObject(Parts parts);
  std::optional<Place> inAnyObject(Parts parts, std::optional<Place> named);
  Frame *methodFrame() const;
  std::optional<Place> calledObject() const;
  const clang::Expr *givenBack(const clang::CallExpr &call);
  std::optional<Place> towardsObject(const Place &place);
  const clang::Expr *makerOf(Place place);
  Value overrider(const clang::MemberExpr &callee,
                  const clang::CXXMethodDecl &method);
  Frame *frameAround(const Call &call);
  bool isOfThisFile(const clang::FieldDecl &member) const;
  bool startsWithNothing(const clang::FieldDecl &member);
  std::optional<MadeValue> madeIn(Frame &entered, Parts parts);
  static Place placeOf(const MadeValue &made, Frame &entered, Parts parts);
  std::optional<Place> inConstructed(Frame &constructor, Parts parts,
                                     bool isDone);
  std::optional<Place> openBehind(const Place &place);
  const clang::Expr *listGoneThrough(const clang::Expr &expr);
  std::optional<VariableVersion> version(const HostPlace &place);
  Value found(const clang::Expr *expr);
  Value number(const llvm::APInt &value, clang::QualType type) const;
  Value stepped(const clang::DeclRefExpr *mention);
  std::optional<Choice> stepsOf(const clang::ForStmt &loop,
                                const clang::VarDecl *variable);
  bool leaves(const clang::Stmt *body);
  bool keepsValue(const clang::Expr &object);
  bool isWrittenBeside(const Frame &entered,
                       const clang::ParmVarDecl *parameter);
  std::optional<llvm::APSInt> nextStep(const clang::Expr *step,
                                       const llvm::APSInt &value);
  Value element(const clang::ArraySubscriptExpr &expr);
  const clang::Expr *elementOf(const clang::Expr *list,
                               const clang::Expr *index);
  /// The one that \p variable picks, which is \p firstValue for the first.
  const clang::Expr *anyElement(const clang::VarDecl *variable,
                                const clang::InitListExpr &list,
                                int64_t firstValue);
  const clang::Expr *rangeElement(const clang::VarDecl *variable);
  const clang::InitListExpr *listOf(const clang::Expr *expr);
  const clang::InitListExpr *unchangedValues(const clang::VarDecl *list);
  Value construct(const clang::CXXConstructExpr *expr);
  Value initList(const clang::InitListExpr *expr);
  template <typename Range> Value sides(const Range &exprs);
  Value call(const clang::CallExpr *expr);
  Value word(uint64_t value, clang::QualType type) const;
  Value ofNoArguments(uint64_t value, clang::QualType type);
  Value givenToMain(const clang::ParmVarDecl &parameter);
  std::optional<uint64_t> argumentCount() const;
  Value programArgument(const llvm::APSInt &index) const;
  Value ofProgramArguments(clang::BinaryOperatorKind kind, const Value &left,
                           const Value &right, clang::QualType type) const;
  Value findArgument(const clang::CallExpr &call);
  Value extracted(const clang::CallExpr &call);
  Value elementOfText(const clang::Expr *base, const clang::Expr *index,
                      clang::QualType type);
  Value lookUpArguments(const clang::CallExpr &call);
  Value callWithText(const clang::CallExpr &call);
  Value scanned(const clang::CallExpr &call, std::optional<unsigned> argument);
  llvm::APFloat realOf(double value, clang::QualType type) const;
  Value compareTexts(const clang::CXXOperatorCallExpr &call);
  Value constructText(const clang::CXXConstructExpr &construct);
  Value textOf(const clang::CXXMemberCallExpr &call);
  Value math(const clang::CallExpr *expr, llvm::StringRef name);
  Value asReal(const llvm::APSInt &number, clang::QualType type) const;
  Value minOrMax(const Value &left, const Value &right, bool isMin);
  Value inlined(const clang::CallExpr *call, const clang::FunctionDecl *callee,
                Parts parts);
  bool isPassedBy(const clang::Stmt &loop);
  bool doesNothing(const clang::Stmt &statement);
  bool isPassedBy(const Site &site, const StatementOrder &order);
  Value returned(llvm::ArrayRef<const clang::Stmt *> statements, Parts parts);
  Value boolean(std::optional<bool> value, clang::QualType type) const;
  static bool isSame(const Value &a, const Value &b);
  static bool isOpen(const Value &value);
};

/// The variable that \p expr, which may be null, is a part of, or the address
/// of one; null if it is neither.
const clang::VarDecl *variableAt(const clang::Expr *expr);

/// What \p evaluate finds in the code of \p entered.
template <typename Evaluate>
auto HostEvaluator::inFrame(Frame *entered, Evaluate evaluate) {
  Frame *left = std::exchange(frame, entered);
  auto result = evaluate();
  frame = left;
  return result;
}

template <typename Evaluate>
auto HostEvaluator::onWay(Way other, Evaluate evaluate) {
  std::swap(way, other);
  auto result = inFrame(way.back().frame, evaluate);
  std::swap(way, other);
  return result;
}

} // namespace auspex

#endif
