// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PrintReport.h"

#include "RemarkEmitter.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Report/IgnoreComments.h"
#include "auspex/Report/Instances.h"
#include "auspex/Report/LaunchText.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Report/SummaryText.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

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

/// The same for all spellings of a path. Folders may be links, and then ".."
/// is another folder than the spelling says.
static llvm::SmallString<256> normalizedSource(const llvm::Module &module) {
  llvm::SmallString<256> source(module.getSourceFileName());
  llvm::sys::fs::make_absolute(source);
  llvm::SmallString<256> folder;
  if (llvm::sys::fs::real_path(llvm::sys::path::parent_path(source), folder))
    return source;
  llvm::sys::path::append(folder, llvm::sys::path::filename(source));
  return folder;
}

/// The architecture as clang knows it: of sm_90 and sm_90a each has its own
/// file.
static std::string archName(const llvm::Module &module,
                            const KernelSummary &summary) {
  llvm::StringRef cpu = module.getFunction(summary.name)
                            ->getFnAttribute("target-cpu")
                            .getValueAsString();
  return cpu.empty() ? "sm_" + std::to_string(summary.arch) : cpu.str();
}

/// One file a translation unit and architecture: its name holds the source's
/// name, and a hash of its path for sources of one name.
static std::string outputPath(const llvm::Module &module, llvm::StringRef arch,
                              const PluginOptions &options) {
  llvm::SmallString<256> source = normalizedSource(module);
  std::string hash =
      llvm::utohexstr(llvm::xxh3_64bits(source) & 0xffffffff, true, 8);
  llvm::SmallString<256> path(options.outputDirectory);
  llvm::sys::path::append(path, llvm::sys::path::filename(source) + "-" + hash +
                                    "-" + arch + ".json");
  return path.str().str();
}

static void complain(llvm::Error error) {
  llvm::WithColor::warning()
      << "auspex: " << llvm::toString(std::move(error)) << '\n';
}

static void writeOutput(const llvm::Module &module, llvm::StringRef arch,
                        llvm::ArrayRef<Prediction> predictions,
                        const PluginOptions &options) {
  if (llvm::Error error = makeFolder(options.outputDirectory))
    return complain(std::move(error));
  std::string text;
  llvm::raw_string_ostream os(text);
  writePredictionsJSON(predictions, os);
  if (llvm::Error error = writeFile(outputPath(module, arch, options), text))
    complain(std::move(error));
}

/// A summary file that holds another source or architecture: one that is
/// compiled in the same command, or that the build gives the same name.
static void warnOfLoss(llvm::StringRef file,
                       llvm::ArrayRef<KernelSummary> summaries) {
  if (!llvm::sys::fs::is_regular_file(file))
    return;
  auto node = loadDocument(file);
  if (!node)
    return llvm::consumeError(node.takeError()); // none there, or not ours
  auto before = readSummaries(*node);
  if (!before)
    return llvm::consumeError(before.takeError());
  auto lost = llvm::find_if(before->kernels, [&](const KernelSummary &kernel) {
    return llvm::none_of(summaries, [&](const KernelSummary &now) {
      return now.arch == kernel.arch &&
             now.location.file == kernel.location.file;
    });
  });
  if (lost != before->kernels.end())
    complain(makeInputError(
        {file.str(), 0, ""},
        "replaces the summaries of " + lost->location.file + " for sm_" +
            llvm::Twine(lost->arch) +
            "; it holds one source and architecture, so give each its own "
            "file"));
}

bool auspex::arePredictionsHeard(llvm::LLVMContext &context,
                                 const PluginOptions &options) {
  return !options.outputDirectory.empty() || areRemarksWanted(context);
}

bool auspex::isReportWanted(llvm::Module &module,
                            const PluginOptions &options) {
  // Also that there are no kernels is an answer, in a file.
  bool writesFile =
      !options.summaryFile.empty() || !options.snapshotFile.empty();
  bool isAsked = options.debug || writesFile ||
                 arePredictionsHeard(module.getContext(), options);
  return isAsked && (llvm::any_of(module, isKernel) || writesFile);
}

static void printRemarks(const RemarkPlaces &places, const DeviceReport &report,
                         const IgnoreComments &ignored,
                         const PluginOptions &options) {
  for (const DeviceReport::Refusal &refusal : report.refusals)
    emitFact(places.of(refusal.kernel), "NotPredicted", refusal.why);
  for (const InstanceGroup &group : groupInstances(report.predictions))
    emitRemarks(places.of(group.shown.kernel), group.shown, options);
  for (const std::string &complaint :
       ignored.complaints(/*areAllSeen=*/options.kernels.empty()))
    llvm::WithColor::note() << "auspex: " << complaint << '\n';
}

void auspex::printReport(const llvm::Module &module, const RemarkPlaces &places,
                         DeviceReport report, const ReportRequest &request) {
  const PluginOptions &options = request.options;
  for (const std::string &note : report.notes)
    llvm::WithColor::note() << "auspex: " << note << '\n';
  auto write = [](llvm::StringRef file, llvm::StringRef content) {
    if (llvm::Error error = writeFile(file, content))
      complain(std::move(error));
  };
  if (!report.snapshot.empty())
    write(options.snapshotFile, report.snapshot);
  if (options.debug)
    printDebug(report.summaries, request.launches, llvm::errs());
  if (!report.document.empty()) {
    warnOfLoss(options.summaryFile, report.summaries);
    write(options.summaryFile, report.document);
  }
  if (report.summaries.empty() || !request.arePredictionsWanted)
    return;
  IgnoreComments ignored;
  for (Prediction &prediction : report.predictions)
    ignored.apply(prediction);
  if (areRemarksWanted(module.getContext()))
    printRemarks(places, report, ignored, options);
  if (!options.outputDirectory.empty())
    writeOutput(module, archName(module, report.summaries.front()),
                report.predictions, options);
}

void auspex::printNotOptimized(llvm::Module &module) {
  auto kernel = llvm::find_if(module, isKernel);
  if (kernel != module.end())
    emitFact({&*kernel, kernel->getSubprogram()}, "NotOptimized",
             "nothing is predicted for code compiled with -O0; use -O1 or "
             "higher");
}
