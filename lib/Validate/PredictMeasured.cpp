// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From measured launches to predictions: finds the sources, has each compiled
// once for each set of macros and architecture, and asks the models.
#include "auspex/Validate/Validation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace {

/// The files in the folders with kernels, by their names without folders.
class SourceFinder {
public:
  explicit SourceFinder(llvm::ArrayRef<std::string> folders);

  /// The file that a launch's kernel is in. An error names what was looked for.
  Expected<std::string> find(const MeasuredLaunch &launch) const;

private:
  std::vector<std::string> folders;
  std::map<std::string, std::vector<std::string>> byName;

  Expected<std::string> findByName(StringRef name) const;
};

/// GPUs by name and clocks, or why there is no such GPU.
class GPUs {
public:
  Expected<const GPU *> find(const std::string &name, const Clocks &clocks);

private:
  struct Entry {
    GPU gpu;
    std::string problem;
  };
  std::map<
      std::tuple<std::string, std::optional<double>, std::optional<double>>,
      Entry>
      entries;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

SourceFinder::SourceFinder(llvm::ArrayRef<std::string> folders)
    : folders(folders) {
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      byName[path::filename(it->path()).str()].push_back(it->path());
  }
  for (auto &[name, files] : byName)
    llvm::sort(files);
}

Expected<std::string> SourceFinder::findByName(StringRef name) const {
  auto found = byName.find(path::filename(name).str());
  if (found == byName.end())
    return makeInputError({}, "there is no source " + name +
                                  (folders.empty()
                                       ? "; name the folder of the kernels "
                                         "with --kernels"
                                       : " in the folders of --kernels"));
  if (found->second.size() > 1)
    return makeInputError({}, "there are several sources " + name + ": " +
                                  found->second[0] + ", " + found->second[1]);
  return found->second.front();
}

Expected<std::string> SourceFinder::find(const MeasuredLaunch &launch) const {
  StringRef source = launch.source;
  if (source.empty())
    return makeInputError({}, "the record names no source, nor does a map");
  std::vector<std::string> roots;
  if (!launch.mapFolder.empty())
    roots.push_back(launch.mapFolder);
  llvm::append_range(roots, folders);
  for (const std::string &root : roots) {
    llvm::SmallString<256> candidate(root);
    path::append(candidate, source);
    if (llvm::sys::fs::exists(candidate))
      return candidate.str().str();
  }
  if (path::is_absolute(source) && llvm::sys::fs::exists(source))
    return source.str();
  auto found = findByName(source);
  if (found)
    return found;
  // A summary or IR in the place of the source.
  for (StringRef ending : {".json", ".ll", ".bc"})
    if (auto other = findByName((path::stem(source) + ending).str())) {
      llvm::consumeError(found.takeError());
      return other;
    } else {
      llvm::consumeError(other.takeError());
    }
  return found;
}

Expected<const GPU *> GPUs::find(const std::string &name,
                                 const Clocks &clocks) {
  auto [entry, isNew] =
      entries.try_emplace({name, clocks.coreInMHz, clocks.memoryInMHz});
  Entry &result = entry->second;
  if (isNew) {
    Expected<GPU> gpu = findGPU(name);
    if (gpu)
      gpu = atClocks(*gpu, clocks);
    if (gpu)
      result.gpu = std::move(*gpu);
    else
      result.problem = llvm::toString(gpu.takeError());
  }
  if (!result.problem.empty())
    return makeInputError({}, result.problem);
  return &result.gpu;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

/// The kernel that a launch is of. Several instances of a template need their
/// arguments in the name.
static Expected<const KernelSummary *>
findKernel(const LaunchConfig &launch, llvm::ArrayRef<KernelSummary> kernels,
           StringRef file) {
  const KernelSummary *found = nullptr;
  std::vector<std::string> names;
  for (const KernelSummary &kernel : kernels) {
    names.push_back(kernel.demangled);
    if (!isCalled(launch.kernel, kernel))
      continue;
    if (found)
      return makeInputError({}, "'" + launch.kernel +
                                    "' names several kernels "
                                    "of " +
                                    file + ": " + found->demangled + ", " +
                                    kernel.demangled);
    found = &kernel;
  }
  if (found)
    return found;
  return makeInputError({}, file + " has no kernel '" + launch.kernel + "'" +
                                didYouMean(launch.kernel, names));
}

/// The problem's fields that the kernel has integers for.
static LaunchConfig withProblem(const MeasuredLaunch &measured,
                                const KernelSummary &summary) {
  LaunchConfig launch = measured.launch;
  for (const Argument &argument : summary.arguments)
    if (auto field = measured.problem.find(argument.name);
        argument.kind == Argument::Kind::Integer &&
        field != measured.problem.end())
      launch.arguments[field->first] = {field->second, LaunchOrigin::File};
  return launch;
}

/// \p launch with the sizes of objects that the source allocates for it.
static LaunchConfig withObjects(LaunchConfig launch,
                                const KernelSummary &summary,
                                llvm::ArrayRef<LaunchConfig> source) {
  for (LaunchConfig &same : chooseLaunches(summary, {launch}, source))
    launch.objectsInBytes = std::move(same.objectsInBytes);
  return launch;
}

/// Whether what ran had other arguments than what was measured.
static bool haveOtherArguments(const LaunchConfig &measured,
                               const LaunchConfig &ran) {
  return llvm::any_of(measured.arguments, [&](const auto &argument) {
    auto other = ran.arguments.find(argument.first);
    return other != ran.arguments.end() &&
           other->second.value != argument.second.value;
  });
}

static bool isRunOf(const LaunchConfig &ran, const MeasuredLaunch &measured,
                    const KernelSummary &summary) {
  if (!isCalled(measured.launch.kernel, summary) ||
      ran.grid->value != measured.launch.grid->value ||
      ran.block->value != measured.launch.block->value)
    return false;
  auto resolved = resolveArguments(withProblem(measured, summary), summary);
  if (resolved)
    return !haveOtherArguments(*resolved, ran);
  llvm::consumeError(resolved.takeError());
  return false;
}

/// The launches of runs that did what was measured, and their kernels. Several
/// differ by what they did with their data.
static std::vector<std::pair<const LaunchGroup *, const KernelSummary *>>
findRuns(const MeasuredLaunch &measured, llvm::ArrayRef<RunRecord> runs) {
  std::vector<std::pair<const LaunchGroup *, const KernelSummary *>> found;
  for (const RunRecord &run : runs)
    for (const LaunchGroup &group : run.launches) {
      const KernelSummary *summary = run.find(group.launch.kernel);
      if (isRunOf(group.launch, measured, *summary))
        found.emplace_back(&group, summary);
    }
  return found;
}

/// What the record has and \p predicted too.
static std::vector<CountPair> countedPairs(const MeasuredLaunch &measured,
                                           const ComparedTimes &predicted) {
  std::vector<CountPair> pairs;
  for (const ProfilerCount &count : predicted.counts)
    if (auto found = measured.counters.find(count.metric->id.str());
        found != measured.counters.end())
      pairs.push_back({count.metric->name.str(), {count.value, found->second}});
  if (!measured.areRegistersRecorded)
    return pairs;
  auto add = [&](StringRef name, double value, double recorded) {
    pairs.push_back({name.str(), {value, recorded}});
  };
  add("registers", predicted.ownResidency.registers,
      predicted.residency.registers);
  add("resident warps", predicted.ownResidency.warpsPerSM,
      predicted.residency.warpsPerSM);
  return pairs;
}

static void keep(Expected<ComparedTimes> times, ValidatedLaunch &result) {
  if (!times) {
    result.problem = llvm::toString(times.takeError());
    return;
  }
  result.counted = countedPairs(result.measured, *times);
  result.times = std::move(times->times);
  result.limiter = std::move(times->limiter);
  if (!times->unknowns.empty())
    result.unknown = times->unknowns.front();
}

/// The kernel as it was compiled for the measurement, where the record says it.
/// Local memory beyond what the kernel has in any case holds spills.
static KernelSummary asCompiled(KernelSummary kernel,
                                const MeasuredLaunch &measured) {
  kernel.staticSharedInBytes =
      measured.staticShared.value_or(kernel.staticSharedInBytes);
  constexpr uint64_t WordInBytes = 4;
  uint64_t local = measured.local.value_or(0);
  if (local > kernel.localInBytes)
    addSpills(kernel, (local - kernel.localInBytes) / WordInBytes);
  return kernel;
}

static void predictOne(const KernelSummary &summary, const LaunchConfig &launch,
                       const GPU &gpu, const ValidationOptions &options,
                       const LaunchGroup *run, ValidatedLaunch &result) {
  keep(compareModels(asCompiled(summary, result.measured), launch, gpu,
                     options.models, run),
       result);
}

namespace {

/// The kernels of a source, or why there are none.
struct KernelsOfCode {
  SummaryDocument document;
  std::string problem;

  KernelsOfCode(const CodeReader &read, const KernelCode &code) {
    if (auto kernels = read(code))
      document = std::move(*kernels);
    else
      problem = llvm::toString(kernels.takeError());
  }

  bool has(const LaunchConfig &launch) const {
    return llvm::any_of(document.kernels, [&](const KernelSummary &kernel) {
      return isCalled(launch.kernel, kernel);
    });
  }
};

/// Sorts launches by the code they need: each code is read, asked for all its
/// launches, and forgotten, in a task of its own.
class MeasuredPredictor {
public:
  explicit MeasuredPredictor(const ValidationOptions &options)
      : options(options), sources(options.folders) {}

  /// \p result outlives predictAll.
  void add(ValidatedLaunch &result);
  void predictAll();

private:
  struct Task {
    const GPU *gpu;
    ValidatedLaunch *result;
  };

  const ValidationOptions &options;
  SourceFinder sources;
  GPUs gpus;
  std::map<KernelCode, std::vector<Task>> tasks;

  void predictRun(const LaunchGroup &run, const KernelSummary &summary,
                  const GPU &gpu, ValidatedLaunch &result) const;
  void predictCode(const KernelCode &code, llvm::ArrayRef<Task> launches) const;
};

} // namespace

void MeasuredPredictor::add(ValidatedLaunch &result) {
  MeasuredLaunch &measured = result.measured;
  result.problem = measured.problemText;
  // One name, whether or not it can be predicted.
  const std::string asked = measured.gpu;
  auto gpu = gpus.find(asked, Clocks());
  if (gpu) {
    measured.gpu = (*gpu)->name;
    gpu = gpus.find(asked, measured.clocks);
  }
  if (!result.problem.empty())
    return llvm::consumeError(gpu.takeError());
  if (!gpu)
    return keep(gpu.takeError(), result);
  auto found = findRuns(measured, options.runs);
  if (found.size() > 1) {
    result.problem = "the runs made this launch in " +
                     std::to_string(found.size()) +
                     " ways, which did different things; record the one that "
                     "was measured alone";
    return;
  }
  if (!found.empty())
    return predictRun(*found.front().first, *found.front().second, **gpu,
                      result);
  auto file = sources.find(measured);
  if (!file)
    return keep(file.takeError(), result);
  tasks[{std::move(*file), measured.flags, "", (*gpu)->arch}].push_back(
      {*gpu, &result});
}

/// The counts of a run, with what was recorded of the compiled kernel.
void MeasuredPredictor::predictRun(const LaunchGroup &run,
                                   const KernelSummary &summary, const GPU &gpu,
                                   ValidatedLaunch &result) const {
  result.counts = CountOrigin::Run;
  LaunchGroup stated = run;
  stated.launch.registers = result.measured.launch.registers;
  stated.launch.maxBlocksPerSM = result.measured.launch.maxBlocksPerSM;
  predictOne(summary, stated.launch, gpu, options, &stated, result);
}

void MeasuredPredictor::predictCode(const KernelCode &code,
                                    llvm::ArrayRef<Task> launches) const {
  const KernelsOfCode given(options.readCode, code);
  std::map<std::string, KernelsOfCode> asked;
  for (const Task &task : launches) {
    const LaunchConfig &launch = task.result->measured.launch;
    const KernelsOfCode *source = &given;
    if (given.problem.empty() && StringRef(launch.kernel).contains('<') &&
        !given.has(launch)) {
      KernelCode instance = code;
      instance.instance = launch.kernel;
      source = &asked.try_emplace(launch.kernel, options.readCode, instance)
                    .first->second;
    }
    task.result->problem = source->problem;
    if (!source->problem.empty())
      continue;
    auto kernel =
        findKernel(launch, source->document.kernels, path::filename(code.file));
    if (kernel)
      predictOne(**kernel,
                 withObjects(withProblem(task.result->measured, **kernel),
                             **kernel, source->document.launches),
                 *task.gpu, options, nullptr, *task.result);
    else
      keep(kernel.takeError(), *task.result);
  }
}

void MeasuredPredictor::predictAll() {
  llvm::DefaultThreadPool pool;
  for (const auto &[code, launches] : tasks)
    pool.async([this, &code = code, &launches = launches] {
      predictCode(code, launches);
    });
  pool.wait();
}

std::vector<ValidatedLaunch>
auspex::predictMeasured(std::vector<MeasuredLaunch> launches,
                        const ValidationOptions &options) {
  std::vector<ValidatedLaunch> results(launches.size());
  MeasuredPredictor predictor(options);
  for (auto [launch, result] : llvm::zip(launches, results)) {
    result.measured = std::move(launch);
    predictor.add(result);
  }
  predictor.predictAll();
  return results;
}
