// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run records as JSON: one line a block, access or object. Zeros are left out.
#include "RunRecordFields.h"

#include "auspex/Support/Json.h"

using namespace auspex;
namespace json = llvm::json;
using llvm::StringRef;

namespace {
class FieldWriter {
public:
  explicit FieldWriter(json::OStream &out) : out(out) {}

  void operator()(StringRef key, uint64_t value) {
    if (value)
      out.attribute(key, static_cast<int64_t>(value));
  }
  void operator()(StringRef key, double value) {
    if (value != 0)
      writeNumber(out, key, value);
  }
  void operator()(StringRef key, const std::string &text) {
    if (!text.empty())
      writeText(out, key, text);
  }
  void operator()(StringRef key, const std::optional<Interval> &interval) {
    if (interval)
      out.attributeArray(key, [&] {
        out.value(interval->low);
        out.value(interval->high);
      });
  }
  template <size_t N>
  void operator()(StringRef key, const std::array<uint64_t, N> &counts) {
    if (counts != std::array<uint64_t, N>{})
      out.attributeArray(key, [&] {
        for (uint64_t count : counts)
          out.value(static_cast<int64_t>(count));
      });
  }

private:
  json::OStream &out;
};
} // namespace

template <typename T>
static void writeRecords(json::OStream &out, StringRef key,
                         const std::vector<T> &records) {
  out.attributeArray(key, [&] {
    for (const T &record : records)
      writeOnOneLine(out, [&](json::OStream &line) {
        line.object([&] {
          FieldWriter fields(line);
          forEachField(record, fields);
        });
      });
  });
}

static void writeProfile(json::OStream &out, const DynamicProfile &profile) {
  out.object([&] {
    FieldWriter fields(out);
    forEachField(profile, fields);
    writeRecords(out, "blocks", profile.blocks);
    writeRecords(out, "accesses", profile.accesses);
    writeRecords(out, "objects", profile.objects);
    writeRecords(out, "calleeAccesses", profile.calleeAccesses);
  });
}

static void writeRun(json::OStream &out, const RunRecord &record) {
  out.object([&] {
    writeText(out, "program", record.program);
    writeText(out, "gpu", record.gpu);
    out.attributeArray("problems", [&] {
      for (const std::string &problem : record.problems)
        writeText(out, problem);
    });
  });
}

std::string auspex::writeRunRecord(const RunRecord &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/1);
  out.object([&] {
    out.attribute("schemaVersion", SummarySchemaVersion);
    out.attributeBegin("run");
    writeRun(out, record);
    out.attributeEnd();
    out.attributeArray("kernels", [&] {
      for (const KernelSummary &summary : record.kernels)
        writeJSON(summary, out);
    });
    out.attributeArray("launches", [&] {
      for (const LaunchGroup &group : record.launches)
        out.object([&] {
          out.attributeBegin("launch");
          writeOnOneLine(
              out, [&](json::OStream &line) { writeJSON(group.launch, line); });
          out.attributeEnd();
          out.attribute("first", static_cast<int64_t>(group.first));
          out.attribute("times", static_cast<int64_t>(group.times));
          out.attributeBegin("profile");
          writeProfile(out, group.profile);
          out.attributeEnd();
        });
    });
  });
  os << '\n';
  return text;
}
