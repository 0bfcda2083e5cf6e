// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a level of memory passes on to the next, by the windows in which data
/// are used again.
#ifndef AUSPEX_LIB_MODEL_CACHELEVEL_H
#define AUSPEX_LIB_MODEL_CACHELEVEL_H

#include "Caches.h"
#include "WindowFootprints.h"
#include "auspex/Model/MemoryTraffic.h"

#include <cmath>
#include <numeric>

namespace auspex {

/// The share of reused bytes that has left a cache before it is used again,
/// when the window of the reuse touches \p fill times the capacity: from 0 for
/// small windows to `most`, half of it at `half`.
///
/// Fitted to the L2 and DRAM volumes that Ernst et al. measured for a 13-point
/// stencil with folds of 1, 2 and 4 in 30 block sizes on a V100
/// (utils/fit-miss-curves.py); utils/accuracy.py compares with them and with a
/// 25-point stencil.
struct MissCurve {
  double most, half, steepness;

  double operator()(double fill) const {
    return fill > 0 ? most / (1 + std::pow(half / fill, steepness)) : 0;
  }
};

/// Warps of a block, side by side, and iterations and loops of what all blocks
/// load alike.
inline constexpr MissCurve L1Curve{0.68, 2.36, 2.74};
/// Blocks of a wave, side by side.
inline constexpr MissCurve L2Curve{0.49, 2.26, 2.71};
/// Of L2, waves, iterations and loops, one after the other: as good as least
/// recently used.
inline constexpr MissCurve WavesCurve{1, 1.29, 4.9};
/// Of L1, iterations and loops of what a block has to itself: a part of it
/// stays. Fitted to gpu-benches gpu-cache on a V100, in bytes from L2; the
/// times on A100, A40, L40 and H100 agree.
inline constexpr MissCurve TurnsCurve{1, 1.62, 14};
/// Of all of L2, a launch after an equal one; and where L2 has two halves,
/// which have copies of what their SMs ask of the other one. Fitted to
/// gpu-benches gpu-small-kernels on A40 and L40, and on A100 and GH200.
inline constexpr MissCurve LaunchesCurve{1, 1.13, 7};
constexpr double KeptByHalves = 0.88;
inline constexpr MissCurve HalvedLaunchesCurve{1, KeptByHalves, 6};
/// The same of what blocks have to themselves and read again, without copies.
/// Fitted to windows of L2 on an H100 and an H200 (utils/measure, reuse.cu).
inline constexpr MissCurve OwnCurve{1, KeptByHalves, 25};

/// What is missed of an equal launch before, against all of L2. Within a launch
/// SMs of both halves ask for the same; between launches an SM has its own
/// data.
inline const MissCurve &curveBetweenLaunches(const GPU &gpu) {
  return isL2Halved(gpu) ? HalvedLaunchesCurve : LaunchesCurve;
}

/// What moves if a window keeps all that it touches.
struct WindowStep {
  std::string name;
  Bytes read, written;
  double fill = 0;
  /// Of L2: its reuse is of what an earlier iteration or loop had.
  bool isInTurns = false;

  /// The iterations and accesses of a window stand for all others, but may lie
  /// better than these. Nothing moves less than in \p larger windows.
  void limitBy(const WindowStep &larger) {
    for (size_t i = 0; i < read.size(); ++i) {
      read[i] = std::max(read[i], larger.read[i]);
      written[i] = std::max(written[i], larger.written[i]);
    }
  }
};

/// What a level of memory passes on: reuse comes in steps, from small windows
/// to large ones.
class CacheLevel {
public:
  CacheLevel(Bytes requested, std::vector<ReuseStep> *steps)
      : inWindow(requested), left(requested), missed(requested.size(), 0),
        steps(steps) {}

  /// The window of \p after is large enough for all reuse inside of it; it
  /// touches \p fill times the capacity. Only a \p share of the launch has such
  /// a window.
  void step(llvm::StringRef window, const Bytes &after, double fill,
            const MissCurve &curve, double share = 1) {
    double missRate = curve(fill);
    stepOfEach(window, after, fill, share, [&](size_t) { return missRate; });
  }

  /// The same where the objects have miss rates of their own.
  void stepOfEach(llvm::StringRef window, const Bytes &after, double fill,
                  double share, llvm::function_ref<double(size_t)> missRateOf) {
    ReuseStep step{window.str(), sum(left), 0, fill, 1};
    double reusedOfAll = 0, missedOfAll = 0;
    for (size_t i = 0; i < left.size(); ++i) {
      double less = std::min(inWindow[i], after[i]);
      double reused = share * (inWindow[i] - less);
      double missedHere = missRateOf(i) * reused;
      missed[i] += missedHere;
      left[i] -= reused;
      inWindow[i] = less;
      reusedOfAll += reused;
      missedOfAll += missedHere;
    }
    if (reusedOfAll > 0)
      step.hitRate = 1 - missedOfAll / reusedOfAll;
    else if (!left.empty())
      step.hitRate = 1 - missRateOf(0);
    step.afterInBytes = sum(left);
    if (steps)
      steps->push_back(std::move(step));
  }

  Bytes passedOn() const {
    Bytes bytes = left;
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] += missed[i];
    return bytes;
  }

private:
  /// What moves if everything is kept: if all of the launch had the windows,
  /// and with those it has.
  Bytes inWindow, left;
  Bytes missed;
  std::vector<ReuseStep> *steps;

  static double sum(const Bytes &bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
  }
};

} // namespace auspex

#endif
