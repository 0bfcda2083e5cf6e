// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockOrder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace auspex::emulator;

namespace {
/// Finds strongly connected components with Tarjan's algorithm, and within each
/// the components that are left without its head. Without recursion over
/// blocks: there are kernels with ten thousands of them.
class Order {
public:
  using Block = const llvm::BasicBlock *;

  /// Appends to \p reversed, last first, the blocks of \p part that are
  /// reachable from \p head; edges to \p cut do not count.
  void solve(Block head, Block cut, unsigned part,
             std::vector<Block> &reversed) {
    for (std::vector<Block> &members : components(head, cut, part)) {
      Block first = members.back();
      if (members.size() == 1) {
        reversed.push_back(first);
        continue;
      }
      // The nesting of loops bounds this recursion.
      unsigned inner = ++numParts;
      for (Block block : members)
        partOf[block] = inner;
      solve(first, first, inner, reversed);
    }
  }

private:
  static constexpr unsigned Done = ~0u;
  llvm::DenseMap<Block, unsigned> partOf;
  unsigned numParts = 0;

  /// The strongly connected components, last first; the block that each was
  /// entered by is its last.
  std::vector<std::vector<Block>> components(Block head, Block cut,
                                             unsigned part) {
    struct Visit {
      Block block;
      llvm::const_succ_iterator next, end;
    };
    std::vector<std::vector<Block>> found;
    std::vector<Visit> visits;
    std::vector<Block> open;
    unsigned time = 0;
    llvm::DenseMap<Block, unsigned> number, low;
    auto enter = [&](Block block) {
      number[block] = low[block] = ++time;
      open.push_back(block);
      visits.push_back({block, succ_begin(block), succ_end(block)});
    };
    enter(head);
    while (!visits.empty()) {
      Visit &visit = visits.back();
      if (visit.next != visit.end) {
        Block next = *visit.next;
        ++visit.next;
        if (next == cut || partOf.lookup(next) != part)
          continue;
        auto known = number.find(next);
        if (known == number.end())
          enter(next);
        else if (known->second != Done)
          low[visit.block] = std::min(low[visit.block], known->second);
        continue;
      }
      Block block = visit.block;
      visits.pop_back();
      if (!visits.empty())
        low[visits.back().block] =
            std::min(low[visits.back().block], low[block]);
      if (low[block] != number[block])
        continue;
      std::vector<Block> &members = found.emplace_back();
      do {
        members.push_back(open.back());
        number[open.back()] = Done;
        open.pop_back();
      } while (members.back() != block);
    }
    return found;
  }
};
} // namespace

std::vector<const llvm::BasicBlock *>
auspex::emulator::preferredOrder(const llvm::Function &function) {
  std::vector<const llvm::BasicBlock *> order;
  Order().solve(&function.getEntryBlock(), nullptr, 0, order);
  std::reverse(order.begin(), order.end());
  return order;
}
