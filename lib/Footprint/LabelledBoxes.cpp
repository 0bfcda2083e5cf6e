// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/LabelledBoxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace auspex;

namespace {
/// Cuts space into slabs, at the beginnings and ends of boxes, one dimension
/// after the other; what covers a slab covers all of it.
class Sweep {
public:
  explicit Sweep(llvm::MutableArrayRef<int64_t> counts) : counts(counts) {}

  using Boxes = llvm::SmallVector<const LabelledBox *, 32>;

  /// \p weight is how many points each point of the remaining dimensions
  /// stands for.
  void run(const Boxes &active, size_t dimension, int64_t weight) {
    llvm::SmallVector<int64_t, 64> cuts;
    for (const LabelledBox *box : active) {
      cuts.push_back(box->range[dimension].low);
      cuts.push_back(box->range[dimension].high + 1);
    }
    // With a comparison it is std::sort, not qsort.
    llvm::sort(cuts, std::less<>());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    Boxes inside, before;
    int64_t points = 0;
    // Neighbouring slabs of the same boxes are one.
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      inside.clear();
      for (const LabelledBox *box : active)
        if (box->range[dimension].contains(cuts[i]))
          inside.push_back(box);
      if (inside != before) {
        finish(before, dimension, weight * points);
        before.swap(inside);
        points = 0;
      }
      points += cuts[i + 1] - cuts[i];
    }
    finish(before, dimension, weight * points);
  }

private:
  llvm::MutableArrayRef<int64_t> counts;

  void finish(const Boxes &inside, size_t dimension, int64_t weight) {
    if (inside.empty())
      return;
    if (dimension > 0)
      return run(inside, dimension - 1, weight);
    unsigned labels = 0;
    for (const LabelledBox *box : inside)
      labels |= box->labels;
    counts[labels] += weight;
  }
};
} // namespace

void auspex::countByLabels(llvm::ArrayRef<LabelledBox> boxes,
                           llvm::MutableArrayRef<int64_t> counts) {
  Sweep::Boxes all;
  for (const LabelledBox &box : boxes)
    if (llvm::all_of(box.range,
                     [](const Interval &i) { return i.low <= i.high; }))
      all.push_back(&box);
  Sweep(counts).run(all, std::tuple_size_v<decltype(LabelledBox::range)> - 1,
                    1);
}
