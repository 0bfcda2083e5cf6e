// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/SweepReport.h"

#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Support/Json.h"

using namespace auspex;
using llvm::json::OStream;

/// Of a Prediction or of a configuration.
template <typename T> static void writeTime(OStream &out, const T &timed) {
  writeNumber(out, "timeInUs", timed.timeInUs, "timeRangeInUs",
              timed.timeRangeInUs);
}

static void writeBase(OStream &out, const Prediction &base) {
  out.object([&] {
    writeLaunch(out, base.launch);
    writeTime(out, base);
    out.attribute("limiter", base.limiter);
    writeNumber(out, "shareOfLimit", base.shareOfLimit);
  });
}

static void writeConfiguration(OStream &out, const SweepReport &sweep,
                               const RankedConfiguration &configuration,
                               size_t rank) {
  out.object([&] {
    out.attribute("rank", static_cast<int64_t>(rank));
    writeLaunch(out, sweep.space.at(configuration.number));
    writeTime(out, configuration);
    const std::optional<double> &base = sweep.result.base.timeInUs;
    if (base && configuration.timeInUs)
      writeNumber(out, "relativeToBase", *configuration.timeInUs / *base);
    out.attribute("limiter", configuration.limiter);
    writeNumber(out, "shareOfLimit", configuration.shareOfLimit);
    out.attribute("activeBlocksPerSM", configuration.activeBlocksPerSM);
    out.attribute("activeWarpsPerSM", configuration.activeWarpsPerSM);
    writeNumber(out, "occupancy", configuration.occupancy);
    writeNumber(out, "l2LoadInBytes", configuration.l2LoadInBytes);
    writeNumber(out, "l2StoreInBytes", configuration.l2StoreInBytes);
    writeNumber(out, "dramLoadInBytes", configuration.dramLoadInBytes);
    writeNumber(out, "dramStoreInBytes", configuration.dramStoreInBytes);
  });
}

static void writeImpossible(OStream &out, const SweepReport &sweep,
                            const ImpossibleConfiguration &configuration) {
  out.object([&] {
    writeLaunch(out, sweep.space.at(configuration.number));
    writeText(out, "reason", configuration.reason);
  });
}

static void writeSentences(OStream &out, const SweepReport &sweep) {
  out.attributeArray("assumptions", [&] {
    const Prediction &base = sweep.result.base;
    for (const auto *sentences :
         {&base.unknowns, &sweep.result.assumptions, &base.assumptions})
      for (const std::string &sentence : *sentences)
        writeText(out, sentence);
  });
}

static void writeSweep(OStream &out, const SweepReport &sweep) {
  const SweepResult &result = sweep.result;
  out.object([&] {
    writeText(out, "kernel", result.base.kernel);
    writeText(out, "demangled", result.base.demangled);
    out.attribute("gpu", result.base.gpu);
    writeText(out, "gpuProvenance", result.base.gpuProvenance);
    out.attributeBegin("base");
    writeOnOneLine(out, [&](OStream &line) { writeBase(line, result.base); });
    out.attributeEnd();
    out.attribute("possibleCount", static_cast<int64_t>(result.possibleCount));
    out.attribute("impossibleCount",
                  static_cast<int64_t>(result.impossibleCount));
    out.attributeArray("configurations", [&] {
      size_t rank = 0;
      for (const RankedConfiguration &configuration : result.ranked)
        writeOnOneLine(out, [&](OStream &line) {
          writeConfiguration(line, sweep, configuration, ++rank);
        });
    });
    // Where only the top was asked for, the first of each kind stands for all.
    out.attributeArray("impossible", [&] {
      for (const ImpossibleConfiguration &configuration : result.impossible)
        writeOnOneLine(out, [&](OStream &line) {
          writeImpossible(line, sweep, configuration);
        });
      if (result.impossible.empty())
        for (const ImpossibleGroup &group : result.groups)
          writeOnOneLine(out, [&](OStream &line) {
            writeImpossible(line, sweep, group.first);
          });
    });
    writeSentences(out, sweep);
  });
}

void auspex::writeSweepsJSON(llvm::ArrayRef<SweepReport> sweeps,
                             llvm::raw_ostream &os) {
  OStream out(os, 2);
  out.object([&] {
    out.attribute("schemaVersion", SweepsSchemaVersion);
    out.attributeArray("sweeps", [&] {
      for (const SweepReport &sweep : sweeps)
        writeSweep(out, sweep);
    });
  });
  os << '\n';
}
