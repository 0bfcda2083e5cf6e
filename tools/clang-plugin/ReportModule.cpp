// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportModule.h"

#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Report/LaunchText.h"
#include "auspex/Report/SummaryText.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace auspex;

static void printDebug(llvm::ArrayRef<KernelSummary> summaries,
                       const LaunchSet &launches, llvm::raw_ostream &os) {
  if (!launches.hostCodeSeen)
    os << "host code not seen\n";
  for (const LaunchConfig &launch : launches.launches)
    printLaunch(launch, os);
  for (const SourceLocation &location : launches.unknownKernels)
    os << "launch of an unknown kernel at " << location.str() << '\n';
  for (const KernelSignature &kernel : launches.kernels) {
    os << "signature " << kernel.name << ":";
    for (const KernelSignature::Parameter &parameter : kernel.parameters)
      os << " [" << parameter.type << " " << parameter.name << "]";
    os << (kernel.isTemplateInstance ? " template instance" : "") << '\n';
  }
  for (const KernelSummary &summary : summaries) {
    os << "arguments " << summary.name << ":";
    for (const Argument &argument : summary.arguments)
      os << " " << argument.name;
    os << '\n';
    printSummary(summary, os);
  }
}

void auspex::reportModule(llvm::Module &module,
                          std::vector<KernelSummary> summaries,
                          const LaunchSet &launches,
                          const PluginOptions &options) {
  for (KernelSummary &summary : summaries)
    nameArguments(summary, launches);
  if (options.debug)
    printDebug(summaries, launches, llvm::errs());
}

void auspex::reportNotOptimized(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!isKernel(function))
      continue;
    llvm::OptimizationRemarkEmitter emitter(&function);
    emitter.emit([&] {
      return llvm::OptimizationRemarkAnalysis("auspex", "NotOptimized",
                                              function.getSubprogram(),
                                              &function.getEntryBlock())
             << "nothing is predicted for code compiled with -O0; use -O1 or "
                "higher";
    });
    return;
  }
}
