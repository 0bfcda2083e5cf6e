// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The configurations that a sweep goes through: one launch of a kernel in
/// blocks of many sizes and with many values of its arguments.
///
/// Ranges are written as
///
///   32,64,96       these values
///   1..10          1 to 10
///   1..10:2        1, 3, 5, 7, 9
///   1..1024:pow2   the powers of 2 from 1 to 1024
///
/// and lists of such. Values are sorted and each counts once.
#ifndef AUSPEX_SEARCH_SPACE_H
#define AUSPEX_SEARCH_SPACE_H

#include "auspex/Kernel/LaunchConfig.h"
#include "auspex/Support/Error.h"

namespace auspex {

/// The most configurations of a space, and the most values of a range.
constexpr uint64_t MaxConfigurations = 1 << 24;

/// Reads a range. An error for one without values or with too many.
llvm::Expected<std::vector<int64_t>> parseRange(llvm::StringRef text,
                                                const Place &place);

/// Reads "x=1..1024:pow2,y=1,2,4,threads=256..1024": the blocks whose sides are
/// among the values and whose threads are. A side that is not named is 1;
/// threads are restricted by nothing if they are not. In ascending order of z,
/// then y, then x. An error for sides below 1, and if no block is left.
llvm::Expected<std::vector<Dim3>> parseBlocks(llvm::StringRef text,
                                              const Place &place);

/// The values one argument takes.
struct ArgumentRange {
  /// "arg2"; before the kernel is known, "n".
  std::string name;
  std::vector<int64_t> values;
};

/// Reads "n=1024..4096:1024".
llvm::Expected<ArgumentRange> parseArgumentRange(llvm::StringRef text,
                                                 const Place &place);

/// How grid and dynamic shared memory follow from the rest of a launch:
/// expressions in ntid.x, ntid.y, ntid.z and the integer arguments, by symbol
/// once a space is made of them. Without one, the grid has as few blocks as
/// cover the threads of the base launch, and shared memory is the base's.
struct LaunchRules {
  std::optional<std::array<Expr, 3>> grid;
  std::optional<Expr> shared;
};

/// Reads "x=(n + ntid.x - 1)/ntid.x,y=m"; a side that is not named is 1.
llvm::Expected<std::array<Expr, 3>> parseGridRule(llvm::StringRef text,
                                                  const Place &place);
/// Reads "8*ntid.x + 64".
llvm::Expected<Expr> parseRule(llvm::StringRef text, const Place &place);

/// Configurations by number, from 0.
class SweepSpace {
public:
  /// \p base is complete (completeLaunch); what does not vary stays as it is
  /// there. No \p blocks: those of the base. An error for an argument the
  /// kernel does not have, one that is given twice, a value that does not fit,
  /// one that a rule needs and nobody states, and for too many configurations.
  static llvm::Expected<SweepSpace> create(const KernelSummary &summary,
                                           LaunchConfig base,
                                           std::vector<Dim3> blocks,
                                           std::vector<ArgumentRange> arguments,
                                           LaunchRules rules = {});

  uint64_t size() const { return count; }
  const LaunchConfig &base() const { return baseLaunch; }
  bool hasGridRule() const { return rules.grid.has_value(); }
  bool variesBlocks() const { return !sizes.empty(); }
  /// By symbol.
  llvm::ArrayRef<ArgumentRange> arguments() const { return ranges; }

  /// The launch of one configuration. The block varies fastest, then the last
  /// argument. Grid and shared memory are by the rules, 0 where ruleProblem
  /// says that there is none.
  LaunchConfig at(uint64_t number) const;
  /// What is wrong with the rules for \p launch, a configuration: one has no
  /// value (it divides by 0, or exceeds 64 bits), or there are fewer than 0 B
  /// of shared memory.
  std::optional<LaunchProblem> ruleProblem(const LaunchConfig &launch) const;

private:
  LaunchConfig baseLaunch;
  std::vector<Dim3> sizes;
  std::vector<ArgumentRange> ranges;
  LaunchRules rules;
  uint64_t count = 0;
};

/// What keeps a configuration from being predicted on \p gpu: launchProblem, or
/// too many threads to count.
std::optional<LaunchProblem> configurationProblem(const LaunchConfig &launch,
                                                  const KernelSummary &summary,
                                                  const GPU &gpu);

} // namespace auspex

#endif
