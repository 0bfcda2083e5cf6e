// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm/Plugins/PassPlugin.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Report/SummaryText.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/WithColor.h"

using namespace auspex;

namespace {
using Printer = void (*)(const KernelSummary &, llvm::raw_ostream &);

class PrintPass : public llvm::PassInfoMixin<PrintPass> {
public:
  explicit PrintPass(Printer print) : print(print) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    auto summaries = summarizeModule(module, {llvm::OptimizationLevel::O0});
    if (!summaries) {
      llvm::WithColor::error() << llvm::toString(summaries.takeError()) << '\n';
      return llvm::PreservedAnalyses::all();
    }
    for (const KernelSummary &summary : *summaries)
      print(summary, llvm::outs());
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  Printer print;
};
} // namespace

static bool parsePass(llvm::StringRef name, llvm::ModulePassManager &passes,
                      llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
  if (name == "print<auspex-summary>")
    passes.addPass(PrintPass(printSummary));
  else if (name == "print<auspex-access>")
    passes.addPass(PrintPass(printAccesses));
  else
    return false;
  return true;
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Auspex", "0.1.0",
          [](llvm::PassBuilder &builder) {
            builder.registerPipelineParsingCallback(parsePass);
          }};
}
