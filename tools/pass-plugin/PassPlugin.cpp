// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The passes for opt. Each prints what the rooms compute and changes nothing:
///
///   print<auspex-summary>                    what the kernels do
///   print<auspex-summary;json>               the same as a summary document
///   print<auspex-access>                     their memory accesses
///   print<auspex-prediction;gpu=A100-40GB;launch=saxpy=grid:4096;block:256>
///
/// Parameters are separated by semicolons, as pass parameters are, and so are
/// the parts of a launch, whose commas the pipeline parser would take.
#include "llvm/Plugins/PassPlugin.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Model/Predict.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Report/SummaryText.h"
#include "auspex/Support/Containment.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace auspex;

/// Takes the IR as it is: nothing but code generation is left to come. In a
/// context of its own, which goes with it if that fails.
static llvm::Expected<std::vector<KernelSummary>>
summarize(llvm::StringRef bitcode) {
  llvm::LLVMContext context;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, ""), context);
  if (!module)
    return module.takeError();
  AnalysisOptions options{llvm::OptimizationLevel::O0};
  return summarizeModule(**module, options);
}

namespace {

/// The parameters of print<auspex-prediction>.
struct PredictionParameters {
  std::string gpu, model = modelNames().front();
  std::vector<LaunchConfig> launches;
};

/// Prints what \p print makes of the module's summaries.
class SummaryPass : public llvm::PassInfoMixin<SummaryPass> {
public:
  using Print = std::function<llvm::Error(llvm::ArrayRef<KernelSummary>)>;
  explicit SummaryPass(Print print) : print(std::move(print)) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream os(bitcode);
    llvm::WriteBitcodeToFile(module, os);
    auto summaries = makeContained<std::vector<KernelSummary>>(
        [&] { return summarize({bitcode.data(), bitcode.size()}); });
    llvm::Error error = summaries ? print(*summaries) : summaries.takeError();
    if (summaries && summaries->empty())
      llvm::errs() << "note: " << module.getModuleIdentifier()
                   << " has no kernels\n";
    llvm::handleAllErrors(std::move(error),
                          [&](const llvm::ErrorInfoBase &info) {
                            module.getContext().emitError(info.message());
                          });
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  Print print;
};

} // namespace

static llvm::Expected<PredictionParameters>
parseParameters(llvm::StringRef text) {
  PredictionParameters parameters;
  std::vector<std::string> launchTexts;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    if (part.consume_front("gpu="))
      parameters.gpu = part.str();
    else if (part.consume_front("model=")) {
      if (llvm::Error error = checkModelName(part))
        return std::move(error);
      parameters.model = part.str();
    } else if (part.consume_front("launch="))
      launchTexts.push_back(part.str());
    else if (!launchTexts.empty())
      launchTexts.back() += "," + part.str();
    else
      return makeInputError({}, "auspex-prediction has no parameter '" + part +
                                    "'; it has gpu=, model= and launch=");
  for (const std::string &launchText : launchTexts) {
    auto launch = parseNamedLaunchText(launchText, {"launch", 0, ""});
    if (!launch)
      return launch.takeError();
    parameters.launches.push_back(std::move(*launch));
  }
  return parameters;
}

static llvm::Error printPredictions(const PredictionParameters &parameters,
                                    llvm::ArrayRef<KernelSummary> summaries) {
  std::vector<Prediction> predictions;
  LaunchUse use(parameters.launches);
  llvm::Error problems = llvm::Error::success();
  for (const KernelSummary &summary : summaries) {
    use.note(summary);
    auto gpu =
        findGPU(parameters.gpu.empty() ? "sm_" + std::to_string(summary.arch)
                                       : parameters.gpu);
    if (!gpu)
      return llvm::joinErrors(std::move(problems), gpu.takeError());
    llvm::append_range(
        predictions,
        predictAll(summary, chooseLaunches(summary, parameters.launches, {}),
                   *gpu, parameters.model, [&](llvm::Error error) {
                     problems = llvm::joinErrors(std::move(problems),
                                                 std::move(error));
                   }));
  }
  writePredictionsText(predictions, llvm::outs());
  return llvm::joinErrors(std::move(problems), use.check());
}

static SummaryPass::Print printEach(void (*print)(const KernelSummary &,
                                                  llvm::raw_ostream &)) {
  return [=](llvm::ArrayRef<KernelSummary> summaries) {
    for (const KernelSummary &summary : summaries)
      print(summary, llvm::outs());
    return llvm::Error::success();
  };
}

static llvm::Error printDocument(llvm::ArrayRef<KernelSummary> summaries) {
  llvm::outs() << writeSummaries(summaries);
  return llvm::Error::success();
}

static bool parsePass(llvm::StringRef name, llvm::ModulePassManager &passes,
                      llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
  if (name == "print<auspex-summary>") {
    passes.addPass(SummaryPass(printEach(printSummary)));
    return true;
  }
  if (name == "print<auspex-summary;json>") {
    passes.addPass(SummaryPass(printDocument));
    return true;
  }
  if (name.starts_with("print<auspex-summary;")) {
    llvm::errs() << "error: auspex-summary has one parameter: json\n";
    return false;
  }
  if (name == "print<auspex-access>") {
    passes.addPass(SummaryPass(printEach(printAccesses)));
    return true;
  }
  if (!name.consume_front("print<auspex-prediction") || !name.consume_back(">"))
    return false;
  auto parameters = parseParameters(name);
  if (!parameters) {
    // opt then says that it does not know the pass; this line says why.
    llvm::errs() << "error: " << llvm::toString(parameters.takeError()) << '\n';
    return false;
  }
  passes.addPass(SummaryPass(
      [parameters = *parameters](llvm::ArrayRef<KernelSummary> summaries) {
        return printPredictions(parameters, summaries);
      }));
  return true;
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Auspex", AUSPEX_VERSION,
          [](llvm::PassBuilder &builder) {
            builder.registerPipelineParsingCallback(parsePass);
          }};
}
