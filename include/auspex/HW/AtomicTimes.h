// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long an SM's unit for atomics on shared memory takes: the table T(n, e,
/// c) of R. Dong, S. Pai, "Modeling utilization to identify shared-memory
/// atomic bottlenecks", GPGPU 2025, section 3.2. n warp instructions (jobs) are
/// issued at once, e serial passes each, c of them compare-and-swap; T is the
/// SM cycles from the first start to the last end.
#ifndef AUSPEX_HW_ATOMICTIMES_H
#define AUSPEX_HW_ATOMICTIMES_H

#include "auspex/Support/Document.h"

namespace auspex {

/// A table that was sampled at some n, e and c.
class AtomicTimes {
public:
  /// The most serial passes of a job, one a lane, and the most jobs at once.
  static constexpr double MostPasses = 32, MostJobs = 2048;

  /// Reads {passes: [1, ..., 32], rows: [[n, c, T at each e], ...]}: n and, for
  /// one n, c ascend; c is 0 alone, or goes from 0 to n for every n. The error
  /// names the place.
  static llvm::Expected<AtomicTimes> read(const Node &node);

  /// T by linear interpolation (Eq. 1 and 2), 0 where \p jobs is. The grid is a
  /// triangle, c <= n, so that it is interpolated along c / n, and then in n.
  /// Beyond the last n the service time T / n stays. \p passes is in [1, 32],
  /// \p casShare, c / n, in [0, 1].
  double cycles(double jobs, double passes, double casShare) const;

  double mostJobs() const { return levels.back().jobs; }
  bool knowsCas() const { return levels.back().rows.size() > 1; }
  /// "4 rows, 1 to 64 jobs".
  std::string text() const;

private:
  struct Row {
    double casShare = 0;
    std::vector<double> cycles;
  };
  /// The rows of one n.
  struct Level {
    double jobs = 0;
    std::vector<Row> rows;
  };
  std::vector<double> passes;
  std::vector<Level> levels;

  llvm::Error readPasses(const Node &node);
  llvm::Error readRow(const Node &node);
  double at(const Level &level, double e, double casShare) const;
};

} // namespace auspex

#endif
