// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex validate: predictions against measurements.
#include "Command.h"

#include "KernelInput.h"
#include "auspex/Support/File.h"
#include "auspex/Support/Numbers.h"
#include "auspex/Support/TemporaryFile.h"
#include "auspex/Validate/ValidationReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("validate", "Predictions against measurements");
static cl::list<std::string>
    Files(cl::Positional, cl::sub(Sub),
          cl::desc("FILE|FOLDER... (.jsonl, .jsonl.gz, .csv) [-- clang "
                   "flags]"));
static cl::list<std::string>
    Folders("kernels", cl::sub(Sub), cl::value_desc("folder"),
            cl::desc("Where the kernels are: .cu, .ll, .bc or summaries "
                     "(.json); repeatable"));
static cl::list<std::string> Maps(
    "map", cl::sub(Sub), cl::value_desc("file"),
    cl::desc("What the records leave open (YAML): sources, grids, arguments; "
             "repeatable, the first entry that matches counts"));
static cl::list<std::string>
    Runs("run", cl::sub(Sub), cl::value_desc("file"),
         cl::desc("Take counts from what a program did, where it made the "
                  "launch ('auspex run --record'); repeatable"));
static cl::list<std::string> Models(
    "model", cl::sub(Sub), cl::value_desc("name"),
    cl::desc("operational (default), mwp-cwp or gpuperf; repeatable: they "
             "stand side by side, the first says what is furthest off"));
static cl::list<std::string> GpuNames(
    "gpu", cl::sub(Sub), cl::value_desc("name"),
    cl::desc(
        "Take these GPUs alone, and count the others in a note; repeatable"));
static cl::list<std::string>
    Kernels("kernel", cl::sub(Sub), cl::value_desc("name"),
            cl::desc("Take these kernels alone, by the names the records "
                     "have; repeatable"));
static cl::opt<std::string>
    MinTime("min-time", cl::sub(Sub), cl::init("0us"), cl::value_desc("time"),
            cl::desc("Leave out what took less time, 500ns, 1us, 2ms"));
static NumberOption<unsigned>
    Every("every", cl::sub(Sub), cl::value_desc("n"), cl::init(1),
          cl::desc("Take every n-th record of a file, from the first on"));

namespace {
enum class Format { Text, Markdown, Csv, Json, Svg };
enum class By { Gpu, Kernel };
} // namespace

static ChoiceOption<By>
    SetsBy("by", cl::sub(Sub), cl::desc("What a set is"), cl::init(By::Gpu),
           cl::values(clEnumValN(By::Gpu, "gpu", "a file and a GPU (default)"),
                      clEnumValN(By::Kernel, "kernel", "these and a kernel")));
static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Sub), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Markdown, "md", "tables for a page"),
               clEnumValN(Format::Csv, "csv", "a row a record"),
               clEnumValN(Format::Json, "json", "one JSON document"),
               clEnumValN(Format::Svg, "svg",
                          "a plot of predicted against measured times")));
static cl::opt<std::string> Output("o", cl::sub(Sub), cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Write there, not to stdout"));

/// One name of a GPU for all it goes by; what is none stays as it is.
static const std::string &oneName(const std::string &name) {
  static std::map<std::string, std::string> known;
  auto [found, isNew] = known.try_emplace(name, name);
  if (!isNew)
    return found->second;
  if (auto gpu = findGPU(name))
    found->second = gpu->name;
  else
    llvm::consumeError(gpu.takeError());
  return found->second;
}

/// Whether --gpu, --kernel and --min-time want a launch.
static bool isWanted(const MeasuredLaunch &launch, double minTimeInUs) {
  auto isThisGPU = [&](const std::string &name) {
    return oneName(name) == oneName(launch.gpu);
  };
  if (!GpuNames.empty() && llvm::none_of(GpuNames, isThisGPU))
    return false;
  if (!Kernels.empty() && !llvm::is_contained(Kernels, launch.kernel))
    return false;
  return !launch.problemText.empty() || launch.measuredInUs >= minTimeInUs;
}

/// Leaves of \p unseen, fields that a map matches by, those \p record lacks.
static void removeSeen(const Measurement &record,
                       std::map<std::string, Place> &unseen) {
  for (auto field = unseen.begin(); field != unseen.end();)
    field = record.find(field->first) ? unseen.erase(field) : std::next(field);
}

static Error readFile(StringRef file, const KernelMap &map, double minTimeInUs,
                      std::map<std::string, Place> &unseen,
                      std::vector<MeasuredLaunch> &launches) {
  auto records = readMeasurements(file);
  if (!records)
    return records.takeError();
  size_t unwanted = 0;
  for (size_t i = 0; i < records->size(); i += Every) {
    removeSeen((*records)[i], unseen);
    auto launch = map.interpret((*records)[i]);
    if (!launch)
      return launch.takeError();
    if (isWanted(*launch, minTimeInUs))
      launches.push_back(std::move(*launch));
    else
      ++unwanted;
  }
  if (unwanted)
    note(file + ": " + llvm::Twine(unwanted) +
         " records are left out by --gpu, --kernel or --min-time");
  return Error::success();
}

static Expected<std::vector<MeasuredLaunch>> readAll() {
  std::optional<double> minTimeInUs = parseTimeInUs(MinTime);
  if (!minTimeInUs)
    return makeInputError({"--min-time", 0, ""},
                          "expected a time from 0 on such as 500ns, 1us or "
                          "2ms, found '" +
                              MinTime + "'");
  KernelMap map;
  for (const std::string &file : Maps)
    if (Error error = map.addFile(file))
      return std::move(error);
  std::vector<MeasuredLaunch> launches;
  std::map<std::string, Place> unseen = map.matchedFields();
  for (const std::string &given : Files) {
    auto files = measurementFiles(given);
    if (!files)
      return files.takeError();
    for (const std::string &file : *files)
      if (Error error = readFile(file, map, *minTimeInUs, unseen, launches))
        return std::move(error);
  }
  for (const auto &[field, place] : unseen)
    note(place.file + ":" + llvm::Twine(place.line) +
         ": no record has the field " + field + " that this entry matches by");
  if (launches.empty())
    return makeInputError({}, "there is no record to validate with in " +
                                  llvm::join(Files, ", "));
  return launches;
}

/// Compiles a source that includes that of \p code and asks for the instance:
/// a header has none by itself.
static Expected<SummaryDocument>
compileInstance(const KernelCode &code, llvm::ArrayRef<std::string> flags) {
  llvm::SmallString<256> included(code.file);
  if (std::error_code error = llvm::sys::fs::make_absolute(included))
    return makeInputError({code.file, 0, ""}, error.message());
  auto source = TemporaryFile::create("cu");
  if (!source)
    return source.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#include \"" << included << "\"\nvoid auspexInstance() { (void)&"
     << code.instance << "; }\n";
  if (Error error = writeFile(source->path(), text))
    return std::move(error);
  return compileCuda(source->path(), code.arch, flags, ProgramCompiler::Nvcc,
                     "", /*quiet=*/true);
}

static Expected<SummaryDocument> readCode(const KernelCode &code) {
  if (StringRef(code.file).ends_with(".json"))
    return readSummaryFile(code.file);
  if (StringRef(code.file).ends_with(".ll") ||
      StringRef(code.file).ends_with(".bc"))
    return readIR(code.file, "");
  std::vector<std::string> flags = flagsForClang(code.flags);
  // It is compiled for the GPU that it ran on.
  llvm::erase_if(flags, [](StringRef flag) {
    return flag.starts_with("--offload-arch=");
  });
  llvm::append_range(flags, flagsForClang(trailingArguments()));
  return code.instance.empty()
             ? compileCuda(code.file, code.arch, flags, ProgramCompiler::Nvcc,
                           "", /*quiet=*/true)
             : compileInstance(code, flags);
}

static Expected<ValidationOptions> readOptions() {
  if (Files.empty())
    return makeInputError({}, "validate needs measurements: files or folders "
                              "of .jsonl, .jsonl.gz or .csv");
  if (Every == 0)
    return makeInputError({"", 0, "--every"}, "expected at least 1");
  ValidationOptions options;
  options.models = Models;
  if (options.models.empty())
    options.models.push_back(modelNames().front());
  for (const std::string &model : options.models)
    if (Error error = checkModelName(model))
      return std::move(error);
  options.folders = Folders;
  options.readCode = readCode;
  for (const std::string &file : Runs) {
    auto document = loadDocument(file);
    if (!document)
      return document.takeError();
    auto run = readRunRecord(*document);
    if (!run)
      return run.takeError();
    options.runs.push_back(std::move(*run));
  }
  return options;
}

static std::string render(const Validation &validation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (OutputFormat) {
  case Format::Text:
    writeValidationText(validation, os);
    break;
  case Format::Markdown:
    writeValidationMarkdown(validation, os);
    break;
  case Format::Csv:
    writeValidationCSV(validation, os);
    break;
  case Format::Json:
    writeValidationJSON(validation, os);
    break;
  case Format::Svg:
    writeValidationSVG(validation, os);
    break;
  }
  return text;
}

static Expected<ExitCode> run() {
  auto options = readOptions();
  if (!options)
    return options.takeError();
  auto launches = readAll();
  if (!launches)
    return launches.takeError();
  Validation validation = score(predictMeasured(std::move(*launches), *options),
                                options->models, SetsBy == By::Kernel);
  if (Error error = writeFile(Output, render(validation)))
    return std::move(error);
  return ExitFine;
}

static Command Validate(Sub, run);
