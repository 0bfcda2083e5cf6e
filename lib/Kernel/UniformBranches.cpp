// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UniformBranches.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace auspex;

/// Whether all lanes of a warp agree on it, in every turn of the loops.
bool UniformBranches::isUniform(const Expr &condition) const {
  return !condition.usesAny([&](llvm::StringRef name) {
    const DataSymbol *data = shared.symbols.findDataSymbol(name);
    return data ? !data->uniform : !isSetByHost(name) && !isBlockIndex(name);
  });
}

/// The data symbol that \p condition compares with a number for equality; empty
/// if it is of another kind.
static llvm::StringRef comparedData(const Expr &condition) {
  const Atom *bracket = condition.asAtom();
  if (!bracket || (bracket->kind != Atom::Kind::EqualZero &&
                   bracket->kind != Atom::Kind::NotZero))
    return "";
  Expr data = bracket->operands[0].withoutConstant();
  std::optional<llvm::StringRef> name = data.asSymbol();
  if (!name)
    name = (-data).asSymbol();
  return name && isData(*name) ? *name : "";
}

static bool holds(const Expr &condition, int64_t value) {
  return condition
             .evaluate([&](llvm::StringRef) { return std::optional(value); })
             .value_or(0) != 0;
}

UniformBranches::UniformBranches(SharedBinding &shared) : shared(shared) {
  // In instructions; a loop whose trip count is anything counts as some turns.
  constexpr double Turns = 8;
  std::vector<double> weightOfBlock;
  for (auto [block, guard] : llvm::zip(shared.summary.blocks, shared.guards)) {
    double weight = 0;
    for (const MachineCode &code : block.code)
      weight += code.mix.total() / std::max(1u, code.unroll);
    for (int loop = block.loop; loop >= 0;
         loop = shared.summary.loops[loop].parent)
      weight *= Turns;
    weightOfBlock.push_back(weight);
    for (const Expr &part : guard.conjuncts())
      if (isOpen(part))
        weights[shared.simplified(part)] += weight;
  }
  chooseValues(weightOfBlock);
}

void UniformBranches::chooseValues(llvm::ArrayRef<double> weightOfBlock) {
  // The numbers that data are compared with, and one beside them.
  std::map<std::string, std::set<int64_t>> candidates;
  for (const auto &[condition, weight] : weights) {
    llvm::StringRef name = comparedData(condition);
    if (name.empty() || !isUniform(condition))
      continue;
    const Expr &difference = condition.asAtom()->operands[0];
    int64_t constant = difference.constantTerm();
    if (!isWithin(constant, INT64_MAX - 1))
      continue;
    bool isNegative = difference.withoutConstant().asSymbol() == std::nullopt;
    std::set<int64_t> &of = candidates[name.str()];
    of.insert(isNegative ? constant : -constant);
  }
  for (auto &[name, numbers] : candidates) {
    numbers.insert(*numbers.rbegin() + 1);
    double most = -1;
    for (int64_t number : numbers) {
      double weight = 0;
      for (auto [guard, ofBlock] : llvm::zip(shared.guards, weightOfBlock)) {
        bool runs = llvm::all_of(guard.conjuncts(), [&](const Expr &part) {
          return comparedData(part) != name || holds(part, number);
        });
        weight += runs ? ofBlock : 0;
      }
      if (weight > most) {
        most = weight;
        values[name] = number;
      }
    }
  }
}

/// The code that runs if \p condition holds, and that which runs otherwise;
/// none if there is none of that.
std::optional<std::pair<double, double>>
UniformBranches::weighSides(const Expr &condition) const {
  auto found = weights.find(condition),
       other = weights.find(Expr::negate(condition));
  if (other == weights.end())
    return std::nullopt;
  return std::pair(found == weights.end() ? 0 : found->second, other->second);
}

bool UniformBranches::isTaken(const Expr &condition) const {
  if (auto value = values.find(comparedData(condition).str());
      value != values.end())
    return holds(condition, value->second);
  auto sides = isUniform(condition) ? weighSides(condition) : std::nullopt;
  if (!sides)
    return true;
  return sides->first != sides->second ? sides->first > sides->second
                                       : condition < Expr::negate(condition);
}

bool UniformBranches::isTakenAtLeast(const Expr &condition) const {
  auto sides = weighSides(condition);
  if (!sides)
    return false;
  return sides->first != sides->second ? sides->first < sides->second
                                       : condition < Expr::negate(condition);
}
