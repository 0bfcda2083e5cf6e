// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Support/Json.h"

using namespace auspex;
using llvm::StringRef;
using llvm::json::OStream;

static void writeTime(OStream &out, StringRef time, StringRef range,
                      const KernelRecord *record) {
  if (record)
    writeNumber(out, time, record->timeInUs, range, record->timeRangeInUs);
}

static void writeTexts(OStream &out, StringRef key,
                       const std::vector<std::string> &texts) {
  out.attributeArray(key, [&] {
    for (const std::string &text : texts)
      writeText(out, text);
  });
}

static void writeCause(OStream &out, const Cause &cause) {
  out.object([&] {
    out.attribute("id", cause.id);
    if (!cause.remark.empty())
      out.attribute("remark", cause.remark);
    writePlace(out, cause.location);
    writeText(out, "message", cause.message);
    if (cause.costInUs)
      writeNumber(out, "costInUs", *cause.costInUs);
  });
}

static void writeComparison(OStream &out, const Comparison &comparison) {
  const KernelRecord &record = comparison.any();
  out.object([&] {
    out.attribute("verdict", toString(comparison.verdict));
    writeText(out, "kernel", record.kernel);
    writeText(out, "demangled", record.demangled);
    out.attribute("gpu", record.gpu);
    writeDim3(out, "grid", record.launch.grid);
    writeDim3(out, "block", record.launch.block);
    SourceLocation location = comparison.location();
    writePlace(out, location);
    writeTime(out, "baseTimeInUs", "baseTimeRangeInUs", comparison.pair.base);
    writeTime(out, "headTimeInUs", "headTimeRangeInUs", comparison.pair.head);
    if (comparison.growthInUs)
      writeNumber(out, "growthInUs", *comparison.growthInUs);
    if (comparison.growth)
      writeNumber(out, "growthInPercent", 100 * *comparison.growth);
    out.attribute("fingerprint", fingerprintOf(comparison));
    writeTexts(out, "differences", comparison.differences);
    writeTexts(out, "doubts", comparison.doubts);
    out.attributeArray("causes", [&] {
      for (const Cause &cause : comparison.causes)
        writeOnOneLine(out, [&](OStream &line) { writeCause(line, cause); });
    });
    if (const AllowEntry *entry = comparison.allowance)
      out.attributeObject("allowance", [&] {
        writeNumber(out, "limitInPercent", 100 * entry->limit);
        writeText(out, "reason", entry->reason);
        out.attribute("expires", entry->expires.str());
      });
  });
}

void auspex::writeGateJSON(const GateResult &result, llvm::raw_ostream &os) {
  OStream out(os, 2);
  out.object([&] {
    out.attribute("schemaVersion", GateSchemaVersion);
    out.attribute("passed", !result.trips());
    out.attributeObject("rule", [&] {
      writeNumber(out, "maxSlowdownInPercent",
                  100 * result.options.maxSlowdown);
      writeNumber(out, "minTimeInUs", result.options.minTimeInUs);
      out.attribute("strict", result.options.strict);
    });
    out.attributeObject("counts", [&] {
      for (int verdict = 0; verdict <= int(Verdict::Unchanged); ++verdict)
        out.attribute(toString(Verdict(verdict)),
                      static_cast<int64_t>(result.count(Verdict(verdict))));
    });
    out.attributeArray("launches", [&] {
      for (const Comparison &comparison : result.comparisons)
        writeComparison(out, comparison);
    });
    writeTexts(out, "notes", result.notes);
  });
  os << '\n';
}
