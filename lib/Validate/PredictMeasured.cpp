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

/// One code, read once.
struct CodeEntry {
  SummaryDocument document;
  std::string problem;
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
    if (!matches(launch, kernel))
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

/// The launch of a run that did what was measured.
static const LaunchGroup *findRun(const MeasuredLaunch &launch,
                                  llvm::ArrayRef<RunRecord> runs,
                                  const KernelSummary *&summary) {
  for (const RunRecord &run : runs)
    for (const LaunchGroup &group : run.launches) {
      summary = run.find(group.launch.kernel);
      const LaunchConfig &ran = group.launch;
      if (matches(launch.launch, *summary) &&
          ran.grid->value == launch.launch.grid->value &&
          ran.block->value == launch.launch.block->value)
        return &group;
    }
  return nullptr;
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

static void keep(Expected<ComparedTimes> times, ValidatedLaunch &result) {
  if (!times) {
    result.problem = llvm::toString(times.takeError());
    return;
  }
  result.times = std::move(times->times);
  result.limiter = std::move(times->limiter);
  if (!times->unknowns.empty())
    result.unknown = times->unknowns.front();
}

static void predictOne(const KernelSummary &summary, const LaunchConfig &launch,
                       const GPU &gpu, const ValidationOptions &options,
                       const LaunchGroup *run, ValidatedLaunch &result) {
  const std::optional<uint64_t> &shared = result.measured.staticShared;
  if (!shared || *shared == summary.staticSharedInBytes)
    return keep(compareModels(summary, launch, gpu, options.models, run),
                result);
  KernelSummary changed = summary;
  changed.staticSharedInBytes = *shared;
  keep(compareModels(changed, launch, gpu, options.models, run), result);
}

static void predictFromCode(const CodeEntry &code, StringRef file,
                            const GPU &gpu, const ValidationOptions &options,
                            ValidatedLaunch &result) {
  if (!code.problem.empty()) {
    result.problem = code.problem;
    return;
  }
  auto kernel = findKernel(result.measured.launch, code.document.kernels,
                           path::filename(file));
  if (!kernel)
    return keep(kernel.takeError(), result);
  predictOne(**kernel, withProblem(result.measured, **kernel), gpu, options,
             nullptr, result);
}

std::vector<ValidatedLaunch>
auspex::predictMeasured(std::vector<MeasuredLaunch> launches,
                        const ValidationOptions &options) {
  SourceFinder sources(options.folders);
  GPUs gpus;
  std::map<KernelCode, CodeEntry> codes;
  llvm::DefaultThreadPool pool;
  std::vector<ValidatedLaunch> results(launches.size());
  std::vector<std::function<void()>> predictions;
  for (auto [launch, result] : llvm::zip(launches, results)) {
    result.measured = std::move(launch);
    MeasuredLaunch &measured = result.measured;
    result.problem = measured.problemText;
    auto gpu = gpus.find(measured.gpu, measured.clocks);
    if (!gpu) {
      std::string text = llvm::toString(gpu.takeError());
      if (result.problem.empty())
        result.problem = std::move(text);
      continue;
    }
    measured.gpu = (*gpu)->name;
    if (!result.problem.empty())
      continue;
    const KernelSummary *summary = nullptr;
    if (const LaunchGroup *run = findRun(measured, options.runs, summary)) {
      result.counts = CountOrigin::Run;
      predictions.push_back([&options, &result, gpu = *gpu, run, summary] {
        LaunchGroup stated = *run;
        stated.launch.registers = result.measured.launch.registers;
        stated.launch.maxBlocksPerSM = result.measured.launch.maxBlocksPerSM;
        predictOne(*summary, stated.launch, *gpu, options, &stated, result);
      });
      continue;
    }
    auto file = sources.find(measured);
    if (!file) {
      result.problem = llvm::toString(file.takeError());
      continue;
    }
    auto [code, isNew] =
        codes.try_emplace({std::move(*file), measured.flags, (*gpu)->arch});
    if (isNew)
      pool.async([&options, &key = code->first, &entry = code->second] {
        auto document = options.readCode(key);
        if (document)
          entry.document = std::move(*document);
        else
          entry.problem = llvm::toString(document.takeError());
      });
    predictions.push_back([&options, &result, gpu = *gpu, &code = *code] {
      predictFromCode(code.second, code.first.file, *gpu, options, result);
    });
  }
  pool.wait();
  for (std::function<void()> &prediction : predictions)
    pool.async(std::move(prediction));
  pool.wait();
  return results;
}
