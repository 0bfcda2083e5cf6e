// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex predict: the time of every launch of the kernels in the files given.
#include "Command.h"

#include "PredictionInput.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Kernel/KernelNames.h"
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

namespace {
/// Goes through files and GPUs and keeps the predictions.
class Predictor {
public:
  Predictor(std::vector<GPU> gpus, std::vector<LaunchConfig> stated,
            std::string assembler)
      : gpus(std::move(gpus)), stated(std::move(stated)),
        assembler(std::move(assembler)), isUsed(this->stated.size()) {}

  llvm::Error addFile(StringRef file) {
    auto kernels = readKernels(file, gpus, assembler);
    if (!kernels)
      return kernels.takeError();
    for (const KernelsOnGPU &compiled : *kernels)
      if (llvm::Error error = add(*compiled.document, compiled.gpu))
        return error;
    return llvm::Error::success();
  }

  /// A launch that is for none of the kernels is a mistake.
  llvm::Error finish() const {
    for (size_t i = 0; i < stated.size(); ++i)
      if (!isUsed[i])
        return makeInputError(
            {stated[i].location.file, stated[i].location.line, "kernel"},
            "there is no kernel '" + stated[i].kernel + "'" +
                knownKernels(stated[i].kernel, kernelNames));
    return llvm::Error::success();
  }

  const std::vector<Prediction> &predictions() const { return results; }

private:
  std::vector<GPU> gpus;
  std::vector<LaunchConfig> stated;
  std::string assembler;
  std::vector<bool> isUsed;
  std::vector<std::string> kernelNames;
  std::vector<Prediction> results;

  llvm::Error add(const SummaryDocument &document, const GPU &gpu) {
    for (const KernelSummary &summary : document.kernels) {
      std::string name = qualifiedName(summary.name);
      if (!llvm::is_contained(kernelNames, name))
        kernelNames.push_back(std::move(name));
      noteUsed(summary);
      std::vector<LaunchConfig> launches =
          chooseLaunches(summary, stated, document.launches);
      auto made = predictAll(summary, launches, gpu, Model);
      if (!made)
        return made.takeError();
      llvm::append_range(results, *made);
    }
    return llvm::Error::success();
  }

  void noteUsed(const KernelSummary &summary) {
    for (size_t i = 0; i < stated.size(); ++i)
      if (matches(stated[i], summary))
        isUsed[i] = true;
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
  if (!llvm::is_contained(modelNames(), Model))
    return makeInputError({}, "unknown model '" + Model + "'; there is " +
                                  llvm::join(modelNames(), ", "));
  auto gpus = findGPUs(GpuNames);
  if (!gpus)
    return gpus.takeError();
  auto launches = readLaunches(LaunchTexts, LaunchFiles);
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
  if (llvm::Error error = predictor.finish())
    return std::move(error);
  if (llvm::Error error = writeFile(Output, render(predictor.predictions())))
    return std::move(error);
  return ExitFine;
}

static Command Predict(Sub, run);
