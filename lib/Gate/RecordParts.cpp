// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordParts.h"

#include "auspex/Model/OperationalMembers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The first problem of \p in; keys nobody asked for are none.
static Error problemOf(Reader &in) {
  return in.failed() ? in.finish() : Error::success();
}

static SourceLocation readPlace(Reader &in) {
  SourceLocation place;
  place.file = in.maybeText("file").value_or("");
  place.line = in.maybeInteger("line", 0, UINT32_MAX).value_or(0);
  place.column = in.maybeInteger("column", 0, UINT32_MAX).value_or(0);
  return place;
}

/// Classes that this Auspex does not know are left out.
static Error readMix(const Node &node, InstructionMix &mix) {
  for (const auto &[name, value] : node.members) {
    Expected<double> count = value.number();
    if (!count)
      return count.takeError();
    if (std::optional<InstructionClass> id = instructionClass(name))
      mix[*id] = *count;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

static std::optional<Stated<Dim3>> readDim3(Reader &in, StringRef key,
                                            LaunchOrigin origin) {
  int64_t sides[3] = {1, 1, 1};
  unsigned count = 0;
  in.each(key, [&](const Node &item) -> Error {
    Expected<int64_t> side = item.integer();
    if (!side)
      return side.takeError();
    if (count == 3)
      return item.error("expected three numbers, [x, y, z]");
    sides[count++] = *side;
    return Error::success();
  });
  return Stated<Dim3>{{sides[0], sides[1], sides[2]}, origin};
}

static Error readLaunch(const Node &node, LaunchConfig &launch) {
  Reader in(node);
  using enum LaunchOrigin;
  LaunchOrigin origin =
      readWord(in, "origin",
               {Assumed, Source, Defaults, Pragma, File, CommandLine, Profile});
  launch.grid = readDim3(in, "grid", origin);
  launch.block = readDim3(in, "block", origin);
  launch.dynamicShared = Stated<uint64_t>{
      uint64_t(in.integer("dynamicShared", 0)), LaunchOrigin::Assumed};
  if (const Node *arguments = in.member("args"))
    for (const auto &[name, value] : arguments->members)
      if (!readArgument(value, name, origin, launch))
        in.fail(value.error("expected a number, found " + value.description()));
  launch.location = readPlace(in);
  return problemOf(in);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The remarks that the gate reads. They are few of many, and a set may hold
/// thousands of kernels.
static bool isRead(const Node &finding) {
  const Node *id = finding.find("id");
  return !id || llvm::is_contained({"PredictedTime", "LocalMemory",
                                    "DivergentBranch", "UnknownLoop"},
                                   id->scalar);
}

static Error readFinding(const Node &node, FindingRecord &finding) {
  Reader in(node);
  finding.id = in.text("id");
  finding.message = in.text("message");
  finding.location = readPlace(in);
  if (const Node *args = in.maybeMember("args")) {
    for (const auto &[name, value] : args->members)
      if (Expected<double> number = value.number())
        finding.args[name] = *number;
      else // a word
        llvm::consumeError(number.takeError());
  }
  return problemOf(in);
}

static Error readAccess(const Node &node, AccessVolume &access) {
  Reader in(node);
  access.location = readPlace(in);
  access.kind = readWord(
      in, "kind", {AccessKind::Load, AccessKind::Store, AccessKind::Atomic});
  using enum MemorySpace;
  access.space = readWord(in, "space",
                          {Global, Shared, Local, Constant, Texture, Unknown});
  access.operation = in.maybeText("operation").value_or("");
  access.bytesPerLane = in.integer("bytesPerLane", 0, INT32_MAX);
  access.object = in.maybeText("object").value_or("");
  access.argument = in.maybeText("argument").value_or("");
  access.isKnown = in.boolean("known");
  auto count = [&](StringRef key) {
    return in.maybeNumber(key, 0).value_or(0);
  };
  access.counts.requests = in.number("requests", 0);
  access.counts.lanes = count("lanes");
  access.counts.sectors = count("sectors");
  access.counts.fewestSectors = count("fewestSectors");
  access.counts.bankPasses = count("bankPasses");
  access.counts.fewestBankPasses = count("fewestBankPasses");
  access.counts.sameAddress = count("sameAddress");
  return problemOf(in);
}

static Error readLine(const Node &node, LineVolume &line) {
  Reader in(node);
  line.location = readPlace(in);
  if (const Node *mix = in.member("mix"))
    in.fail(readMix(*mix, line.instructions));
  return problemOf(in);
}

static Error readLoop(const Node &node, LoopVolume &loop) {
  Reader in(node);
  loop.location = readPlace(in);
  loop.iterations = in.number("iterations", 0);
  loop.unroll = in.integer("unroll", 1, INT32_MAX);
  return problemOf(in);
}

/// What the requests ask for the accesses say already.
static Error readObject(const Node &node, ObjectTraffic &object) {
  Reader in(node);
  object.name = in.text("name");
  object.argument = in.maybeText("argument").value_or("");
  object.l2LoadInBytes = in.number("l2LoadInBytes", 0);
  object.l2StoreInBytes = in.number("l2StoreInBytes", 0);
  object.dramLoadInBytes = in.number("dramLoadInBytes", 0);
  object.dramStoreInBytes = in.number("dramStoreInBytes", 0);
  object.dramIdleInBytes = in.maybeNumber("dramIdleInBytes", 0).value_or(0);
  return problemOf(in);
}

//===----------------------------------------------------------------------===//
// The input of the model
//===----------------------------------------------------------------------===//

std::optional<OperationalInput> auspex::readOperationalInput(const Node &node) {
  Reader in(node);
  OperationalInput input;
  visitMembers(input, [&](StringRef key, StringRef, auto &member) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, InstructionMix>) {
      if (const Node *mix = in.member(key))
        in.fail(readMix(*mix, member));
    } else if constexpr (std::is_same_v<Member, unsigned>) {
      member = in.integer(key, 1, UINT32_MAX);
    } else {
      member = in.number(key, 0);
    }
  });
  bool areShares = input.shareAtWork <= 1 && input.fillingWork <= 1 &&
                   input.fillingWaits <= 1;
  if (in.failed() || !areShares)
    return std::nullopt;
  return input;
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

static void readTime(Reader &in, KernelRecord &record) {
  record.timeInUs = in.maybeNumber("timeInUs", 0);
  if (!in.has("timeInUs"))
    in.member("timeInUs");
  llvm::SmallVector<double, 2> ends;
  in.each(
      "timeRangeInUs",
      [&](const Node &item) -> Error {
        Expected<double> end = item.number();
        if (!end)
          return end.takeError();
        if (ends.size() == 2 || *end < 0 || (!ends.empty() && *end < ends[0]))
          return item.error("expected [low, high], 0 or more");
        ends.push_back(*end);
        return Error::success();
      },
      /*required=*/false);
  if (ends.size() == 2)
    record.timeRangeInUs = {ends[0], ends[1]};
  else if (ends.size() == 1)
    in.fail(in.member("timeRangeInUs")->error("expected [low, high]"));
}

static Error readOccupancy(const Node &node, KernelRecord &record) {
  Reader in(node);
  record.activeBlocksPerSM = in.integer("activeBlocksPerSM", 0, UINT32_MAX);
  record.activeWarpsPerSM = in.integer("activeWarpsPerSM", 0, UINT32_MAX);
  record.registers = in.integer("registers", 0, UINT32_MAX);
  record.occupancyLimiter = in.text("limiter");
  return problemOf(in);
}

template <typename T>
static void readList(Reader &in, StringRef key, std::vector<T> &list,
                     Error (*read)(const Node &, T &)) {
  in.each(
      key, [&](const Node &item) { return read(item, list.emplace_back()); },
      /*required=*/false);
  // A set may hold thousands.
  list.shrink_to_fit();
}

/// Where the kernel is, by the remark that stands there.
static SourceLocation locationOf(const KernelRecord &record) {
  const FindingRecord *finding = record.find("PredictedTime");
  return finding ? finding->location : SourceLocation();
}

Expected<KernelRecord> auspex::readRecord(const Node &node) {
  Reader in(node);
  KernelRecord record;
  record.place = node.place();
  record.kernel = in.text("kernel");
  record.demangled = in.maybeText("demangled").value_or(record.kernel);
  record.gpu = in.text("gpu");
  if (const Node *launch = in.member("launch"))
    in.fail(readLaunch(*launch, record.launch));
  if (const Node *names = in.maybeMember("argNames"))
    for (const auto &[symbol, name] : names->members)
      record.argumentNames[symbol] = name.scalar;
  record.model = in.text("model");
  readTime(in, record);
  record.limiter = in.text("limiter");
  if (const Node *occupancy = in.member("occupancy"))
    in.fail(readOccupancy(*occupancy, record));
  in.each(
      "findings",
      [&](const Node &item) {
        return isRead(item) ? readFinding(item, record.findings.emplace_back())
                            : Error::success();
      },
      /*required=*/false);
  readList(in, "accesses", record.accesses, readAccess);
  readList(in, "lines", record.lines, readLine);
  readList(in, "loops", record.loops, readLoop);
  if (const Node *traffic = in.maybeMember("traffic")) {
    Reader parts(*traffic);
    readList(parts, "objects", record.traffic, readObject);
    in.fail(problemOf(parts));
  }
  if (const Node *inputs = in.maybeMember("inputs"))
    if (const Node *operational = inputs->find("operational"))
      record.input = readOperationalInput(*operational);
  if (const Node *coverage = in.maybeMember("coverage")) {
    Reader shares(*coverage);
    record.coverage.accesses = shares.number("accesses", 0, 1);
    record.coverage.loops = shares.number("loops", 0, 1);
    in.fail(problemOf(shares));
  }
  record.location = locationOf(record);
  const SourceLocation &known =
      record.location.isKnown() ? record.location : record.launch.location;
  record.source = in.maybeText("source").value_or(
      llvm::sys::path::filename(known.file).str());
  record.position = in.maybeInteger("position", 0, UINT32_MAX).value_or(0);
  if (Error problem = problemOf(in))
    return std::move(problem);
  return record;
}
