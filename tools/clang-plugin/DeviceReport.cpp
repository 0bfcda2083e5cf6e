// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceReport.h"

#include "auspex/Analysis/Assembler.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Analysis/Snapshot.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Model/Predict.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"

using namespace auspex;

/// Fills in all but the predictions.
static llvm::Error summarize(llvm::StringRef bitcode,
                             llvm::OptimizationLevel level,
                             const ReportRequest &request,
                             DeviceReport &report) {
  const PluginOptions &options = request.options;
  llvm::LLVMContext context;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, ""), context);
  if (!module)
    return module.takeError();
  std::unique_ptr<llvm::Module> snapshot;
  bool isSnapshotWanted = !options.snapshotFile.empty();
  AnalysisOptions analysis;
  analysis.remainingPipeline = level;
  analysis.maxRegisters = options.maxRegisters;
  analysis.isForNvcc = options.isForNvcc;
  analysis.snapshot = isSnapshotWanted ? &snapshot : nullptr;
  AssemblerReport assembled;
  if (!options.assembler.empty()) {
    if (auto said = assemble(**module, analysis, options.assembler))
      assembled = std::move(*said);
    else
      report.notes.push_back(llvm::toString(said.takeError()) +
                             "; registers are estimated");
    analysis.assembled = &assembled;
  }
  auto summaries = summarizeModule(**module, analysis);
  if (!summaries)
    return summaries.takeError();
  report.summaries = std::move(*summaries);
  for (KernelSummary &summary : report.summaries)
    takeSourceNames(summary, request.launches);
  if (!options.summaryFile.empty())
    report.document =
        writeSummaries(report.summaries, request.launches.launches);
  if (isSnapshotWanted) {
    llvm::raw_string_ostream os(report.snapshot);
    writeSnapshot(*snapshot, report.summaries, request.launches.launches, os);
  }
  return llvm::Error::success();
}

static bool isWanted(const KernelSummary &summary,
                     const PluginOptions &options) {
  return options.kernels.empty() ||
         llvm::any_of(options.kernels, [&](const std::string &name) {
           LaunchConfig named;
           named.kernel = name;
           return matches(named, summary);
         });
}

/// Adds the predictions of one kernel's launches.
static void predictKernel(const KernelSummary &summary,
                          const ReportRequest &request, DeviceReport &report) {
  auto refuse = [&](llvm::Error error) {
    report.refusals.push_back({summary.name, llvm::toString(std::move(error))});
  };
  std::vector<GPU> gpus = request.options.gpus;
  if (gpus.empty()) {
    auto gpu = findGPU("sm_" + std::to_string(summary.arch));
    if (!gpu)
      return refuse(gpu.takeError());
    gpus.push_back(std::move(*gpu));
  }
  std::vector<LaunchConfig> chosen = chooseLaunches(
      summary, request.options.launches, request.launches.launches);
  for (const GPU &gpu : gpus)
    llvm::append_range(
        report.predictions,
        predictAll(summary, chosen, gpu, modelNames().front(), refuse));
}

llvm::Expected<DeviceReport> auspex::makeReport(llvm::StringRef bitcode,
                                                llvm::OptimizationLevel level,
                                                const ReportRequest &request) {
  DeviceReport report;
  if (llvm::Error error = summarize(bitcode, level, request, report))
    return std::move(error);
  if (request.arePredictionsWanted)
    for (const KernelSummary &summary : report.summaries)
      if (isWanted(summary, request.options))
        predictKernel(summary, request, report);
  return report;
}
