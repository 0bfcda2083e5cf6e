// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What windows of a launch touch: some blocks, some iterations, some accesses,
/// object by object.
#ifndef AUSPEX_LIB_MODEL_WINDOWFOOTPRINTS_H
#define AUSPEX_LIB_MODEL_WINDOWFOOTPRINTS_H

#include "auspex/Footprint/AccessFamily.h"
#include "auspex/Kernel/BoundKernel.h"

#include <map>

namespace auspex {

/// Bytes by object of the kernel, in its order.
using Bytes = std::vector<double>;

/// Which accesses a footprint is of; an atomic reads and writes.
enum class Kinds { LoadsThroughL1, Reads, Writes };

/// Which iterations are looked at: of the loops down to depth `cutLoops` the
/// middle one, but of the innermost of these `count`, aligned to a multiple of
/// it; of loops inside of them, all.
struct Iterations {
  unsigned cutLoops = 0;
  int64_t count = 1;

  Interval cut(unsigned depth, Interval all) const;
  bool operator==(const Iterations &) const = default;
};

/// A part of the launch that is looked at as one.
struct Window {
  llvm::SmallVector<BlockBox, 5> blocks;
  Iterations iterations{};
};

/// What a group of accesses runs in: the innermost loop that is cut, or -1, and
/// the number of the part of the code.
struct CodePlace {
  int loop = -1;
  unsigned part = 0;

  auto operator<=>(const CodePlace &) const = default;
};

/// Accesses to one object at one place, in a window.
struct GroupFootprint {
  int object = 0;
  CodePlace place;
  /// In normal form for sectors.
  AddressSet set;
  /// How often the accesses run, lane by lane: in the window and in the launch;
  /// and what they ask for in that.
  double executions = 0, lanes = 0, sectors = 0, lines = 0;
  /// How many units of which size it has, where they were counted.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 2> units;
};
using Footprint = std::vector<GroupFootprint>;

/// Counts footprints of those objects of a kernel of which the addresses are
/// known, but for those of few lanes: these are taken to find nothing.
class WindowFootprints {
public:
  WindowFootprints(const BoundKernel &kernel, int64_t sector);

  /// False from the start if addresses are unknown, and from when on something
  /// could not be counted.
  bool isKnown(int object) const { return known[object]; }
  const std::vector<bool> &knownObjects() const { return known; }
  /// Takes the objects that each lane picks from by data for unknown from now
  /// on: which places are picked more than once is not known.
  void forgetPicked();
  /// Forgets that windows could not be counted which nobody needs.
  void restoreKnown(std::vector<bool> before) { known = std::move(before); }

  /// Windows of iterations from small to large, all of them at last: 1, 2, 4
  /// ... of the innermost loops, then of the loops around.
  std::vector<Iterations> windowsOfIterations() const;

  /// The most accesses to one object.
  size_t mostAccesses() const;

  /// Some windows that differ by their blocks alone, and what was found of them
  /// for all kinds and groups of accesses.
  class View {
  public:
    explicit View(std::vector<Window> windows) : windows(std::move(windows)) {}

    const Iterations &iterations() const { return windows.front().iterations; }

  private:
    friend class WindowFootprints;

    /// What the access of a shape touches in a window, if its constant is 0, in
    /// normal form for sectors, and how often it runs there; nothing if that
    /// takes too many strided accesses.
    struct Alone {
      AddressSet set;
      std::optional<double> executions;
      bool isKnown = false;
    };
    std::vector<Window> windows;
    /// Shape by shape, of those that were asked for.
    std::vector<Alone> shapes;

    /// Strided accesses in all of the sets.
    size_t size = 0;

    Alone &at(unsigned shape, size_t window) {
      return shapes[shape * windows.size() + window];
    }
    void forgetAll() {
      shapes.assign(shapes.size(), {});
      size = 0;
    }
  };

  /// What each window touches, by so many \p accesses to each object, one after
  /// the other in the code, as many again that store to it; by all if 0. The
  /// groups are the same, in the same order, for all windows that cut the same
  /// loops. Units of \p sizes bytes, multiples of the sector, are counted
  /// together.
  std::vector<Footprint> ofEach(View &view, Kinds kinds,
                                llvm::ArrayRef<int64_t> sizes,
                                unsigned accesses = 0);

  /// The same by all accesses of each innermost loop, whatever the windows cut.
  std::vector<Footprint> ofEachByLoop(View &view, Kinds kinds,
                                      llvm::ArrayRef<int64_t> sizes);

  /// The same for a single window.
  Footprint of(View &view, Kinds kinds, llvm::ArrayRef<int64_t> sizes,
               unsigned accesses = 0) {
    return std::move(ofEach(view, kinds, sizes, accesses).front());
  }

  /// What the launch would touch if every part of it were like the windows, in
  /// the mean, and shared nothing with the others, in units of \p unit bytes,
  /// which is a multiple of the sector. What runs in no window is taken to
  /// touch nothing twice.
  Bytes scaled(llvm::MutableArrayRef<Footprint> windows, int64_t unit);

  /// The same of what the window does not share with \p before, its
  /// predecessor; \p both is the window of both.
  Bytes scaledAfter(Footprint &window, Footprint &before, Footprint &both,
                    int64_t unit);

  /// The bytes that some windows touch together, those of an object so many
  /// times (once if empty); of parts of the code one after the other, those of
  /// the one that touches most.
  double touched(llvm::ArrayRef<Footprint *> windows, int64_t unit,
                 llvm::ArrayRef<double> times = {});

private:
  struct Group {
    int object = 0;
    CodePlace place;
    /// By number of the shape.
    llvm::SmallVector<std::pair<unsigned, AccessFamily>, 1> families;
    /// Of the accesses, over the launch.
    double lanes = 0, sectors = 0, lines = 0;
  };
  const BoundKernel &kernel;
  int64_t sector;
  bool allReadsGoThroughL1 = true;
  std::vector<bool> known;
  /// Of each access, the loops around it.
  std::vector<std::vector<int>> chains;
  /// Of the shapes of all patterns, one with the constant 0; and of each access
  /// with a pattern, the number of its shape.
  std::vector<AccessPattern> shapes;
  std::vector<unsigned> shapeOf;
  std::map<std::tuple<Kinds, unsigned, unsigned>, std::vector<Group>>
      knownGroups;

  unsigned numberOfShape(const AccessPattern &pattern);
  /// Around any access.
  unsigned mostLoops() const;
  int64_t mostTrips(unsigned depth) const;
  const std::vector<Group> &groups(Kinds kinds, unsigned cutLoops,
                                   unsigned accesses);
  std::vector<Group> makeGroups(Kinds kinds, unsigned cutLoops,
                                unsigned accesses) const;
  std::vector<Footprint> ofGroups(const std::vector<Group> &all, View &view,
                                  llvm::ArrayRef<int64_t> sizes);
  void lookAt(const Group &group, View &view) const;
  void lookAtShape(unsigned shape, View &view) const;
  bool collect(const Group &group, View &view, size_t window,
               GroupFootprint &footprint) const;
  static std::optional<int64_t> shiftOf(const Group &group, View &view,
                                        size_t window);
  double unitsAsked(const GroupFootprint &group, int64_t unit) const;
  int64_t count(int object, const AddressSet &set, int64_t unit);
  int64_t count(GroupFootprint &group, int64_t unit);
};

} // namespace auspex

#endif
