// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long a launch takes: by events, until the median is known well enough.
#ifndef AUSPEX_MEASURE_STOPWATCH_H
#define AUSPEX_MEASURE_STOPWATCH_H

#include "Nvml.h"
#include "measure.h"

#include <functional>

namespace measure {

struct Timing {
  /// Of a launch, in ms: the median, and between which two lie eight of ten.
  double median = 0, low = 0, high = 0;
  size_t samples = 0;
  /// The median of the clocks while it ran, where they are known.
  std::optional<ClocksInMHz> clocks;
};

class Stopwatch {
public:
  Stopwatch(const Session &session, const Nvml &nvml);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  /// Warms up, then takes samples until the median is within about half a
  /// percent, for 0.1 to 2 seconds. A sample is one launch, after what L2 holds
  /// was replaced, or \p inARow of them. \p afterSample is called after each.
  Timing time(const std::function<void()> &launch, int inARow,
              const std::function<void()> &afterSample);

private:
  const Nvml &nvml;
  int flushBlocks;
  size_t flushed;
  Array<float4> other;
  Array<float> sum;
  cudaEvent_t start = nullptr, stop = nullptr;

  struct Sample {
    double inMs;
    std::optional<ClocksInMHz> clocks;
  };
  Sample sample(const std::function<void()> &launch, int inARow) const;
};

} // namespace measure

#endif
