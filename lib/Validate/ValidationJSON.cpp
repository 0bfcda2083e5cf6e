// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/ValidationReport.h"

#include "ReportTexts.h"
#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Support/Json.h"

using namespace auspex;
using llvm::StringRef;
using llvm::json::OStream;

/// Grows with every change that an older reader would misunderstand.
static constexpr int SchemaVersion = 1;

static void writeMaybe(OStream &out, StringRef key,
                       std::optional<double> value) {
  if (value)
    writeNumber(out, key, *value);
  else
    out.attribute(key, nullptr);
}

static void writeErrors(OStream &out, const ErrorStatistics &errors) {
  writeNumber(out, "mape", errors.mean);
  writeNumber(out, "median", errors.median);
  writeNumber(out, "percentile90", errors.percentile90);
  writeNumber(out, "bias", errors.bias);
}

static void writeScore(OStream &out, const ModelScore &score) {
  out.object([&] {
    out.attribute("model", score.model);
    out.attribute("predicted", static_cast<int64_t>(score.predicted));
    if (score.predicted == 0)
      return;
    writeErrors(out, score.errors);
    writeMaybe(out, "spearman", score.spearman);
    writeMaybe(out, "kendall", score.kendall);
    writeNumber(out, "pick", score.pick);
    if (score.clocks)
      writeNumber(out, "clocks", *score.clocks);
  });
}

static void writeCount(OStream &out, const CountScore &score) {
  out.object([&] {
    writeText(out, "name", score.name);
    out.attribute("launches", static_cast<int64_t>(score.launches));
    writeErrors(out, score.errors);
    writeNumber(out, "right", score.right);
  });
}

static void writeCauses(OStream &out, StringRef key,
                        llvm::ArrayRef<ValidationSet::Cause> causes) {
  out.attributeArray(key, [&] {
    for (const ValidationSet::Cause &cause : causes)
      out.object([&] {
        out.attribute("records", static_cast<int64_t>(cause.launches));
        writeText(out, "cause", cause.text);
        writeText(out, "first", placeText(cause.first));
      });
  });
}

static void writeSet(OStream &out, const Validation &validation,
                     const ValidationSet &set) {
  out.object([&] {
    writeText(out, "file", set.file);
    writeText(out, "gpu", set.gpu);
    if (!set.kernel.empty())
      writeText(out, "kernel", set.kernel);
    out.attribute("records", static_cast<int64_t>(set.launches.size()));
    out.attributeArray("scores", [&] {
      for (const ModelScore &score : set.scores)
        writeOnOneLine(out, [&](OStream &line) { writeScore(line, score); });
    });
    out.attributeArray("counts", [&] {
      for (const CountScore &score : set.counts)
        writeOnOneLine(out, [&](OStream &line) { writeCount(line, score); });
    });
    // By their position among the records.
    out.attributeArray("worst", [&] {
      for (const ValidatedLaunch *launch : set.worst)
        out.value(launch - validation.launches.data());
    });
    writeCauses(out, "expected", set.expected);
    writeCauses(out, "notPredicted", set.notPredicted);
  });
}

static void writeTime(OStream &out, const ModelTime &time, StringRef model) {
  out.object([&] {
    out.attribute("model", model);
    writeNumber(out, "timeInUs", time.timeInUs, "timeRangeInUs",
                time.timeRangeInUs);
    if (!time.problem.empty())
      writeText(out, "problem", time.problem);
  });
}

static void writeRecord(OStream &out, const Validation &validation,
                        const ValidatedLaunch &launch) {
  const MeasuredLaunch &measured = launch.measured;
  out.object([&] {
    writeText(out, "file", measured.place.file);
    out.attribute("line", measured.place.line);
    writeText(out, "gpu", measured.gpu);
    writeText(out, "kernel", measured.kernel);
    writeDim3(out, "grid", measured.launch.grid);
    writeDim3(out, "block", measured.launch.block);
    if (measured.clocks.coreInMHz)
      writeNumber(out, "coreInMHz", *measured.clocks.coreInMHz);
    if (measured.clocks.memoryInMHz)
      writeNumber(out, "memoryInMHz", *measured.clocks.memoryInMHz);
    writeNumber(out, "measuredInUs", measured.measuredInUs);
    if (!launch.problem.empty())
      return writeText(out, "problem", launch.problem);
    out.attribute("counts", toString(launch.counts));
    out.attribute("limiter", launch.limiter);
    out.attributeArray("times", [&] {
      for (size_t i = 0; i < launch.times.size(); ++i)
        writeTime(out, launch.times[i], validation.models[i]);
    });
    if (launch.counted.empty())
      return;
    out.attributeArray("counted", [&] {
      for (const CountPair &count : launch.counted)
        out.object([&] {
          writeText(out, "name", count.name);
          writeNumber(out, "predicted", count.pair.predicted);
          writeNumber(out, "measured", count.pair.measured);
        });
    });
  });
}

void auspex::writeValidationJSON(const Validation &validation,
                                 llvm::raw_ostream &os) {
  OStream out(os, 2);
  out.object([&] {
    out.attribute("schemaVersion", SchemaVersion);
    out.attributeArray("models", [&] {
      for (const std::string &model : validation.models)
        out.value(model);
    });
    out.attributeArray("sets", [&] {
      for (const ValidationSet &set : validation.sets)
        writeSet(out, validation, set);
    });
    out.attributeArray("records", [&] {
      for (const ValidatedLaunch &launch : validation.launches)
        writeOnOneLine(
            out, [&](OStream &line) { writeRecord(line, validation, launch); });
    });
  });
  os << '\n';
}
