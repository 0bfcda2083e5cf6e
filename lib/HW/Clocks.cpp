// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/Clocks.h"

#include "auspex/Support/Table.h"

#include <algorithm>

using namespace auspex;

/// Multiplies a number, if it is there, and says so in its source.
static void scale(GPU &gpu, Q id, double factor, const std::string &why) {
  const std::optional<Quantity> &old = gpu.quantity(id);
  if (!old || factor == 1)
    return;
  Quantity scaled = *old;
  scaled.value = std::clamp(old->value * factor, info(id).low, info(id).high);
  scaled.kind = SourceKind::Derived;
  scaled.source =
      formatNumber(old->value, 6) + " " + why + "; " + scaled.source;
  gpu.set(id, std::move(scaled));
}

static void setClock(GPU &gpu, Q id, double clock, const std::string &why) {
  gpu.set(id, {clock, SourceKind::Assumed, why});
}

static void addToText(GPU &gpu, const char *what, double clock) {
  gpu.clocksSet += (gpu.clocksSet.empty() ? "" : ", ") + std::string(what) +
                   " " + formatNumber(clock, 6) + " MHz";
}

static llvm::Error checkClock(Q id, double clock) {
  const QuantityInfo &limits = info(id);
  if (clock >= limits.low && clock <= limits.high)
    return llvm::Error::success();
  return makeInputError({}, "a clock of " + formatNumber(clock, 6) +
                                " MHz is out of range; it has to be between " +
                                formatNumber(limits.low, 6) + " and " +
                                formatNumber(limits.high, 6) + " MHz");
}

/// The share of \p latency that is spent behind L2, in nanoseconds, is as many
/// more cycles as the clock is higher.
static void stretchDramLatency(GPU &gpu, Q latency, double ratio,
                               const std::string &why) {
  if (!gpu.has(latency))
    return;
  double all = gpu[latency], near = std::min(all, gpu.valueOr(Q::LatencyL2, 0));
  scale(gpu, latency, (near + (all - near) * ratio) / all, why);
}

static llvm::Error setCoreClock(GPU &gpu, double clock) {
  if (llvm::Error error = checkClock(Q::SMClock, clock))
    return error;
  double before = gpu[Q::SMClock], ratio = clock / before;
  std::string why = "at " + formatNumber(before, 6) + " MHz";
  setClock(gpu, Q::SMClock, clock, "set; " + why + " as described");
  addToText(gpu, "core", clock);
  // Nothing is guaranteed above the clock that is set.
  if (gpu.has(Q::SMClockBase) && gpu[Q::SMClockBase] > clock)
    setClock(gpu, Q::SMClockBase, clock, "the clock that is set");
  scale(gpu, Q::L2Bandwidth, ratio, why);
  stretchDramLatency(gpu, Q::LatencyDram, ratio, why);
  stretchDramLatency(gpu, Q::MwpMemLd, ratio, why);
  for (Q delay : {Q::MwpDepartureDelCoal, Q::MwpDepartureDelUncoal,
                  Q::GpuperfDepartureDelay})
    scale(gpu, delay, ratio, why);
  return llvm::Error::success();
}

static llvm::Error setMemoryClock(GPU &gpu, double clock) {
  if (!gpu.has(Q::DramClock))
    return makeInputError({}, "the description of " + gpu.name +
                                  " does not say dram_clock, the memory clock "
                                  "of its bandwidths; add it there");
  if (llvm::Error error = checkClock(Q::DramClock, clock))
    return error;
  double before = gpu[Q::DramClock], ratio = clock / before;
  std::string why = "at a memory clock of " + formatNumber(before, 6) + " MHz";
  setClock(gpu, Q::DramClock, clock, "set; " + why + " as described");
  addToText(gpu, "memory", clock);
  for (Q bandwidth : {Q::DramBandwidth, Q::DramReadBandwidth,
                      Q::DramWriteBandwidth, Q::DramMixedBandwidth})
    scale(gpu, bandwidth, ratio, why);
  for (Q delay : {Q::MwpDepartureDelCoal, Q::MwpDepartureDelUncoal,
                  Q::GpuperfDepartureDelay})
    scale(gpu, delay, 1 / ratio, why);
  return llvm::Error::success();
}

llvm::Expected<GPU> auspex::atClocks(const GPU &gpu, const Clocks &clocks) {
  GPU result = gpu;
  if (clocks.coreInMHz)
    if (llvm::Error error = setCoreClock(result, *clocks.coreInMHz))
      return std::move(error);
  if (clocks.memoryInMHz)
    if (llvm::Error error = setMemoryClock(result, *clocks.memoryInMHz))
      return std::move(error);
  return result;
}
