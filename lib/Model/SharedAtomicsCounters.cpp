// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/SharedAtomicsCounters.h"

#include "auspex/Support/Csv.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>

using namespace auspex;
using llvm::StringRef;

namespace metric {
constexpr StringRef
    Atom = "smsp__inst_executed_op_shared_atom.sum",
    AtomAlu = "smsp__inst_executed_op_shared_atom_dot_alu.sum",
    AtomCas = "smsp__inst_executed_op_shared_atom_dot_cas.sum",
    Wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    Cycles = "sm__cycles_active.avg",
    Warps = "sm__warps_active.avg.per_cycle_active",
    Occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
} // namespace metric

static constexpr StringRef Metrics[] = {
    metric::Atom,   metric::AtomAlu, metric::AtomCas,  metric::Wavefronts,
    metric::Cycles, metric::Warps,   metric::Occupancy};

/// The fields of a line; none if it is no row.
static std::vector<std::string> fieldsOf(StringRef line) {
  auto rows = parseCsv(line, "");
  if (!rows)
    llvm::consumeError(rows.takeError());
  return rows && !rows->empty() ? std::move(rows->front().cells)
                                : std::vector<std::string>();
}

/// A count as ncu writes it: commas tell thousands apart.
static std::optional<double> parseCount(StringRef text) {
  std::string digits;
  llvm::SmallVector<StringRef, 4> groups;
  text.split(groups, ',');
  for (auto [index, group] : llvm::enumerate(groups)) {
    bool isLast = index + 1 == groups.size();
    size_t size = isLast ? group.split('.').first.size() : group.size();
    if (groups.size() > 1 && (index == 0 ? size < 1 || size > 3 : size != 3))
      return std::nullopt;
    digits += group;
  }
  std::optional<double> number = parseNumber(digits);
  constexpr double Most = 1e18;
  return number && *number >= 0 && *number <= Most ? number : std::nullopt;
}

/// What a number in \p unit is to be multiplied by; none for units that no
/// metric here has.
static std::optional<double> scaleOf(StringRef unit) {
  constexpr StringRef Units[] = {"", "%", "inst", "cycle", "warp"};
  constexpr std::pair<StringRef, double> Prefixes[] = {
      {"", 1}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}};
  for (const auto &[prefix, scale] : Prefixes) {
    StringRef rest = unit;
    if (rest.consume_front(prefix) && llvm::is_contained(Units, rest))
      return scale;
  }
  return std::nullopt;
}

namespace {

/// The metrics of one launch.
struct Launch {
  std::string id, kernel;
  unsigned line = 0;
  std::map<std::string, double, std::less<>> metrics;

  std::optional<double> find(StringRef metric) const {
    auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt
                                  : std::optional<double>(found->second);
  }
};

class CounterReader {
public:
  explicit CounterReader(StringRef file) : file(file) {}

  llvm::Expected<std::vector<Launch>> read(StringRef csv);

private:
  StringRef file;
  std::vector<std::string> header;
  /// Of the columns, where each metric has one.
  std::vector<std::string> units;
  std::vector<Launch> launches;
  std::map<std::string, size_t> numbers;

  llvm::Error error(unsigned line, const llvm::Twine &message) const {
    return makeInputError({file.str(), line, ""}, message);
  }
  std::optional<size_t> column(StringRef name) const {
    auto found = llvm::find(header, name);
    return found == header.end()
               ? std::nullopt
               : std::optional<size_t>(found - header.begin());
  }
  llvm::Error readLine(StringRef text, unsigned line);
  llvm::Error take(Launch &launch, StringRef metric, StringRef value,
                   StringRef unit, unsigned line) const;
};

} // namespace

llvm::Error CounterReader::take(Launch &launch, StringRef metric,
                                StringRef value, StringRef unit,
                                unsigned line) const {
  if (!llvm::is_contained(Metrics, metric))
    return llvm::Error::success();
  std::optional<double> number = parseCount(value), scale = scaleOf(unit);
  if (!number)
    return error(line, metric +
                           ": expected a count such as 1234.5 or "
                           "1,234.5, found '" +
                           value + "'");
  if (!scale)
    return error(line, metric + ": unknown unit '" + unit + "'");
  launch.metrics[metric.str()] = *number * *scale;
  return llvm::Error::success();
}

llvm::Error CounterReader::readLine(StringRef text, unsigned line) {
  std::vector<std::string> fields = fieldsOf(text);
  if (fields.size() != header.size())
    return error(line, "expected " + llvm::Twine(header.size()) +
                           " fields as in the header, found " +
                           llvm::Twine(fields.size()));
  const std::string &id = fields[*column("ID")];
  if (id.empty()) {
    units = std::move(fields);
    return llvm::Error::success();
  }
  auto [entry, isNew] = numbers.try_emplace(id, launches.size());
  if (isNew)
    launches.push_back({id, fields[*column("Kernel Name")], line, {}});
  Launch &launch = launches[entry->second];
  std::optional<size_t> unitColumn = column("Metric Unit");
  if (auto name = column("Metric Name"))
    return take(launch, fields[*name], fields[*column("Metric Value")],
                unitColumn ? StringRef(fields[*unitColumn]) : "", line);
  units.resize(header.size());
  for (auto [metric, value, unit] : llvm::zip(header, fields, units))
    if (llvm::Error problem = take(launch, metric, value, unit, line))
      return problem;
  return llvm::Error::success();
}

llvm::Expected<std::vector<Launch>> CounterReader::read(StringRef csv) {
  csv.consume_front("\xEF\xBB\xBF"); // a byte order mark
  llvm::SmallVector<StringRef, 0> lines;
  csv.split(lines, '\n');
  for (auto [index, text] : llvm::enumerate(lines)) {
    unsigned line = static_cast<unsigned>(index) + 1;
    if (header.empty()) {
      std::vector<std::string> fields = fieldsOf(text);
      if (!llvm::is_contained(fields, "ID") ||
          !llvm::is_contained(fields, "Kernel Name"))
        continue;
      header = std::move(fields);
      if (column("Metric Name") && !column("Metric Value"))
        return error(line, "the column Metric Value is missing");
    } else if (!text.trim().empty() && !text.starts_with("==")) {
      if (llvm::Error problem = readLine(text, line))
        return std::move(problem);
    }
  }
  if (header.empty())
    return makeInputError({file.str(), 0, ""},
                          "no header with the columns ID and Kernel Name; "
                          "expected what ncu --csv prints");
  return std::move(launches);
}

/// One launch's counters as those of one SM (Table 2).
static llvm::Expected<SharedAtomicsInput> inputOf(const Launch &launch,
                                                  StringRef file,
                                                  const GPU &gpu,
                                                  CountedAs countedAs) {
  auto missing = [&](StringRef metric) {
    return makeInputError({file.str(), launch.line, metric.str()},
                          "the metric is missing for kernel " + launch.kernel);
  };
  SharedAtomicsInput input;
  double sms = gpu[Q::SMCount];
  double fao = (launch.find(metric::Atom).value_or(0) +
                launch.find(metric::AtomAlu).value_or(0)) /
               sms;
  (countedAs == CountedAs::PopcInc ? input.popcIncJobs : input.faoJobs) = fao;
  input.casJobs = launch.find(metric::AtomCas).value_or(0) / sms;
  auto wavefronts = launch.find(metric::Wavefronts),
       cycles = launch.find(metric::Cycles);
  if (!wavefronts)
    return missing(metric::Wavefronts);
  if (!cycles || *cycles == 0)
    return missing(metric::Cycles);
  input.smCycles = *cycles;
  input.meanPasses =
      std::clamp(*wavefronts / sms / (fao + input.casJobs), 1.0, 32.0);
  input.popcIncPasses = input.meanPasses;
  if (auto warps = launch.find(metric::Warps))
    input.queueLength = *warps;
  else if (auto percent = launch.find(metric::Occupancy))
    input.queueLength = *percent / 100 * gpu[Q::MaxThreadsPerSM] / 32;
  else
    return missing(metric::Warps);
  input.times = gpu.sharedAtomicTimes;
  input.popcIncTimes = gpu.sharedPopcIncTimes;
  if (input.queueLength <= 0)
    return missing(metric::Warps);
  if (llvm::Error problem = checkTables(input, gpu.name))
    return std::move(problem);
  return input;
}

llvm::Expected<std::vector<ProfiledKernel>>
auspex::readCounters(StringRef csv, StringRef fileName, const GPU &gpu,
                     CountedAs countedAs) {
  auto launches = CounterReader(fileName).read(csv);
  if (!launches)
    return launches.takeError();
  std::vector<ProfiledKernel> kernels;
  for (Launch &launch : *launches) {
    auto jobs = launch.find(metric::Atom);
    if (!jobs && !launch.find(metric::AtomAlu) && !launch.find(metric::AtomCas))
      return makeInputError({fileName.str(), launch.line, metric::Atom.str()},
                            "the metric is missing for kernel " +
                                launch.kernel);
    if (jobs.value_or(0) + launch.find(metric::AtomAlu).value_or(0) +
            launch.find(metric::AtomCas).value_or(0) ==
        0)
      continue;
    auto input = inputOf(launch, fileName, gpu, countedAs);
    if (!input)
      return input.takeError();
    kernels.push_back(
        {std::move(launch.id), std::move(launch.kernel), std::move(*input)});
  }
  return kernels;
}
