// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DigitPattern.h"

#include "Intervals.h"
#include "LinearOffset.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace auspex;

/// A condition that floordiv(a, q) + b >= 0 without the division.
static Expr withoutDivision(const Expr &condition) {
  const Atom *bracket = condition.asAtom();
  if (!bracket || bracket->kind != Atom::Kind::AtLeastZero)
    return condition;
  const Expr &left = bracket->operands[0];
  for (const Expr::Term &term : left.sum()) {
    if (term.coefficient != 1 || term.factors.size() != 1 ||
        term.factors.front().power != 1)
      continue;
    const Atom &atom = *term.factors.front().atom;
    if (atom.kind != Atom::Kind::FloorDiv ||
        atom.operands[1].constant().value_or(0) <= 0)
      continue;
    const Expr &divided = atom.operands[0], &divisor = atom.operands[1];
    Expr rest = left - Expr::floorDiv(divided, divisor);
    return Expr::isAtLeastZero(divided + divisor * rest);
  }
  return condition;
}

/// What a thread and its turns have to meet, one by one.
static std::vector<Expr> guardsOf(const AccessDomain &domain) {
  std::vector<Expr> all = domain.condition.conjuncts(), guards;
  for (const DomainLoop &loop : domain.loops)
    all.push_back(withoutDivision(
        Expr::isLess(Expr::symbol(loop.counter), loop.tripCount)));
  for (const Expr &guard : all)
    if (Expr open = domain.domain->simplify(guard); open != Expr(1))
      guards.push_back(std::move(open));
  return guards;
}

/// Far from overflow when it is added or turned round.
static bool isModest(int64_t number) {
  return -MaxOffset <= number && number <= MaxOffset;
}

/// Takes out the guards on one symbol, as bounds in \p box.
static void takeBoundsOfSymbols(const AccessDomain &domain,
                                std::vector<Expr> &guards,
                                llvm::MutableArrayRef<Interval> box) {
  llvm::erase_if(guards, [&](const Expr &guard) {
    const Atom *bracket = guard.asAtom();
    if (!bracket || (bracket->kind != Atom::Kind::AtLeastZero &&
                     bracket->kind != Atom::Kind::EqualZero))
      return false;
    const Expr &left = bracket->operands[0];
    auto symbol = llvm::find_if(
        domain.symbols, [&](llvm::StringRef name) { return left.uses(name); });
    if (symbol == domain.symbols.end())
      return false;
    auto linear = left.linearIn(*symbol);
    auto slope = linear ? linear->factor->constant() : std::nullopt;
    auto rest = linear ? linear->rest->constant() : std::nullopt;
    if (!slope || !rest || !isModest(*slope) || !isModest(*rest))
      return false;
    Interval &side = box[symbol - domain.symbols.begin()];
    side = intersect(
        side, boundOf(*slope, *rest, bracket->kind == Atom::Kind::EqualZero));
    return true;
  });
}

std::shared_ptr<const DigitPattern>
DigitPattern::create(const AccessDomain &domain, const Expr &offset,
                     unsigned bytes, double leastShare) {
  llvm::SmallVector<Interval, 8> box = domain.wholeWindow();
  std::vector<Expr> guards = guardsOf(domain);
  takeBoundsOfSymbols(domain, guards, box);
  if (llvm::any_of(box, isEmpty))
    return nullptr;
  auto withoutPoints = [&](const Expr &expr) {
    return expr.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
      auto symbol = llvm::find(domain.symbols, name);
      if (symbol == domain.symbols.end() ||
          !box[symbol - domain.symbols.begin()].isPoint())
        return std::nullopt;
      return Expr(box[symbol - domain.symbols.begin()].low);
    });
  };
  for (Expr &guard : guards)
    guard = withoutPoints(guard);
  Expr place = withoutPoints(offset);
  std::vector<Expr> exprs = guards;
  exprs.push_back(place);
  IndexDigits digits(domain.symbols, box, exprs);
  if (!digits.admit(place))
    return nullptr;
  // Those that divide otherwise than the rest are left out.
  size_t all = guards.size();
  llvm::erase_if(guards, [&](const Expr &guard) {
    const Atom *bracket = guard.asAtom();
    return !bracket || bracket->operands.empty() ||
           !digits.admit(bracket->operands.front());
  });
  std::shared_ptr<DigitPattern> pattern(new DigitPattern(std::move(digits)));
  std::optional<DigitForm> form = pattern->digits.formOf(place);
  if (!form)
    return nullptr;
  pattern->form = std::move(*form);
  pattern->bytes = bytes;
  pattern->digitBounds.assign(pattern->form.digits.size(), {});
  pattern->bounds = box;
  size_t taken = llvm::count_if(
      guards, [&](const Expr &guard) { return pattern->bound(guard); });
  if (taken == all)
    return pattern;
  AddressSet set;
  std::optional<double> points = pattern->append(box, 0, set);
  if (!points || *points <= 0)
    return nullptr;
  pattern->share = std::min(1.0, domain.domain->laneExecutions() / *points);
  return pattern->share >= leastShare ? pattern : nullptr;
}

/// Takes a guard on one digit, the index or one other symbol as a bound.
bool DigitPattern::bound(const Expr &condition) {
  const Atom &bracket = *condition.asAtom();
  std::optional<DigitForm> left = digits.formOf(bracket.operands[0]);
  if (!left || !isModest(left->constant))
    return false;
  bool isEqual = bracket.kind == Atom::Kind::EqualZero;
  if (!isEqual && bracket.kind != Atom::Kind::AtLeastZero)
    return false;
  auto isUsed = [](int64_t slope) { return slope != 0; };
  auto take = [&](int64_t slope, Interval &side) {
    if (!isModest(slope))
      return false;
    side = intersect(side, boundOf(slope, left->constant, isEqual));
    return true;
  };
  auto ofDigits = llvm::count_if(left->digits, isUsed);
  auto ofSymbols = llvm::count_if(left->symbols, isUsed);
  if (ofDigits == 0 && ofSymbols == 1) {
    size_t symbol =
        llvm::find_if(left->symbols, isUsed) - left->symbols.begin();
    return take(left->symbols[symbol], bounds[symbol]);
  }
  if (ofSymbols > 0 || ofDigits == 0)
    return false;
  if (ofDigits == 1) {
    size_t digit = llvm::find_if(left->digits, isUsed) - left->digits.begin();
    return take(left->digits[digit], digitBounds[digit]);
  }
  int64_t times = left->digits[0];
  for (auto [slope, weight] : llvm::zip(left->digits, digits.digitWeights()))
    if (slope % weight != 0 || slope / weight != times)
      return false;
  return take(times, index);
}

std::optional<int64_t> DigitPattern::slopeOf(unsigned symbol) const {
  if (digits.goesBy(symbol))
    return std::nullopt;
  return form.symbols[symbol];
}

std::optional<double> DigitPattern::append(llvm::ArrayRef<Interval> window,
                                           int64_t moved,
                                           AddressSet &set) const {
  StridedAccess access{moved, bytes, {}};
  llvm::SmallVector<Interval, 8> box(window.begin(), window.end());
  double executions = share;
  bool fits = true;
  auto add = [&](StridedAccess &to, int64_t slope, Interval side) {
    fits &= addSide(to, slope, side);
    return static_cast<double>(sizeOf(side));
  };
  for (unsigned symbol = 0; symbol < box.size(); ++symbol) {
    box[symbol] = intersect(box[symbol], bounds[symbol]);
    if (isEmpty(box[symbol]))
      return 0;
    if (!digits.goesBy(symbol))
      executions *= add(access, form.symbols[symbol], box[symbol]);
  }
  if (digits.isEmpty()) {
    set.push_back(std::move(access));
    return fits ? std::optional(executions) : std::nullopt;
  }
  auto runs = digits.runsIn(box);
  if (!runs)
    return std::nullopt;
  double indices = 0;
  for (Interval run : *runs) {
    run = intersect(run, index);
    if (isEmpty(run))
      continue;
    for (const DigitBox &digitBox : digits.boxesOf(run)) {
      StridedAccess part = access;
      double points = 1;
      for (auto [slope, side, bound] :
           llvm::zip(form.digits, digitBox, digitBounds)) {
        Interval here = intersect(side, bound);
        points *= isEmpty(here) ? 0 : add(part, slope, here);
      }
      if (points > 0)
        set.push_back(std::move(part));
      indices += points;
    }
  }
  if (!fits || set.size() > MostAccesses)
    return std::nullopt;
  return executions * indices;
}
