// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex gate: whether what is predicted now is slower than what was.
#include "Command.h"

#include "PredictionInput.h"
#include "auspex/Gate/GateReport.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Support/File.h"
#include "auspex/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <functional>
#include <future>

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("gate", "Whether predictions got slower");
static cl::list<std::string>
    Sides(cl::Positional, cl::sub(Sub),
          cl::desc("BASE HEAD (predictions, a folder of them, or a baseline)"));
static cl::opt<std::string>
    MaxSlowdown("max-slowdown", cl::sub(Sub), cl::init("5%"),
                cl::value_desc("percent"),
                cl::desc("Trip if a launch is slower by more (default: 5%)"));
static cl::opt<std::string>
    MinTime("min-time", cl::sub(Sub), cl::init("0us"), cl::value_desc("time"),
            cl::desc("Trip only if it is slower by more than this too, 500ns, "
                     "1us, 2ms (default: 0)"));
static cl::opt<bool>
    Strict("strict", cl::sub(Sub),
           cl::desc("Trip on predictions that are unknown or newly less "
                    "certain"));
static cl::opt<std::string>
    AllowFile("allow", cl::sub(Sub), cl::value_desc("file"),
              cl::desc("Slowdowns that are accepted (YAML: kernel, limit, "
                       "reason, expires)"));
static cl::list<std::string>
    GpuNames("gpu", cl::sub(Sub), cl::value_desc("name"),
             cl::desc("Compare these GPUs alone; repeatable"));
static cl::list<std::string>
    Kernels("kernel", cl::sub(Sub), cl::value_desc("name"),
            cl::desc("Compare these kernels alone, as in --launch; "
                     "repeatable"));
static cl::opt<std::string>
    BaselineFile("write-baseline", cl::sub(Sub), cl::value_desc("file"),
                 cl::desc("Write HEAD, the only argument, as a small file to "
                          "keep and compare with"));
static cl::opt<std::string>
    Root("root", cl::sub(Sub), cl::value_desc("folder"),
         cl::desc("Name source files from here on (default: the current "
                  "folder)"));
static cl::opt<std::string> Output("o", cl::sub(Sub), cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Write there, not to stdout"));

namespace {
enum class Format { Text, Markdown, Json, Sarif, JUnit, GitHub };
} // namespace

static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Sub), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Markdown, "md",
                          "a comment on a merge request"),
               clEnumValN(Format::Json, "json", "one JSON document"),
               clEnumValN(Format::Sarif, "sarif", "SARIF 2.1.0"),
               clEnumValN(Format::JUnit, "junit", "JUnit XML"),
               clEnumValN(Format::GitHub, "github",
                          "annotations of GitHub's workflows")));

static Expected<GateOptions> readOptions() {
  GateOptions options;
  std::optional<double> share = parseShare(MaxSlowdown);
  if (!share)
    return makeInputError({"--max-slowdown", 0, ""},
                          "expected a percentage from 0 on such as 5%, found "
                          "'" +
                              MaxSlowdown + "'");
  options.maxSlowdown = *share;
  std::optional<double> time = parseTimeInUs(MinTime);
  if (!time)
    return makeInputError({"--min-time", 0, ""},
                          "expected a time from 0 on such as 500ns, 1us or "
                          "2ms, found '" +
                              MinTime + "'");
  options.minTimeInUs = *time;
  options.strict = Strict;
  if (AllowFile.empty())
    return options;
  auto entries = loadAllowList(AllowFile, Date::today());
  if (!entries)
    return entries.takeError();
  options.allowed = std::move(*entries);
  return options;
}

/// GPUs go by several names.
static Expected<std::vector<std::string>> chosenGPUs() {
  std::vector<std::string> names;
  for (const std::string &name : GpuNames) {
    auto gpu = findGPU(name);
    if (!gpu)
      return gpu.takeError();
    names.push_back(gpu->name);
  }
  return names;
}

static Expected<RecordSet> readSide(StringRef path) {
  auto set = readRecords(path);
  if (!set)
    return set.takeError();
  llvm::SmallString<128> folder(Root.getValue());
  if (folder.empty())
    if (std::error_code error = llvm::sys::fs::current_path(folder))
      return makeInputError({}, "the current folder: " + error.message());
  makeRelative(*set, folder);
  return set;
}

using Sets = llvm::ArrayRef<RecordSet *>;

/// A name that is nobody's is a mistake: the gate would always be open.
static Error checkFilters(Sets sets, llvm::ArrayRef<std::string> gpus) {
  std::vector<std::string> kernels, known;
  auto isThere = [&](auto isMeant) {
    return llvm::any_of(sets, [&](const RecordSet *set) {
      return llvm::any_of(set->records, isMeant);
    });
  };
  for (const RecordSet *set : sets) {
    llvm::append_range(known, set->gpus());
    for (const KernelRecord &record : set->records)
      kernels.push_back(record.qualifiedName());
  }
  for (std::vector<std::string> *names : {&kernels, &known}) {
    llvm::sort(*names);
    names->erase(llvm::unique(*names), names->end());
  }
  for (const std::string &gpu : gpus)
    if (!llvm::is_contained(known, gpu))
      return makeInputError({"--gpu", 0, ""}, "there are no predictions for " +
                                                  gpu + ", but for " +
                                                  llvm::join(known, ", "));
  for (const std::string &kernel : Kernels)
    if (!isThere([&](const auto &record) { return record.isCalled(kernel); }))
      return makeInputError({"--kernel", 0, ""},
                            "there is no kernel '" + kernel + "'" +
                                knownKernels(kernel, kernels));
  return Error::success();
}

/// Leaves what --gpu and --kernel name.
static Error choose(Sets sets, llvm::ArrayRef<std::string> gpus) {
  if (Error error = checkFilters(sets, gpus))
    return error;
  auto isChosen = [&](const KernelRecord &record) {
    return (gpus.empty() || llvm::is_contained(gpus, record.gpu)) &&
           (Kernels.empty() ||
            llvm::any_of(Kernels, [&](const std::string &name) {
              return record.isCalled(name);
            }));
  };
  for (RecordSet *set : sets)
    llvm::erase_if(set->records, std::not_fn(isChosen));
  return Error::success();
}

static std::string render(const GateResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (OutputFormat) {
  case Format::Text:
    writeGateText(result, os);
    break;
  case Format::Markdown:
    writeGateMarkdown(result, os);
    break;
  case Format::Json:
    writeGateJSON(result, os);
    break;
  case Format::Sarif:
    writeGateSARIF(result, AUSPEX_VERSION, os);
    break;
  case Format::JUnit:
    writeGateJUnit(result, os);
    break;
  case Format::GitHub:
    writeGateAnnotations(result, os);
    break;
  }
  return text;
}

static Expected<ExitCode> runWrite(llvm::ArrayRef<std::string> gpus) {
  if (Sides.size() != 1)
    return makeInputError({}, "gate --write-baseline takes one set of "
                              "predictions, the one to compare with later");
  auto set = readSide(Sides.front());
  if (!set)
    return set.takeError();
  if (Error error = choose({&*set}, gpus))
    return std::move(error);
  if (Error error = writeFile(BaselineFile, writeBaseline(*set)))
    return std::move(error);
  return ExitFine;
}

static Expected<ExitCode> run() {
  auto gpus = chosenGPUs();
  if (!gpus)
    return gpus.takeError();
  if (!BaselineFile.empty())
    return runWrite(*gpus);
  if (Sides.size() != 2)
    return makeInputError({}, "gate needs two sets of predictions, BASE and "
                              "HEAD: files, folders or a baseline");
  auto options = readOptions();
  if (!options)
    return options.takeError();
  // Reading takes most of the time.
  auto reader =
      std::async(std::launch::async, [] { return readSide(Sides[1]); });
  auto base = readSide(Sides[0]);
  auto head = reader.get();
  if (!base || !head)
    return llvm::joinErrors(base.takeError(), head.takeError());
  if (Error error = choose({&*base, &*head}, *gpus))
    return std::move(error);
  auto result = compareSets(*base, *head, std::move(*options));
  if (!result)
    return result.takeError();
  if (Error error = writeFile(Output, render(*result)))
    return std::move(error);
  return result->trips() ? ExitGateTripped : ExitFine;
}

static Command Gate(Sub, run);
