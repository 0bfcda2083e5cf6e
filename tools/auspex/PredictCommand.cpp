// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex predict: the time of every launch of the kernels in the files given.
#include "Command.h"

#include "KernelInput.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Model/Predict.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::SubCommand Sub("predict", "How long the kernels of a file take");
static cl::list<std::string> Files(cl::Positional, cl::sub(Sub),
                                   cl::desc("FILE... [-- clang flags]"));
static cl::list<std::string>
    GpuNames("gpu", cl::sub(Sub), cl::value_desc("name"),
             cl::desc("A GPU ('auspex gpu list'), an architecture or a "
                      "description's path; repeatable (default: the one of the "
                      "architecture compiled for)"));
static cl::list<std::string> LaunchTexts(
    "launch", cl::sub(Sub), cl::value_desc("k=..."),
    cl::desc("A launch, 'k=grid:4096x1x1,block:256,shared:0,n=1048576'; "
             "repeatable"));
static cl::list<std::string> LaunchFiles("launches", cl::sub(Sub),
                                         cl::value_desc("file"),
                                         cl::desc("A launches file (YAML); "
                                                  "repeatable"));
static cl::opt<std::string>
    Model("model", cl::sub(Sub), cl::value_desc("name"),
          cl::init("operational"),
          cl::desc("operational (default), mwp-cwp or gpuperf"));
static cl::opt<std::string>
    Ptxas("ptxas", cl::sub(Sub), cl::value_desc("path"), cl::ValueOptional,
          cl::desc("Ask ptxas for registers, not an estimate; its path, or "
                   "that of a toolkit, if it is not found by itself"));
static cl::opt<std::string> Output("o", cl::sub(Sub), cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Write there, not to stdout"));

namespace {
enum class Format { Text, Table, Json };
} // namespace

static ChoiceOption<Format> OutputFormat(
    "format", cl::sub(Sub), cl::desc("How to print"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Table, "table", "one line a launch"),
               clEnumValN(Format::Json, "json", "one JSON document")));

/// The launches of the command line and of launches files.
static Expected<std::vector<LaunchConfig>> statedLaunches() {
  std::vector<LaunchConfig> launches;
  for (const std::string &text : LaunchTexts) {
    auto launch = parseNamedLaunchText(text, {"--launch", 0, ""});
    if (!launch)
      return launch.takeError();
    launches.push_back(std::move(*launch));
  }
  for (const std::string &file : LaunchFiles) {
    auto more = loadLaunchFile(file);
    if (!more)
      return more.takeError();
    llvm::append_range(launches, *more);
  }
  return launches;
}

static Expected<std::vector<GPU>> namedGPUs() {
  std::vector<GPU> gpus;
  for (const std::string &name : GpuNames) {
    auto gpu = findGPU(name);
    if (!gpu)
      return gpu.takeError();
    gpus.push_back(std::move(*gpu));
  }
  return gpus;
}

/// Where nobody names a GPU, the architecture that is compiled for does.
static Expected<GPU> gpuOfArch(unsigned arch) {
  constexpr unsigned DefaultArch = 80;
  return findGPU("sm_" + std::to_string(arch ? arch : DefaultArch));
}

namespace {
/// Goes through files and GPUs and keeps the predictions.
class Predictor {
public:
  Predictor(std::vector<GPU> gpus, std::vector<LaunchConfig> stated,
            std::string assembler)
      : gpus(std::move(gpus)), stated(std::move(stated)),
        assembler(std::move(assembler)), use(this->stated) {}

  llvm::Error addFile(StringRef file) {
    auto kind = inputKind(file);
    if (!kind)
      return kind.takeError();
    return *kind == InputKind::Cuda ? addCuda(file) : addCompiled(file, *kind);
  }

  /// A launch that is for none of the kernels is a mistake.
  llvm::Error checkUse() const { return use.check(); }

  const std::vector<Prediction> &predictions() const { return results; }

  /// The launches that cannot be, as one error for each.
  llvm::Error refusals() const {
    llvm::Error all = llvm::Error::success();
    for (const std::string &text : refused)
      all = llvm::joinErrors(std::move(all), makeInputError({}, text));
    return all;
  }

private:
  std::vector<GPU> gpus;
  std::vector<LaunchConfig> stated;
  std::string assembler;
  LaunchUse use;
  std::vector<Prediction> results;
  /// Several GPUs may have the same to say.
  std::vector<std::string> refused;

  /// CUDA is compiled anew for every GPU.
  llvm::Error addCuda(StringRef file) {
    const std::vector<std::string> &flags = trailingArguments();
    std::vector<GPU> targets = gpus;
    if (targets.empty()) {
      auto arch = archInFlags(flags);
      if (!arch)
        return arch.takeError();
      auto gpu = gpuOfArch(*arch);
      if (!gpu)
        return gpu.takeError();
      targets.push_back(std::move(*gpu));
    }
    for (const GPU &gpu : targets) {
      auto document = compileCuda(file, gpu.arch, flags, assembler);
      if (!document)
        return document.takeError();
      noteIfEmpty(*document, file);
      add(*document, gpu);
    }
    return llvm::Error::success();
  }

  llvm::Error addCompiled(StringRef file, InputKind kind) {
    auto document =
        kind == InputKind::IR ? readIR(file, assembler) : readSummaryFile(file);
    if (!document)
      return document.takeError();
    noteIfEmpty(*document, file);
    std::vector<GPU> targets = gpus;
    if (targets.empty() && !document->kernels.empty()) {
      auto gpu = gpuOfArch(document->kernels.front().arch);
      if (!gpu)
        return gpu.takeError();
      targets.push_back(std::move(*gpu));
    }
    for (const GPU &gpu : targets)
      add(*document, gpu);
    return llvm::Error::success();
  }

  static void noteIfEmpty(const SummaryDocument &document, StringRef file) {
    if (document.kernels.empty())
      note(file + " has no kernels");
  }

  void add(const SummaryDocument &document, const GPU &gpu) {
    auto refuse = [this](llvm::Error error) {
      std::string text = llvm::toString(std::move(error));
      if (!llvm::is_contained(refused, text))
        refused.push_back(std::move(text));
    };
    for (const KernelSummary &summary : document.kernels) {
      use.note(summary);
      std::vector<LaunchConfig> launches =
          chooseLaunches(summary, stated, document.launches);
      llvm::append_range(results,
                         predictAll(summary, launches, gpu, Model, refuse));
    }
  }
};
} // namespace

static std::string render(const std::vector<Prediction> &predictions) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (OutputFormat) {
  case Format::Text:
    writePredictionsText(predictions, os);
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

static Expected<ExitCode> run() {
  if (Files.empty())
    return makeInputError({}, "predict needs a file: .cu, .ll, .bc or a "
                              "summary .json");
  if (llvm::Error error = checkModelName(Model))
    return std::move(error);
  auto gpus = namedGPUs();
  if (!gpus)
    return gpus.takeError();
  auto launches = statedLaunches();
  if (!launches)
    return launches.takeError();
  std::string assembler;
  if (Ptxas.getNumOccurrences() > 0) {
    auto found = findAssembler(Ptxas);
    if (found)
      assembler = std::move(*found);
    else
      note(llvm::toString(found.takeError()) + "; registers are estimated");
  }
  Predictor predictor(std::move(*gpus), std::move(*launches),
                      std::move(assembler));
  for (const std::string &file : Files)
    if (llvm::Error error = predictor.addFile(file))
      return std::move(error);
  if (llvm::Error error = predictor.checkUse())
    return std::move(error);
  llvm::Error refusals = predictor.refusals();
  if (refusals && predictor.predictions().empty())
    return std::move(refusals);
  if (llvm::Error error = writeFile(Output, render(predictor.predictions())))
    return llvm::joinErrors(std::move(refusals), std::move(error));
  if (refusals)
    return std::move(refusals);
  return ExitFine;
}

static Command Predict(Sub, run);
