// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/SharedAtomicsCounters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>

using namespace auspex;
using llvm::StringRef;

static constexpr StringRef
    Atom = "smsp__inst_executed_op_shared_atom.sum",
    AtomAlu = "smsp__inst_executed_op_shared_atom_dot_alu.sum",
    AtomCas = "smsp__inst_executed_op_shared_atom_dot_cas.sum",
    Wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    Cycles = "sm__cycles_active.avg",
    Warps = "sm__warps_active.avg.per_cycle_active",
    Occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";

static constexpr StringRef Metrics[] = {Atom,   AtomAlu, AtomCas,  Wavefronts,
                                        Cycles, Warps,   Occupancy};

llvm::ArrayRef<StringRef> auspex::sharedAtomicsMetrics() { return Metrics; }

/// The fields of a line; quotes, doubled within a field, hold commas.
static std::vector<std::string> fieldsOf(StringRef line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    bool isDoubled = isQuoted && line.substr(i).starts_with("\"\"");
    if (line[i] == '"' && !isDoubled)
      isQuoted = !isQuoted;
    else if (line[i] == ',' && !isQuoted)
      fields.emplace_back();
    else if (line[i] != '\r')
      fields.back() += line[i];
    i += isDoubled;
  }
  return fields;
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
                   unsigned line) const;
};

} // namespace

llvm::Error CounterReader::take(Launch &launch, StringRef metric,
                                StringRef value, unsigned line) const {
  if (!llvm::is_contained(Metrics, metric))
    return llvm::Error::success();
  // Thousands are told apart by commas.
  std::string digits;
  llvm::copy_if(value, std::back_inserter(digits),
                [](char letter) { return letter != ','; });
  double number;
  if (!llvm::to_float(digits, number) || !(number >= 0 && number <= 1e18))
    return error(line, metric + ": expected a count, found '" + value + "'");
  launch.metrics[metric.str()] = number;
  return llvm::Error::success();
}

llvm::Error CounterReader::readLine(StringRef text, unsigned line) {
  std::vector<std::string> fields = fieldsOf(text);
  if (fields.size() != header.size())
    return error(line, "expected " + llvm::Twine(header.size()) +
                           " fields as in the header, found " +
                           llvm::Twine(fields.size()));
  const std::string &id = fields[*column("ID")];
  if (id.empty())
    return llvm::Error::success(); // the line of units
  auto [entry, isNew] = numbers.try_emplace(id, launches.size());
  if (isNew)
    launches.push_back({id, fields[*column("Kernel Name")], line, {}});
  Launch &launch = launches[entry->second];
  if (auto name = column("Metric Name"))
    return take(launch, fields[*name], fields[*column("Metric Value")], line);
  for (auto [metric, value] : llvm::zip(header, fields))
    if (llvm::Error problem = take(launch, metric, value, line))
      return problem;
  return llvm::Error::success();
}

llvm::Expected<std::vector<Launch>> CounterReader::read(StringRef csv) {
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
  double fao =
      (launch.find(Atom).value_or(0) + launch.find(AtomAlu).value_or(0)) / sms;
  (countedAs == CountedAs::PopcInc ? input.popcIncJobs : input.faoJobs) = fao;
  input.casJobs = launch.find(AtomCas).value_or(0) / sms;
  auto wavefronts = launch.find(Wavefronts), cycles = launch.find(Cycles);
  if (!wavefronts)
    return missing(Wavefronts);
  if (!cycles || *cycles == 0)
    return missing(Cycles);
  input.smCycles = *cycles;
  input.meanPasses =
      std::clamp(*wavefronts / sms / (fao + input.casJobs), 1.0, 32.0);
  input.popcIncPasses = input.meanPasses;
  if (auto warps = launch.find(Warps))
    input.queueLength = *warps;
  else if (auto percent = launch.find(Occupancy))
    input.queueLength = *percent / 100 * gpu[Q::MaxThreadsPerSM] / 32;
  else
    return missing(Warps);
  input.times = gpu.sharedAtomicTimes;
  input.popcIncTimes = gpu.sharedPopcIncTimes;
  if (input.queueLength <= 0)
    return missing(Warps);
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
    auto jobs = launch.find(Atom);
    if (!jobs && !launch.find(AtomAlu) && !launch.find(AtomCas))
      return makeInputError({fileName.str(), launch.line, Atom.str()},
                            "the metric is missing for kernel " +
                                launch.kernel);
    if (jobs.value_or(0) + launch.find(AtomAlu).value_or(0) +
            launch.find(AtomCas).value_or(0) ==
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
