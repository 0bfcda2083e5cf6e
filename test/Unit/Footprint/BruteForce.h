// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every thread and every iteration one by one: what the Footprint room is
/// compared with.
#ifndef AUSPEX_TEST_FOOTPRINT_BRUTEFORCE_H
#define AUSPEX_TEST_FOOTPRINT_BRUTEFORCE_H

#include "auspex/Footprint/IterationDomain.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <functional>
#include <random>

namespace auspex::test {

inline Expr parse(llvm::StringRef text) {
  return llvm::cantFail(Expr::parse(text));
}

/// Calls \p visit for every warp, block and iteration with at least one active
/// lane, with the offsets of the active lanes (0 elsewhere).
inline void forEachRequest(
    const LaunchShape &shape, llvm::ArrayRef<DomainLoop> loops,
    const Expr &condition, const Expr &offset,
    const std::function<void(uint32_t, std::array<int64_t, 32>)> &visit) {
  llvm::StringMap<int64_t> values;
  auto value = [&](llvm::StringRef name) -> std::optional<int64_t> {
    auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  int64_t threads = shape.block.count();
  // The iterations of all loops up to a bound that no test exceeds.
  constexpr int64_t MaxTrips = 12;
  int64_t iterations = 1;
  for (size_t i = 0; i < loops.size(); ++i)
    iterations *= MaxTrips;
  for (int64_t block = 0; block < shape.grid.count(); ++block) {
    values["ctaid.x"] = block % shape.grid.x;
    values["ctaid.y"] = block / shape.grid.x % shape.grid.y;
    values["ctaid.z"] = block / (shape.grid.x * shape.grid.y);
    for (int64_t iteration = 0; iteration < iterations; ++iteration) {
      int64_t rest = iteration;
      for (const DomainLoop &loop : loops) {
        values[loop.counter] = rest % MaxTrips;
        rest /= MaxTrips;
      }
      for (int64_t first = 0; first < threads; first += 32) {
        uint32_t mask = 0;
        std::array<int64_t, 32> offsets{};
        for (int64_t thread = first; thread < std::min(first + 32, threads);
             ++thread) {
          auto index = shape.threadIndex(thread);
          values["tid.x"] = index[0];
          values["tid.y"] = index[1];
          values["tid.z"] = index[2];
          bool active = *condition.evaluate(value) != 0;
          for (const DomainLoop &loop : loops)
            active &= values[loop.counter] < *loop.tripCount.evaluate(value);
          if (!active)
            continue;
          mask |= 1u << (thread - first);
          offsets[thread - first] = *offset.evaluate(value);
        }
        if (mask)
          visit(mask, offsets);
      }
    }
  }
}

/// Random launches, conditions and offsets.
class RandomKernel {
public:
  explicit RandomKernel(unsigned seed) : random(seed) {}

  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  template <typename T> const T &pick(const std::vector<T> &choices) {
    return choices[number(0, choices.size() - 1)];
  }

  LaunchShape shape() {
    return {{number(1, 5), number(1, 3), number(1, 2)},
            {pick<int64_t>({1, 3, 8, 16, 32, 40, 64}),
             pick<int64_t>({1, 1, 2, 5}), pick<int64_t>({1, 1, 2})}};
  }

  Expr affine(const std::vector<std::string> &symbols, int64_t size) {
    Expr sum(number(-size, size));
    for (const std::string &symbol : symbols)
      if (number(0, 1))
        sum = sum + Expr(number(-size, size)) * Expr::symbol(symbol);
    return sum;
  }

  std::vector<std::string> symbols(llvm::ArrayRef<DomainLoop> loops) {
    std::vector<std::string> names{"tid.x",   "tid.y",   "tid.z",
                                   "ctaid.x", "ctaid.y", "ctaid.z"};
    for (const DomainLoop &loop : loops)
      names.push_back(loop.counter);
    return names;
  }

  std::vector<DomainLoop> loops() {
    std::vector<DomainLoop> result;
    for (int64_t i = 0, count = number(0, 2); i < count; ++i) {
      Expr trips(number(0, 6));
      if (number(0, 2) == 0) // triangular, or different for every thread
        trips =
            Expr::min(Expr(8), Expr::max(Expr(0), affine(symbols(result), 2)));
      result.push_back({"i" + std::to_string(i), trips});
    }
    return result;
  }

  Expr condition(llvm::ArrayRef<DomainLoop> loops) {
    Expr result(1);
    for (int64_t i = 0, count = number(0, 3); i < count; ++i) {
      Expr inside = affine(symbols(loops), 20);
      Expr next = Expr::isAtLeastZero(inside);
      if (number(0, 4) == 0)
        next = Expr::isEqual(Expr::mod(inside, Expr(number(2, 5))), 0);
      if (number(0, 5) == 0)
        next = Expr::negate(next);
      result = number(0, 3) ? Expr::conjunction(result, next)
                            : Expr::disjunction(result, next);
    }
    return result;
  }

  /// Affine, or with a remainder or quotient; in bytes.
  Expr offset(llvm::ArrayRef<DomainLoop> loops) {
    Expr result = Expr(4) * affine(symbols(loops), 40);
    if (number(0, 3) == 0)
      result = result + Expr(4) * Expr::mod(affine(symbols(loops), 9),
                                            Expr(number(2, 50)));
    if (number(0, 5) == 0)
      result = result + Expr(128) * Expr::floorDiv(affine(symbols(loops), 9),
                                                   Expr(number(2, 50)));
    return result;
  }

private:
  std::mt19937 random;
};

} // namespace auspex::test

#endif
