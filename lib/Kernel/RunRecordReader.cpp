// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchReader.h"
#include "RunRecordFields.h"
#include "auspex/Kernel/MemoryLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// More than any launch does.
static constexpr double MostCounted = 1e18;

namespace {
class FieldReader {
public:
  explicit FieldReader(Reader &in) : in(in) {}

  void operator()(StringRef key, uint64_t &value) {
    value = in.maybeInteger(key, 0).value_or(0);
  }
  void operator()(StringRef key, double &value) {
    value = in.maybeNumber(key, 0, MostCounted).value_or(0);
  }
  void operator()(StringRef key, std::string &text) {
    text = in.maybeText(key).value_or("");
  }
  void operator()(StringRef key, std::optional<Interval> &interval) {
    std::array<int64_t, 2> ends{};
    if (!readList(key, ends))
      return;
    if (ends[0] < -MostBytes || ends[1] > MostBytes || ends[0] >= ends[1])
      in.fail(in.member(key)->error("expected a range of bytes, [low, high]"));
    interval = {ends[0], ends[1]};
  }
  template <size_t N>
  void operator()(StringRef key, std::array<uint64_t, N> &counts) {
    std::array<int64_t, N> read{};
    if (!readList(key, read))
      return;
    if (llvm::any_of(read, [](int64_t count) { return count < 0; }))
      in.fail(in.member(key)->error("expected counts of 0 or more"));
    llvm::copy(read, counts.begin());
  }

private:
  Reader &in;

  template <size_t N>
  bool readList(StringRef key, std::array<int64_t, N> &values) {
    const Node *node = in.maybeMember(key);
    if (!node)
      return false;
    if (!node->isSequence() || node->items.size() != N) {
      in.fail(node->error("expected a list of " + llvm::Twine(N) +
                          " integers, found " + node->description()));
      return false;
    }
    for (auto [item, value] : llvm::zip(node->items, values)) {
      Expected<int64_t> read = item.integer();
      if (!read)
        in.fail(read.takeError());
      else
        value = *read;
    }
    return !in.failed();
  }
};
} // namespace

template <typename T>
static void readRecords(Reader &in, StringRef key, std::vector<T> &records) {
  in.each(key, [&](const Node &item) -> Error {
    Reader record(item);
    FieldReader fields(record);
    forEachField(records.emplace_back(), fields);
    return record.finish();
  });
}

static Error readProfile(const Node &node, DynamicProfile &profile) {
  Reader in(node);
  FieldReader fields(in);
  forEachField(profile, fields);
  readRecords(in, "blocks", profile.blocks);
  readRecords(in, "accesses", profile.accesses);
  readRecords(in, "objects", profile.objects);
  readRecords(in, "calleeAccesses", profile.calleeAccesses);
  return in.finish();
}

/// A profile is of the blocks and accesses of its kernel.
static Error checkProfile(const Node &node, const RunRecord &record,
                          const LaunchGroup &group) {
  const KernelSummary *kernel = record.find(group.launch.kernel);
  if (!kernel)
    return node.error("there is no kernel '" + group.launch.kernel +
                      "' among the kernels");
  const DynamicProfile &profile = group.profile;
  if (profile.blocks.size() != kernel->blocks.size() ||
      profile.accesses.size() != kernel->accesses.size())
    return node.error("the profile has " + llvm::Twine(profile.blocks.size()) +
                      " blocks and " + llvm::Twine(profile.accesses.size()) +
                      " accesses, the kernel " +
                      llvm::Twine(kernel->blocks.size()) + " and " +
                      llvm::Twine(kernel->accesses.size()));
  return Error::success();
}

static Expected<LaunchGroup> readGroup(const Node &node,
                                       const RunRecord &record) {
  Reader in(node);
  LaunchGroup group;
  group.first = in.maybeInteger("first", 0).value_or(0);
  group.times = in.maybeInteger("times", 1).value_or(1);
  if (const Node *launch = in.member("launch")) {
    Expected<LaunchConfig> read = readStatedLaunch(*launch);
    if (read && (!read->grid || !read->block))
      in.fail(launch->error("grid and block are missing"));
    else if (read)
      group.launch = std::move(*read);
    else
      in.fail(read.takeError());
  }
  if (const Node *profile = in.member("profile"); profile && !in.failed())
    in.fail(readProfile(*profile, group.profile));
  if (Error problem = in.finish())
    return problem;
  group.profile.kernel = group.launch.kernel;
  group.profile.shape = {group.launch.grid->value, group.launch.block->value};
  if (Error problem = checkProfile(node, record, group))
    return problem;
  return group;
}

static Error readRun(const Node &node, RunRecord &record) {
  Reader in(node);
  record.program = in.maybeText("program").value_or("");
  record.gpu = in.text("gpu");
  in.each(
      "problems",
      [&](const Node &item) -> Error {
        Expected<std::string> text = item.text();
        if (!text)
          return text.takeError();
        record.problems.push_back(std::move(*text));
        return Error::success();
      },
      /*required=*/false);
  return in.finish();
}

Expected<RunRecord> auspex::readRunRecord(const Node &document) {
  Reader in(document);
  RunRecord record;
  const Node *version = in.member("schemaVersion");
  if (in.integer("schemaVersion") != SummarySchemaVersion && !in.failed())
    return version->error("the record of a run has another version of its "
                          "format; run the program again with this Auspex");
  if (const Node *run = in.member("run"))
    in.fail(readRun(*run, record));
  in.each("kernels", [&](const Node &item) -> Error {
    Expected<KernelSummary> kernel = parseKernelSummary(item);
    if (!kernel)
      return kernel.takeError();
    record.kernels.push_back(std::move(*kernel));
    return Error::success();
  });
  in.each("launches", [&](const Node &item) -> Error {
    Expected<LaunchGroup> group = readGroup(item, record);
    if (!group)
      return group.takeError();
    record.launches.push_back(std::move(*group));
    return Error::success();
  });
  if (Error problem = in.finish())
    return problem;
  return record;
}
