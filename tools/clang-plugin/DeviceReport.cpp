// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceReport.h"

#include "auspex/Analysis/Assembler.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Analysis/Snapshot.h"
#include "auspex/Kernel/LaunchUse.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Model/Predict.h"
#include "auspex/Support/Containment.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"

#include <map>

using namespace auspex;

namespace {
struct KernelReport {
  KernelSummary summary;
  std::vector<Prediction> predictions;
  std::vector<DeviceReport::Refusal> refusals;
};
} // namespace

struct auspex::PartReport {
  std::vector<std::string> notes;
  std::vector<KernelReport> kernels;
  std::string snapshot;
};

/// Fills in all but the predictions.
static llvm::Error summarize(llvm::StringRef bitcode, const ModulePart &part,
                             llvm::OptimizationLevel level,
                             const ReportRequest &request, PartReport &report) {
  const PluginOptions &options = request.options;
  llvm::LLVMContext context;
  auto module = readPart(bitcode, part, context);
  if (!module)
    return module.takeError();
  std::unique_ptr<llvm::Module> snapshot;
  bool isSnapshotWanted = !options.snapshotFile.empty();
  AnalysisOptions analysis;
  analysis.remainingPipeline = level;
  analysis.maxRegisters = options.maxRegisters;
  analysis.isForNvcc = options.isForNvcc;
  analysis.isRelocatable = request.isRelocatable;
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
  for (KernelSummary &summary : *summaries)
    takeSourceNames(summary, request.launches);
  if (isSnapshotWanted) {
    llvm::raw_string_ostream os(report.snapshot);
    writeSnapshot(*snapshot, *summaries, request.launches.launches, os);
  }
  for (KernelSummary &summary : *summaries)
    report.kernels.push_back({std::move(summary), {}, {}});
  return llvm::Error::success();
}

static bool isWanted(const KernelSummary &summary,
                     const PluginOptions &options) {
  return options.kernels.empty() ||
         llvm::any_of(options.kernels, [&](const std::string &name) {
           return isCalled(name, summary);
         });
}

/// Adds the predictions of one kernel's launches.
static void predictKernel(const ReportRequest &request, KernelReport &report) {
  const KernelSummary &summary = report.summary;
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
  if (request.options.kernels.empty() && isIdleOfLibrary(summary, chosen))
    return;
  for (const GPU &gpu : gpus)
    llvm::append_range(
        report.predictions,
        predictAll(summary, chosen, gpu, modelNames().front(), refuse));
}

static llvm::Expected<PartReport> reportOn(llvm::StringRef bitcode,
                                           const ModulePart &part,
                                           llvm::OptimizationLevel level,
                                           const ReportRequest &request) {
  PartReport report;
  if (llvm::Error error = summarize(bitcode, part, level, request, report))
    return std::move(error);
  if (request.arePredictionsWanted)
    for (KernelReport &kernel : report.kernels)
      if (isWanted(kernel.summary, request.options))
        predictKernel(request, kernel);
  return report;
}

/// Adds what the parts say of their kernels, in the order of the module.
static void add(std::vector<PartReport> parts,
                llvm::ArrayRef<ModulePart> positions, DeviceReport &report) {
  std::map<unsigned, KernelReport *> byPosition;
  for (auto [part, places] : llvm::zip(parts, positions)) {
    for (auto [kernel, place] : llvm::zip(part.kernels, places))
      byPosition[place] = &kernel;
    for (std::string &note : part.notes)
      if (!llvm::is_contained(report.notes, note))
        report.notes.push_back(std::move(note));
    report.snapshot += part.snapshot;
  }
  for (auto &[position, kernel] : byPosition) {
    report.summaries.push_back(std::move(kernel->summary));
    llvm::move(kernel->predictions, std::back_inserter(report.predictions));
    llvm::move(kernel->refusals, std::back_inserter(report.refusals));
  }
}

/// In how many parts kernels are reported on. A snapshot is one module. More
/// parts share the work more evenly, but each reads all but the kernels again.
static unsigned partsFor(const PluginOptions &options) {
  return options.snapshotFile.empty() ? 4 : 1;
}

ReportMaker::ReportMaker(const llvm::Module &module,
                         llvm::OptimizationLevel level,
                         const ReportRequest &request)
    : level(level), request(request),
      parts(divideKernels(module, partsFor(request.options))),
      reports(parts.size()) {
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
}

ReportMaker::~ReportMaker() = default;

void ReportMaker::work() {
  llvm::StringRef text(bitcode.data(), bitcode.size());
  for (size_t i; (i = begun++) < parts.size();) {
    llvm::Error crash = runContained(
        [&] { reports[i].emplace(reportOn(text, parts[i], level, request)); });
    if (crash)
      reports[i].emplace(std::move(crash));
  }
}

llvm::Expected<DeviceReport> ReportMaker::take() {
  // The first is enough: all parts fail for the same reason, if it is not a
  // crash.
  llvm::Error failure = llvm::Error::success();
  std::vector<PartReport> made;
  for (auto &report : reports)
    if (*report)
      made.push_back(std::move(**report));
    else if (!failure)
      failure = report->takeError();
    else
      llvm::consumeError(report->takeError());
  if (failure)
    return std::move(failure);
  DeviceReport result;
  add(std::move(made), parts, result);
  if (!request.options.summaryFile.empty())
    result.document =
        writeSummaries(result.summaries, request.launches.launches,
                       request.launches.interface);
  return result;
}
