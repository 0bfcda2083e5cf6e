// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which ways warps go at branches that hang on data: one way each, the
/// heaviest, if their lanes agree; the lightest if as little as possible is
/// done.
#ifndef AUSPEX_LIB_KERNEL_UNIFORMBRANCHES_H
#define AUSPEX_LIB_KERNEL_UNIFORMBRANCHES_H

#include "SharedBinding.h"

#include <map>
#include <optional>
#include <utility>

namespace auspex {

class UniformBranches {
public:
  explicit UniformBranches(SharedBinding &shared);

  /// Whether a warp is expected to take the side of a branch that runs where \p
  /// condition, a bracket that is open and simplified, holds: not if it is one
  /// of several of which another has more to do.
  bool isTaken(const Expr &condition) const;

  /// Whether that side is taken if as little as possible is done: if the other
  /// one has more to do. Nothing is where there is no other side.
  bool isTakenAtLeast(const Expr &condition) const;

private:
  SharedBinding &shared;
  /// Of open conditions, the code that runs if they hold.
  std::map<Expr, double> weights;
  /// Of data that are only compared with numbers, as a switch does, the one
  /// that they are expected to be.
  std::map<std::string, int64_t> values;

  bool isUniform(const Expr &condition) const;
  std::optional<std::pair<double, double>>
  weighSides(const Expr &condition) const;
  void chooseValues(llvm::ArrayRef<double> weightOfBlock);
};

} // namespace auspex

#endif
