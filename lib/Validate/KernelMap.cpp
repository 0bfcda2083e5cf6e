// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a record and the map together say about one launch.
#include "auspex/Validate/KernelMap.h"

#include "auspex/Model/ProfilerCounts.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

class KernelMap::Interpreter {
public:
  Interpreter(const KernelMap &map, const Measurement &record)
      : map(map), record(record) {}

  Expected<MeasuredLaunch> interpret();

private:
  const KernelMap &map;
  const Measurement &record;
  const Entry *entry = nullptr;
  MeasuredLaunch result;

  bool matches(const Entry &candidate) const;
  /// Keeps the first reason why the launch cannot be predicted.
  void giveUp(Error error);
  void giveUp(const Place &place, const llvm::Twine &why) {
    giveUp(makeInputError(place, why));
  }
  std::optional<int64_t> evaluate(const Number &number);
  std::string fill(const Template &pattern);

  bool isLeftOut() const { return entry && !entry->leaveOut.empty(); }
  Error readNames();
  void chooseGPU();
  Error readTime();
  Expected<double> positive(StringRef field);
  void readCode();
  Error readLaunch();
  Error readBytes(StringRef field, std::optional<uint64_t> &bytes);
  Error readClocks();
  Error readCounters();
  void addScalar(Node &launch, StringRef key, std::string text);
  Error addSize(Node &launch, StringRef key, llvm::ArrayRef<Number> stated);
  Node &addMember(Node &launch, StringRef key);
};

std::map<std::string, Place> KernelMap::matchedFields() const {
  std::map<std::string, Place> fields;
  for (const Entry &entry : entries)
    for (const auto &[field, values] : entry.match)
      fields.try_emplace(field, entry.place);
  return fields;
}

bool KernelMap::Interpreter::matches(const Entry &candidate) const {
  return llvm::all_of(candidate.match, [&](const auto &condition) {
    std::optional<std::string> value = record.find(condition.first);
    return value && llvm::is_contained(condition.second, *value);
  });
}

void KernelMap::Interpreter::giveUp(Error error) {
  std::string text = llvm::toString(std::move(error));
  if (result.problemText.empty())
    result.problemText = std::move(text);
}

std::optional<int64_t> KernelMap::Interpreter::evaluate(const Number &number) {
  std::string missing;
  auto value = number.expr.evaluate([&](StringRef name) {
    std::optional<std::string> text = record.find(name);
    std::optional<int64_t> found = text ? parseInteger(*text) : std::nullopt;
    if (!found && missing.empty())
      missing =
          text ? (name + " of the record is '" + *text + "', no integer").str()
               : ("the record has no field " + name).str();
    return found;
  });
  if (!value)
    giveUp(number.place, missing.empty() ? "the value is not defined (a "
                                           "division by 0, or an overflow)"
                                         : missing);
  return value;
}

/// Braces hold the name of a field, or a number made of fields.
std::string KernelMap::Interpreter::fill(const Template &pattern) {
  std::string text;
  StringRef rest = pattern.text;
  while (!rest.empty()) {
    auto [before, after] = rest.split('{');
    text += before;
    if (before.size() == rest.size())
      break;
    auto [name, behind] = after.split('}');
    if (name.size() == after.size()) {
      giveUp(pattern.place, "a { has no }");
      break;
    }
    rest = behind;
    if (std::optional<std::string> field = record.find(name.trim())) {
      text += *field;
      continue;
    }
    Expected<Expr> expr = Expr::parse(name);
    if (!expr) {
      llvm::consumeError(expr.takeError());
      giveUp(pattern.place, "the record has no field " + name);
      break;
    }
    if (auto value = evaluate({std::move(*expr), pattern.place}))
      text += std::to_string(*value);
  }
  return text;
}

Error KernelMap::Interpreter::readNames() {
  result.kernel = record.find("kernel").value_or("");
  result.launch.kernel =
      entry && entry->kernel ? fill(*entry->kernel) : result.kernel;
  if (result.kernel.empty())
    result.kernel = result.launch.kernel;
  if (result.kernel.empty() && !isLeftOut())
    return makeInputError(record.at("kernel"),
                          "the record names no kernel, nor does a map" +
                              record.misspelt("kernel"));
  result.gpu =
      entry && entry->gpu ? fill(*entry->gpu) : record.find("gpu").value_or("");
  if (result.gpu.empty())
    return makeInputError(record.at("gpu"),
                          "the record names no GPU, nor does a map" +
                              record.misspelt("gpu"));
  return Error::success();
}

void KernelMap::Interpreter::chooseGPU() {
  auto renamed = map.gpus.find(result.gpu);
  if (renamed == map.gpus.end())
    return;
  if (renamed->second)
    result.gpu = *renamed->second;
  else
    giveUp({}, "the map leaves out the GPU '" + result.gpu + "'");
}

Expected<double> KernelMap::Interpreter::positive(StringRef field) {
  std::optional<std::string> text = record.find(field);
  if (!text)
    return makeInputError(record.at(field),
                          "the field is missing" + record.misspelt(field));
  constexpr double Most = 1e15;
  std::optional<double> value = parseNumber(*text);
  if (!value || !(*value > 0) || *value > Most)
    return makeInputError(record.at(field),
                          "expected a number above 0, up to 1e15, found '" +
                              *text + "'");
  return *value;
}

Error KernelMap::Interpreter::readTime() {
  if (!entry || !entry->rate) {
    auto time = positive("measured_ms");
    if (!time)
      return time.takeError();
    result.measuredInUs = 1e3 * *time;
    return Error::success();
  }
  auto rate = positive(entry->rate->field);
  if (!rate)
    return rate.takeError();
  if (auto work = evaluate(entry->rate->work))
    result.measuredInUs = 1e6 * *work / (*rate * entry->rate->perSecond);
  return Error::success();
}

void KernelMap::Interpreter::readCode() {
  result.source = record.find("source_path").value_or("");
  auto macros = record.members("compile_defs");
  for (const auto &[index, flag] : record.members("compile_flags"))
    result.flags.push_back(flag);
  if (entry) {
    if (entry->source) {
      result.source = fill(*entry->source);
      result.mapFolder = entry->folder;
    }
    for (const auto &[name, text] : entry->defines) {
      llvm::erase_if(macros,
                     [&](const auto &macro) { return macro.first == name; });
      if (text)
        macros.emplace_back(name, fill(*text));
    }
    for (const Template &flag : entry->flags)
      result.flags.push_back(fill(flag));
  }
  for (const auto &[name, text] : macros)
    result.flags.push_back("-D" + name + "=" + text);
}

//===----------------------------------------------------------------------===//
// The launch, as a launches file would have it
//===----------------------------------------------------------------------===//

Node &KernelMap::Interpreter::addMember(Node &launch, StringRef key) {
  Node value;
  value.file = launch.file;
  value.line = launch.line;
  value.path = key.str();
  launch.members.push_back({key.str(), std::move(value)});
  return launch.members.back().value;
}

void KernelMap::Interpreter::addScalar(Node &launch, StringRef key,
                                       std::string text) {
  Node &value = addMember(launch, key);
  value.kind = Node::Kind::Scalar;
  value.scalar = std::move(text);
}

Error KernelMap::Interpreter::addSize(Node &launch, StringRef key,
                                      llvm::ArrayRef<Number> stated) {
  std::vector<std::string> sides;
  for (const Number &side : stated)
    if (auto value = evaluate(side))
      sides.push_back(std::to_string(*value));
  if (stated.empty())
    for (const auto &[axis, side] : record.members(key))
      sides.push_back(side);
  if (stated.empty() && sides.empty())
    if (auto text = record.find(key))
      sides.push_back(*text);
  if (!sides.empty())
    addScalar(launch, key, llvm::join(sides, "x"));
  else if (stated.empty())
    return makeInputError(record.at(key),
                          "the record does not say it, nor does a map" +
                              record.misspelt(key));
  return Error::success();
}

Error KernelMap::Interpreter::readLaunch() {
  Node launch;
  launch.kind = Node::Kind::Mapping;
  launch.file = std::make_shared<const std::string>(record.place.file);
  launch.line = record.place.line;
  addScalar(launch, "kernel", result.launch.kernel);
  if (Error error =
          addSize(launch, "grid", entry ? entry->grid : std::vector<Number>()))
    return error;
  if (Error error = addSize(launch, "block",
                            entry ? entry->block : std::vector<Number>()))
    return error;
  std::map<StringRef, std::string> numbers;
  if (auto bytes = record.find("dyn_smem"))
    numbers["shared"] = *bytes;
  if (entry)
    for (const auto &[key, number] : entry->numbers)
      if (auto value = evaluate(number))
        numbers[key] = std::to_string(*value);
  if (auto registers = record.find("compiled.regs"))
    result.areRegistersRecorded =
        numbers.try_emplace("registers", *registers).second;
  for (auto &[key, text] : numbers)
    addScalar(launch, key, std::move(text));
  if (entry && entry->warmL2)
    addScalar(launch, "warmL2", *entry->warmL2 ? "true" : "false");
  if (entry && entry->args) {
    Node &args = addMember(launch, "args");
    args.kind = Node::Kind::Mapping;
    for (const auto &[name, number] : *entry->args)
      if (auto value = evaluate(number))
        addScalar(args, name, std::to_string(*value));
  } else {
    for (const auto &[name, text] : record.members("problem"))
      if (std::optional<int64_t> value = parseInteger(text))
        result.problem[name] = *value;
  }
  if (!result.problemText.empty())
    return Error::success();
  auto read = parseLaunchOfAnySize(launch);
  if (!read)
    return read.takeError();
  result.launch = std::move(*read);
  // Complaints about it are the same for all records that share them.
  result.launch.location = {};
  if (Error error =
          readBytes("compiled.static_smem_bytes", result.staticShared))
    return error;
  return readBytes("compiled.local_bytes_per_thread", result.local);
}

Error KernelMap::Interpreter::readBytes(StringRef field,
                                        std::optional<uint64_t> &bytes) {
  auto text = record.find(field);
  if (!text)
    return Error::success();
  std::optional<int64_t> number = parseInteger(*text);
  if (!number || *number < 0)
    return makeInputError(record.at(field),
                          "expected a number of bytes, found '" + *text + "'");
  bytes = *number;
  return Error::success();
}

Error KernelMap::Interpreter::readClocks() {
  auto read = [&](StringRef field, const std::optional<Number> &stated,
                  std::optional<double> &clock) -> Error {
    if (stated) {
      if (auto value = evaluate(*stated))
        clock = static_cast<double>(*value);
      return Error::success();
    }
    if (!record.find(field))
      return Error::success();
    auto value = positive(field);
    if (!value)
      return value.takeError();
    clock = *value;
    return Error::success();
  };
  std::optional<Number> none;
  if (Error error =
          read("core_MHz", entry ? entry->core : none, result.clocks.coreInMHz))
    return error;
  return read("mem_MHz", entry ? entry->memory : none,
              result.clocks.memoryInMHz);
}

Error KernelMap::Interpreter::readCounters() {
  for (const ProfilerMetric &metric : profilerMetrics()) {
    std::string field = ("counters." + metric.id).str();
    std::optional<std::string> text = record.find(field);
    if (!text)
      continue;
    std::optional<double> value = parseNumber(*text);
    if (!value || *value < 0)
      return makeInputError(record.at(field),
                            "expected a count, found '" + *text + "'");
    result.counters[metric.id.str()] = *value;
  }
  return Error::success();
}

Expected<MeasuredLaunch> KernelMap::Interpreter::interpret() {
  for (const Entry &candidate : map.entries)
    if (!entry && matches(candidate))
      entry = &candidate;
  result.place = record.place;
  if (Error error = readNames())
    return std::move(error);
  chooseGPU();
  std::string status = record.find("status").value_or("ok");
  if (status != "ok")
    giveUp({}, "the status of the measurement is '" + status + "'");
  else if (isLeftOut())
    giveUp({}, "the map leaves it out: " + entry->leaveOut);
  if (!result.problemText.empty())
    return std::move(result);
  if (Error error = readTime())
    return std::move(error);
  readCode();
  if (Error error = readLaunch())
    return std::move(error);
  if (Error error = readClocks())
    return std::move(error);
  if (Error error = readCounters())
    return std::move(error);
  return std::move(result);
}

Expected<MeasuredLaunch> KernelMap::interpret(const Measurement &record) const {
  return Interpreter(*this, record).interpret();
}
