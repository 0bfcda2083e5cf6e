// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex predict: the time of every launch of the kernels in the files given.
#include "Command.h"

#include "Project.h"
#include "auspex/HW/Clocks.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Model/Predict.h"
#include "auspex/Report/IgnoreComments.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Report/RemarkFilter.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <deque>
#include <set>

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("predict", "How long the kernels of a file take");
static cl::list<std::string> Files(cl::Positional, cl::sub(Sub),
                                   cl::desc("FILE... [-- clang flags]"));
static cl::opt<std::string>
    Project("p", cl::sub(Sub), cl::value_desc("path"),
            cl::desc("A compile_commands.json, of nvcc or clang, or its "
                     "folder: predict all CUDA sources in it, launched as all "
                     "of its sources do"));
static cl::list<std::string>
    GpuNames("gpu", cl::sub(Sub), cl::value_desc("name"),
             cl::desc("A GPU ('auspex gpu list'), an architecture or a "
                      "description's path; repeatable (default: the one of the "
                      "architecture compiled for)"));
static NumberOption<double>
    CoreClock("core-clock", cl::sub(Sub), cl::value_desc("MHz"),
              cl::desc("Predict at this clock of the SMs"));
static NumberOption<double>
    MemoryClock("memory-clock", cl::sub(Sub), cl::value_desc("MHz"),
                cl::desc("Predict at this memory clock, as nvidia-smi states "
                         "it"));
static cl::list<std::string> LaunchTexts(
    "launch", cl::sub(Sub), cl::value_desc("k=..."),
    cl::desc("A launch, 'k=grid:4096x1x1,block:256,shared:0,n=1048576'; "
             "repeatable"));
static cl::list<std::string> LaunchFiles("launches", cl::sub(Sub),
                                         cl::value_desc("file"),
                                         cl::desc("A launches file (YAML); "
                                                  "repeatable"));
static cl::opt<std::string> ProgramArguments(
    "program-args", cl::sub(Sub), cl::value_desc("'1024 10'"),
    cl::desc("What the program is run with, split as a shell does: the source "
             "says what it launches then"));
static cl::opt<std::string>
    Model("model", cl::sub(Sub), cl::value_desc("name"),
          cl::init("operational"),
          cl::desc("operational (default), mwp-cwp or gpuperf"));
static cl::opt<std::string>
    Ptxas("ptxas", cl::sub(Sub), cl::value_desc("path"), cl::ValueOptional,
          cl::desc("Ask ptxas for registers, not an estimate; its path, or "
                   "that of a toolkit, if it is not found by itself"));
static cl::list<std::string>
    Kernels("kernel", cl::sub(Sub), cl::value_desc("name"),
            cl::desc("Predict these kernels alone, as in --launch; "
                     "repeatable"));

namespace {
/// The options that choose what of the text is printed.
class FilterOptions {
public:
  FilterOptions() {
    for (const RemarkFilterOption &option : remarkFilterOptions()) {
      docs.push_back(("Of the text: " + option.doc).str());
      values.push_back(std::make_unique<cl::opt<std::string>>(
          option.name, cl::sub(Sub), cl::value_desc(option.value),
          cl::desc(docs.back())));
    }
  }

  Expected<RemarkFilter> read() const {
    RemarkFilter filter;
    for (auto [option, value] : llvm::zip(remarkFilterOptions(), values))
      if (value->getNumOccurrences())
        if (llvm::Error error = (filter.*option.set)(
                value->getValue(), {"", 0, ("--" + option.name).str()}))
          return std::move(error);
    return filter;
  }

private:
  std::deque<std::string> docs;
  std::vector<std::unique_ptr<cl::opt<std::string>>> values;
};
} // namespace

static FilterOptions Filters;
static cl::opt<std::string> Output("o", cl::sub(Sub), cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Write there, not to stdout; with "
                                            "-p a folder, for JSON, in which "
                                            "only what changed is redone"));

namespace {
enum class Format { Text, Table, Json };
} // namespace

static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Sub), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Table, "table", "one line a launch"),
               clEnumValN(Format::Json, "json", "one JSON document")));

namespace {
/// The launches of one file, and what is wrong with those that cannot be.
struct FilePredictions {
  std::vector<Prediction> predictions;
  /// Several GPUs may have the same to say.
  std::vector<std::string> refused;
  /// Kernels of libraries that nobody here launches.
  std::set<std::string> leftOut;
};

/// Predicts one file after the other and keeps what came of it.
class Predictor {
public:
  Predictor(Clocks clocks, std::vector<LaunchConfig> stated,
            llvm::ArrayRef<std::string> chosen)
      : clocks(clocks), stated(std::move(stated)), use(this->stated),
        wanted(chosen), isWantedFound(chosen.size()) {}

  /// Several threads may ask.
  Expected<FilePredictions>
  predict(llvm::ArrayRef<KernelsOnGPU> kernels) const {
    FilePredictions file;
    for (const KernelsOnGPU &compiled : kernels) {
      auto gpu = atClocks(compiled.gpu, clocks);
      if (!gpu)
        return gpu.takeError();
      predict(*compiled.document, *gpu, file);
    }
    return file;
  }

  /// Keeps what was predicted of \p kernels.
  void add(llvm::ArrayRef<KernelsOnGPU> kernels, FilePredictions file) {
    for (const KernelsOnGPU &compiled : kernels)
      for (const KernelSummary &summary : compiled.document->kernels)
        note(summary);
    llvm::move(file.predictions, std::back_inserter(results));
    for (std::string &text : file.refused)
      addOnce(std::move(text), refused);
    leftOut.merge(file.leftOut);
  }

  /// A name that is of none, or a launch that is for none of the kernels is a
  /// mistake.
  llvm::Error checkUse() const {
    for (size_t i = 0; i < wanted.size(); ++i)
      if (!isWantedFound[i])
        return makeInputError({"--kernel", 0, ""},
                              "there is no kernel '" + wanted[i] + "'" +
                                  knownKernels(wanted[i], names));
    return use.check();
  }

  const std::vector<Prediction> &predictions() const { return results; }

  /// Notes what is left out; leaves out of the predictions what sources say is
  /// not to be shown, and notes what is wrong with that.
  void tell() {
    if (!leftOut.empty())
      auspex::note(leftOutText());
    IgnoreComments comments;
    for (Prediction &prediction : results)
      comments.apply(prediction);
    for (const std::string &complaint :
         comments.complaints(/*areAllSeen=*/wanted.empty()))
      auspex::note(complaint);
  }

  /// The launches that cannot be, as one error for each.
  llvm::Error refusals() const {
    llvm::Error all = llvm::Error::success();
    for (const std::string &text : refused)
      all = llvm::joinErrors(std::move(all), makeInputError({}, text));
    return all;
  }

private:
  Clocks clocks;
  std::vector<LaunchConfig> stated;
  LaunchUse use;
  /// The names of --kernel, and whether each is one; without, all are wanted.
  std::vector<std::string> wanted;
  std::vector<bool> isWantedFound;
  std::vector<std::string> names;
  std::vector<Prediction> results;
  std::vector<std::string> refused;
  std::set<std::string> leftOut;

  /// What of libraries has no launch here, as one sentence.
  std::string leftOutText() const {
    bool isOne = leftOut.size() == 1;
    return "left out " + std::to_string(leftOut.size()) +
           (isOne ? " kernel of a library that is"
                  : " kernels of libraries that are") +
           " not launched by the sources; state a launch, or --kernel, for "
           "one: " +
           *leftOut.begin();
  }

  static void addOnce(std::string text, std::vector<std::string> &texts) {
    if (!llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  }

  void note(const KernelSummary &summary) {
    use.note(summary);
    names.push_back(summary.demangled);
    for (size_t i = 0; i < wanted.size(); ++i)
      if (isCalled(wanted[i], summary))
        isWantedFound[i] = true;
  }

  bool isWanted(const KernelSummary &summary) const {
    return wanted.empty() || llvm::any_of(wanted, [&](const std::string &name) {
             return isCalled(name, summary);
           });
  }

  void predict(const SummaryDocument &document, const GPU &gpu,
               FilePredictions &file) const {
    auto refuse = [&file](llvm::Error error) {
      addOnce(llvm::toString(std::move(error)), file.refused);
    };
    for (const KernelSummary &summary : document.kernels) {
      if (!isWanted(summary))
        continue;
      std::vector<LaunchConfig> launches =
          chooseLaunches(summary, stated, document.launches);
      if (wanted.empty() && isIdleOfLibrary(summary, launches))
        file.leftOut.insert(qualifiedName(summary.name));
      else
        llvm::append_range(file.predictions,
                           predictAll(summary, launches, gpu, Model, refuse));
    }
  }
};
} // namespace

static Clocks statedClocks() {
  Clocks clocks;
  if (CoreClock.getNumOccurrences())
    clocks.coreInMHz = CoreClock;
  if (MemoryClock.getNumOccurrences())
    clocks.memoryInMHz = MemoryClock;
  return clocks;
}

static std::string render(llvm::ArrayRef<Prediction> predictions,
                          const RemarkFilter &filter) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (OutputFormat) {
  case Format::Text:
    writePredictionsText(predictions, os, filter);
    break;
  case Format::Table:
    writePredictionsTable(predictions, os);
    break;
  case Format::Json:
    writePredictionsJSON(predictions, os);
    break;
  }
  return text;
}

static llvm::Error noFiles() {
  return makeInputError({}, "predict needs a file: .cu, .ll, .bc or a "
                            "summary .json; or -p and a "
                            "compile_commands.json");
}

static Expected<ExitCode> predictFiles(Predictor &predictor,
                                       llvm::ArrayRef<GPU> gpus,
                                       StringRef assembler,
                                       const RemarkFilter &filter) {
  std::vector<std::string> files, problems;
  for (const std::string &file : Files)
    if (!llvm::is_contained(files, file))
      files.push_back(file);
  auto program = readProgram(files, gpus, assembler, problems);
  if (!program)
    return program.takeError();
  for (const std::vector<KernelsOnGPU> &kernels : *program) {
    auto predicted = predictor.predict(kernels);
    if (!predicted)
      return predicted.takeError();
    predictor.add(kernels, std::move(*predicted));
  }
  if (llvm::Error error = predictor.checkUse())
    return std::move(error);
  predictor.tell();
  llvm::Error refusals = predictor.refusals();
  for (const std::string &problem : problems)
    refusals =
        llvm::joinErrors(std::move(refusals), makeInputError({}, problem));
  if (refusals && predictor.predictions().empty())
    return std::move(refusals);
  if (llvm::Error error =
          writeFile(Output, render(predictor.predictions(), filter)))
    return llvm::joinErrors(std::move(refusals), std::move(error));
  if (refusals)
    return std::move(refusals);
  return ExitFine;
}

//===----------------------------------------------------------------------===//
// Projects
//===----------------------------------------------------------------------===//

/// The folder in \p folder for what need not be compiled again: its files are
/// no predictions, which "auspex gate" would read.
static std::string keptIn(StringRef folder) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, ".auspex");
  return path.str().str();
}

static llvm::Error makeOutputFolder() {
  if (OutputFormat.getNumOccurrences() && OutputFormat != Format::Json)
    return makeInputError({"", 0, "--format"},
                          "with -p and -o only json is written");
  if (llvm::Error error = makeFolder(Output))
    return error;
  return makeFolder(keptIn(Output));
}

/// Files keep their times if they stay as they are.
static llvm::Error writeIfChanged(StringRef file, StringRef text) {
  if (auto before = llvm::MemoryBuffer::getFile(file))
    if ((*before)->getBuffer() == text)
      return llvm::Error::success();
  return writeFile(file, text);
}

/// Removes what earlier runs wrote for commands that are no more. Each has
/// something in the folder of what was kept, which is nobody else's.
static void removeOthers(llvm::ArrayRef<CompiledSource> sources) {
  std::set<std::string> names;
  for (const CompiledSource &source : sources)
    names.insert(source.command.name);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(keptIn(Output), error), end;
       it != end && !error; it.increment(error)) {
    StringRef name = llvm::sys::path::filename(it->path()).rsplit("-sm_").first;
    if (names.count(name.str()))
      continue;
    llvm::sys::fs::remove(Output + "/" + name + ".json");
    llvm::sys::fs::remove(it->path());
  }
}

/// Sources of C and C++ may be of parts that nobody here has what it takes to
/// compile.
static void noteUnreadHosts(llvm::ArrayRef<CompiledSource> sources) {
  for (const CompiledSource &source : sources)
    if (!source.problem.empty())
      note("the calls of " + source.command.file +
           " are not known: " + source.problem);
}

static void noteOutcomes(llvm::ArrayRef<CompiledSource> sources) {
  size_t failed = 0, kept = 0;
  for (const CompiledSource &source : sources)
    if (!source.problem.empty())
      ++failed;
    else if (source.isKept)
      ++kept;
  std::string text = std::to_string(sources.size()) + " sources: " +
                     std::to_string(sources.size() - failed - kept) +
                     " compiled";
  if (kept)
    text += ", " + std::to_string(kept) + " unchanged";
  if (failed)
    text += ", " + std::to_string(failed) + " not predicted";
  note(text);
}

/// One document a source; none where it is not predicted, lest old numbers are
/// taken for new ones. \p counts says how many \p predictions each has.
static llvm::Error writeDocuments(llvm::ArrayRef<CompiledSource> sources,
                                  llvm::ArrayRef<Prediction> predictions,
                                  llvm::ArrayRef<size_t> counts) {
  for (auto [source, count] : llvm::zip(sources, counts)) {
    std::string file = Output + "/" + source.command.name + ".json";
    if (!source.problem.empty()) {
      llvm::sys::fs::remove(file);
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    writePredictionsJSON(predictions.take_front(count), os);
    if (llvm::Error error = writeIfChanged(file, text))
      return error;
    predictions = predictions.drop_front(count);
  }
  return llvm::Error::success();
}

static Expected<ExitCode> predictProject(Predictor &predictor,
                                         llvm::ArrayRef<GPU> gpus,
                                         StringRef assembler,
                                         const RemarkFilter &filter) {
  auto commands = readCompileCommands(Project);
  if (!commands)
    return commands.takeError();
  bool hasFolder = Output != "-";
  if (hasFolder)
    if (llvm::Error error = makeOutputFolder())
      return std::move(error);
  size_t count = llvm::count_if(*commands, [](const CompileCommand &command) {
    return command.kind == InputKind::Cuda;
  });
  std::vector<FilePredictions> files(count);
  std::vector<CompiledSource> sources = compileProject(
      std::move(*commands), gpus, assembler, hasFolder ? keptIn(Output) : "",
      [&](size_t number, llvm::ArrayRef<KernelsOnGPU> kernels) -> llvm::Error {
        return predictor.predict(kernels).moveInto(files[number]);
      });
  if (hasFolder)
    removeOthers(sources);
  noteUnreadHosts(llvm::ArrayRef(sources).drop_front(count));
  sources.erase(sources.begin() + count, sources.end());
  for (const std::string &sentence : leftOut(sources, !gpus.empty()))
    note(sentence);
  std::vector<size_t> counts;
  for (auto [source, file] : llvm::zip(sources, files)) {
    counts.push_back(file.predictions.size());
    predictor.add(source.kernels, std::move(file));
  }
  predictor.tell();
  llvm::Error problems = predictor.refusals();
  std::set<StringRef> told;
  for (const CompiledSource &source : sources)
    if (!source.problem.empty() && told.insert(source.problem).second)
      problems = llvm::joinErrors(std::move(problems),
                                  makeInputError({}, source.problem));
  // A kernel that is not found may be in a source that does not compile.
  if (told.empty())
    problems = llvm::joinErrors(std::move(problems), predictor.checkUse());
  llvm::Error unwritten = llvm::Error::success();
  if (hasFolder) {
    unwritten = llvm::joinErrors(
        std::move(unwritten),
        writeDocuments(sources, predictor.predictions(), counts));
    noteOutcomes(sources);
  } else if (!predictor.predictions().empty()) {
    unwritten = llvm::joinErrors(
        std::move(unwritten),
        writeFile(Output, render(predictor.predictions(), filter)));
  }
  problems = llvm::joinErrors(std::move(problems), std::move(unwritten));
  if (problems)
    return std::move(problems);
  return ExitFine;
}

static Expected<ExitCode> run() {
  if (Files.empty() && Project.empty())
    return noFiles();
  if (!Files.empty() && !Project.empty())
    return makeInputError({"", 0, "-p"},
                          "the sources are those of the commands; "
                          "name no other files");
  if (llvm::Error error = checkModelName(Model))
    return std::move(error);
  auto gpus = findGPUs(GpuNames);
  if (!gpus)
    return gpus.takeError();
  auto launches = readLaunches(LaunchTexts, LaunchFiles);
  if (!launches)
    return launches.takeError();
  if (ProgramArguments.getNumOccurrences() > 0)
    addTrailingArgument("-fplugin-arg-auspex-program-args=" + ProgramArguments);
  auto assembler = Ptxas.getNumOccurrences() > 0
                       ? askedAssembler(Ptxas)
                       : llvm::Expected<std::string>("");
  if (!assembler)
    return assembler.takeError();
  auto filter = Filters.read();
  if (!filter)
    return filter.takeError();
  Predictor predictor(statedClocks(), std::move(*launches), Kernels);
  return Project.empty()
             ? predictFiles(predictor, *gpus, *assembler, *filter)
             : predictProject(predictor, *gpus, *assembler, *filter);
}

static Command Predict(Sub, run);
