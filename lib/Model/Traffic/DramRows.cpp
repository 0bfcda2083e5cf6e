// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../OperationalStations.h"
#include "Caches.h"
#include "TrafficCount.h"
#include "TrafficWindows.h"

#include <algorithm>

using namespace auspex;

/// How many sectors of a line stores write in a wave, object by object; 0 where
/// the addresses are not known.
static Bytes sectorsOfStoredLines(const TrafficCount &count) {
  const BoundKernel &kernel = count.kernel;
  const int64_t sector = count.sector;
  Bytes result(kernel.objects.size(), 0);
  WindowFootprints ofWave(kernel, sector);
  ofWave.forgetPicked();
  Wave wave = middleWave(kernel, count.gpu, count.active);
  WindowFootprints::View view(
      {Window{blocksInOrder(kernel.shape.grid, wave.first, wave.blocks)}});
  Footprint written = ofWave.of(view, Kinds::Writes, {LineInBytes, sector});
  Bytes inLines = ofWave.scaled(written, LineInBytes);
  Bytes inSectors = ofWave.scaled(written, sector);
  for (size_t i = 0; i < result.size(); ++i)
    if (ofWave.isKnown(i) && inLines[i] > 0)
      result[i] = static_cast<double>(LineInBytes) /
                  static_cast<double>(sector) * inSectors[i] / inLines[i];
  return result;
}

/// The bytes of sectors that are written in part: each of them lacks a word at
/// least, which bounds their number.
static double storedInPart(const ObjectTraffic &object, const GPU &gpu) {
  if (object.dramStoreInBytes == 0)
    return 0;
  double lacking = 1 - object.usefulStoreInBytes / object.dramStoreInBytes;
  double words = gpu[Q::Sector] / MemoryGranularity::BankInBytes;
  return object.dramStoreInBytes * std::clamp(lacking * words, 0.0, 1.0);
}

void auspex::fillPartialSectors(TrafficCount &count) {
  const GPU &gpu = count.gpu;
  double fill = gpu.valueOr(Q::PartialWriteFill, 0);
  for (ObjectTraffic &object : count.traffic.objects)
    object.dramLoadInBytes =
        std::max(object.dramLoadInBytes, storedInPart(object, gpu) * fill);
}

void auspex::openRows(TrafficCount &count) {
  const BoundKernel &kernel = count.kernel;
  const GPU &gpu = count.gpu;
  MemoryTraffic &traffic = count.traffic;
  std::optional<double> random = gpu.find(Q::DramRandomRate);
  std::optional<double> partial = gpu.find(Q::DramPartialRate);
  if (!random && !partial)
    return;
  double bandwidth =
      dramBandwidth(gpu, traffic.sum(&ObjectTraffic::dramLoadInBytes),
                    traffic.sum(&ObjectTraffic::dramStoreInBytes));
  double fill = gpu.valueOr(Q::PartialWriteFill, 0);
  auto idle = [&](double lines, std::optional<double> rate, double moved) {
    return rate ? std::max(0.0, lines * bandwidth / *rate - moved) : 0;
  };
  Bytes sectorsOfLine;
  for (size_t i = 0; i < kernel.objects.size(); ++i) {
    ObjectTraffic &object = traffic.objects[i];
    object.dramIdleInBytes =
        idle(count.linesLoadedInNoOrder[i], random, object.dramLoadInBytes);
    double inPart = storedInPart(object, gpu), filled = inPart * fill;
    // Loads whose sectors are stored to have no row to open of their own.
    if (double read = object.dramLoadInBytes * gpu[Q::Sector]; read > 0)
      object.dramIdleInBytes *=
          1 - std::min(1.0, filled * static_cast<double>(count.fetch) / read);
    if (object.dramStoreInBytes == 0 || (inPart == 0 && object.isKnown))
      continue;
    if (sectorsOfLine.empty())
      sectorsOfLine = sectorsOfStoredLines(count);
    bool isKnown = sectorsOfLine[i] > 0;
    double linesOfSector =
        isKnown ? 1 / sectorsOfLine[i]
                : linesInNoOrder(kernel, i, AccessKind::Load, count.sector);
    double ofParts =
        idle(inPart / gpu[Q::Sector] * linesOfSector, partial, inPart + filled);
    double inNoOrder =
        isKnown ? 0
                : idle(object.dramStoreInBytes / gpu[Q::Sector] * linesOfSector,
                       random, object.dramStoreInBytes);
    object.dramIdleInBytes += std::max(ofParts, inNoOrder);
  }
}
