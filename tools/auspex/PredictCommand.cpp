// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex predict: the time of every launch of the kernels in the files given.
#include "Command.h"

#include "PredictionInput.h"
#include "auspex/HW/Clocks.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Model/Predict.h"
#include "auspex/Report/IgnoreComments.h"
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
static cl::opt<double> CoreClock("core-clock", cl::sub(Sub),
                                 cl::value_desc("MHz"),
                                 cl::desc("Predict at this clock of the SMs"));
static cl::opt<double>
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

namespace {
/// Goes through files and GPUs and keeps the predictions.
class Predictor {
public:
  Predictor(std::vector<GPU> gpus, Clocks clocks,
            std::vector<LaunchConfig> stated, std::string assembler)
      : gpus(std::move(gpus)), clocks(clocks), stated(std::move(stated)),
        assembler(std::move(assembler)), use(this->stated) {}

  llvm::Error addFile(StringRef file) {
    auto kernels = readKernels(file, gpus, assembler);
    if (!kernels)
      return kernels.takeError();
    for (const KernelsOnGPU &compiled : *kernels) {
      auto gpu = atClocks(compiled.gpu, clocks);
      if (!gpu)
        return gpu.takeError();
      add(*compiled.document, *gpu);
    }
    return llvm::Error::success();
  }

  /// A launch that is for none of the kernels is a mistake.
  llvm::Error checkUse() const { return use.check(); }

  const std::vector<Prediction> &predictions() const { return results; }

  /// What sources say is not to be shown, and what is wrong with that.
  std::vector<std::string> ignoreFindings() {
    IgnoreComments comments;
    for (Prediction &prediction : results)
      comments.apply(prediction);
    return comments.complaints();
  }

  /// The launches that cannot be, as one error for each.
  llvm::Error refusals() const {
    llvm::Error all = llvm::Error::success();
    for (const std::string &text : refused)
      all = llvm::joinErrors(std::move(all), makeInputError({}, text));
    return all;
  }

private:
  std::vector<GPU> gpus;
  Clocks clocks;
  std::vector<LaunchConfig> stated;
  std::string assembler;
  LaunchUse use;
  std::vector<Prediction> results;
  /// Several GPUs may have the same to say.
  std::vector<std::string> refused;

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

static Clocks statedClocks() {
  Clocks clocks;
  if (CoreClock.getNumOccurrences())
    clocks.coreInMHz = CoreClock;
  if (MemoryClock.getNumOccurrences())
    clocks.memoryInMHz = MemoryClock;
  return clocks;
}

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
  auto gpus = findGPUs(GpuNames);
  if (!gpus)
    return gpus.takeError();
  auto launches = readLaunches(LaunchTexts, LaunchFiles);
  if (!launches)
    return launches.takeError();
  std::string assembler;
  if (Ptxas.getNumOccurrences() > 0)
    assembler = askedAssembler(Ptxas);
  Predictor predictor(std::move(*gpus), statedClocks(), std::move(*launches),
                      std::move(assembler));
  for (const std::string &file : Files)
    if (llvm::Error error = predictor.addFile(file))
      return std::move(error);
  if (llvm::Error error = predictor.checkUse())
    return std::move(error);
  for (const std::string &complaint : predictor.ignoreFindings())
    note(complaint);
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
