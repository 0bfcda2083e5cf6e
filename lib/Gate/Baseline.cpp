// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline is YAML whose records are JSON, one a line: no line depends on the
// one before or after it, so that version control merges it as it does code.
// It holds what the gate compares and explains with, but no lines of the
// source: an edit that changes no prediction does not change it.
#include "auspex/Gate/Record.h"

#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Model/OperationalMembers.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <iterator>

using namespace auspex;
using llvm::StringRef;
using llvm::json::OStream;

/// Six digits are more than any decision needs, and survive a change in the
/// last bit of a computation.
static void writeShort(OStream &out, StringRef key, double value) {
  constexpr int Digits = 6;
  char text[32];
  auto end = std::to_chars(text, std::end(text), value,
                           std::chars_format::general, Digits)
                 .ptr;
  writeNumber(out, key,
              parseNumber(StringRef(text, end - text)).value_or(value));
}

static void writeMix(OStream &out, StringRef key, const InstructionMix &mix) {
  out.attributeObject(key, [&] {
    for (const InstructionClassInfo &info : instructionClassInfos())
      if (mix[info.id] > 0)
        writeShort(out, info.name, mix[info.id]);
  });
}

static void writeTime(OStream &out, const KernelRecord &record) {
  if (record.timeInUs)
    writeShort(out, "timeInUs", *record.timeInUs);
  else
    out.attribute("timeInUs", nullptr);
  if (record.timeRangeInUs)
    out.attributeArray("timeRangeInUs", [&] {
      writeNumber(out, record.timeRangeInUs->first);
      writeNumber(out, record.timeRangeInUs->second);
    });
}

static void writeAccess(OStream &out, const AccessVolume &access) {
  out.object([&] {
    writeIdentity(out, access);
    const RequestCounts &counts = access.counts;
    writeShort(out, "requests", counts.requests);
    if (access.space == MemorySpace::Shared)
      writeShort(out, "bankPasses", counts.bankPasses);
    else
      writeShort(out, "sectors", counts.sectors);
    if (access.kind == AccessKind::Atomic)
      writeShort(out, "sameAddress", counts.sameAddress);
  });
}

static void writeInput(OStream &out, const OperationalInput &input) {
  out.attributeObject("operational", [&] {
    visitMembers(input, [&](StringRef key, StringRef, const auto &member) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>)
        writeShort(out, key, member);
      else
        writeMix(out, key, member);
    });
  });
}

static void writeRecord(OStream &out, const KernelRecord &record) {
  out.object([&] {
    writeText(out, "kernel", record.kernel);
    writeText(out, "demangled", record.demangled);
    writeText(out, "gpu", record.gpu);
    if (!record.source.empty())
      writeText(out, "source", record.source);
    if (record.position)
      out.attribute("position", record.position);
    LaunchConfig launch = record.launch;
    launch.location = {};
    writeLaunch(out, launch);
    out.attribute("model", record.model);
    writeTime(out, record);
    out.attribute("limiter", record.limiter);
    out.attributeObject("occupancy", [&] {
      out.attribute("activeBlocksPerSM", record.activeBlocksPerSM);
      out.attribute("activeWarpsPerSM", record.activeWarpsPerSM);
      writeText(out, "limiter", record.occupancyLimiter);
      out.attribute("registers", record.registers);
    });
    out.attributeArray("accesses", [&] {
      for (const AccessVolume &access : record.accesses)
        writeAccess(out, access);
    });
    if (record.input)
      out.attributeObject("inputs", [&] { writeInput(out, *record.input); });
    out.attributeObject("coverage", [&] {
      writeShort(out, "accesses", record.coverage.accesses);
      writeShort(out, "loops", record.coverage.loops);
    });
  });
}

std::string auspex::writeBaseline(const RecordSet &set) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# Predicted times to compare with: auspex gate THIS-FILE HEAD.\n"
        "# Written by auspex gate --write-baseline THIS-FILE HEAD; do not edit "
        "it.\n"
     << "schemaVersion: " << BaselineSchemaVersion << '\n'
     << "baseline:" << (set.records.empty() ? " []" : "") << '\n';
  for (const KernelRecord &record : set.records) {
    os << "- ";
    OStream out(os);
    writeRecord(out, record);
    os << '\n';
  }
  return text;
}
