// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceCompilation.h"

#include "LineTables.h"
#include "RemarkEmitter.h"
#include "ReportModule.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Frontend/LaunchPragmas.h"
#include "auspex/Frontend/Warning.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace auspex;

namespace {

/// What the consumer finds out and the pass needs.
struct Findings {
  PluginOptions options;
  LaunchSet launches;
  bool ownsLineTables = false;
};

class LaunchConsumer : public clang::ASTConsumer {
public:
  LaunchConsumer(std::shared_ptr<Findings> findings,
                 std::shared_ptr<std::vector<LaunchPragma>> pragmas)
      : findings(std::move(findings)), pragmas(std::move(pragmas)) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!context.getDiagnostics().hasErrorOccurred())
      findings->launches = collectLaunches(context, *pragmas);
  }

private:
  std::shared_ptr<Findings> findings;
  std::shared_ptr<std::vector<LaunchPragma>> pragmas;
};

/// Bounds the registers of kernels that do not bound them themselves.
void boundRegisters(llvm::Module &module, unsigned most) {
  auto isBounded = [](const llvm::Function &kernel) {
    return kernel.hasFnAttribute("nvvm.maxntid") ||
           kernel.hasFnAttribute("nvvm.reqntid") ||
           kernel.hasFnAttribute("nvvm.minctasm") ||
           kernel.hasFnAttribute("nvvm.maxnreg");
  };
  for (llvm::Function &function : module)
    if (isKernel(function) && !isBounded(function))
      function.addFnAttr("nvvm.maxnreg", std::to_string(most));
}

/// Summarises a copy in a context of its own and writes the snapshot of it. A
/// back end leaves traces in a context (kinds of metadata, scopes of
/// synchronisation), and bitcode holds them all.
llvm::Expected<std::vector<KernelSummary>>
summarizeApart(const llvm::Module &module, llvm::OptimizationLevel level,
               const LaunchSet &launches, const PluginOptions &options) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
  llvm::LLVMContext context;
  auto copy = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(os.str(), module.getModuleIdentifier()), context);
  if (!copy)
    return copy.takeError();
  if (options.maxRegisters)
    boundRegisters(**copy, options.maxRegisters);
  std::unique_ptr<llvm::Module> snapshot;
  bool isSnapshotWanted = !options.snapshotFile.empty();
  AnalysisOptions analysis{level, isSnapshotWanted ? &snapshot : nullptr};
  AssemblerReport assembled;
  if (!options.assembler.empty()) {
    if (auto report = assemble(**copy, analysis, options.assembler))
      assembled = std::move(*report);
    else
      llvm::WithColor::note()
          << "auspex: " << llvm::toString(report.takeError())
          << "; registers are estimated\n";
    analysis.assembled = &assembled;
  }
  auto summaries = summarizeModule(**copy, analysis);
  if (!summaries)
    return summaries;
  for (KernelSummary &summary : *summaries)
    nameArguments(summary, launches);
  if (isSnapshotWanted)
    writeSnapshotFile(*snapshot, *summaries, launches, options);
  return summaries;
}

class ReportPass : public llvm::PassInfoMixin<ReportPass> {
public:
  ReportPass(std::shared_ptr<Findings> findings, llvm::OptimizationLevel level)
      : findings(std::move(findings)), level(level) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    if (isReportWanted(module, findings->options))
      report(module);
    if (findings->ownsLineTables)
      removeLineTables(module);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<Findings> findings;
  llvm::OptimizationLevel level;

  void report(llvm::Module &module) {
    if (level == llvm::OptimizationLevel::O0)
      return reportNotOptimized(module);
    auto summaries =
        summarizeApart(module, level, findings->launches, findings->options);
    if (summaries)
      return reportModule(module, std::move(*summaries), findings->launches,
                          findings->options);
    // Whether code compiles does not depend on what can be said of it.
    llvm::WithColor::note()
        << "auspex: " << llvm::toString(summaries.takeError()) << '\n';
  }
};

} // namespace

bool auspex::isDeviceCompilation(const clang::CompilerInstance &compiler) {
  return compiler.getLangOpts().CUDAIsDevice &&
         compiler.getTarget().getTriple().isNVPTX();
}

/// Whether anything that the plugin can find out has somewhere to go.
static bool isAskedFor(const clang::CodeGenOptions &clangs,
                       const PluginOptions &options) {
  return options.debug || !options.outputDirectory.empty() ||
         !options.summaryFile.empty() || !options.snapshotFile.empty() ||
         !clangs.OptRecordFile.empty() ||
         clangs.OptimizationRemarkAnalysis.patternMatches(RemarkPassName) ||
         clangs.OptimizationRemarkMissed.patternMatches(RemarkPassName);
}

/// In a compilation for host and device, clang gives both the same file for
/// optimisation records, and the host's replaces the device's. Clang's own name
/// for what belongs to one device is "x-cuda-nvptx64-nvidia-cuda-sm_80".
static void separateRecordFile(clang::CompilerInstance &compiler) {
  std::string &record = compiler.getCodeGenOpts().OptRecordFile;
  if (record.empty() || record == "-")
    return;
  llvm::StringRef suffix = llvm::StringRef(record).ends_with(".opt.bitstream")
                               ? ".opt.bitstream"
                               : ".opt.yaml";
  if (!llvm::StringRef(record).ends_with(suffix))
    suffix = llvm::sys::path::extension(record);
  llvm::StringRef stem = llvm::StringRef(record).drop_back(suffix.size());
  llvm::StringRef output = compiler.getFrontendOpts().OutputFile;
  // A compilation for the device alone has the record beside its output.
  bool isOwn = stem == output.take_front(output.rfind('.'));
  std::string device = "-cuda-" + compiler.getTarget().getTriple().str() + "-" +
                       compiler.getTargetOpts().CPU;
  if (!isOwn && !stem.ends_with(device))
    record = (stem + device + suffix).str();
}

/// With -save-temps the step that sees the source does not optimise, and the
/// one that does sees IR. It takes passes from pass plugins alone.
static void warnWithoutOptimizer(clang::CompilerInstance &compiler) {
  bool isPassPluginToo =
      llvm::any_of(compiler.getPassPlugins(), [](const auto &plugin) {
        return plugin->getPluginName() == PluginName;
      });
  if (compiler.getCodeGenOpts().DisableLLVMPasses && !isPassPluginToo)
    warn(compiler.getDiagnostics(), {},
         "auspex predicts nothing here: the code is optimised in another step "
         "(-save-temps); give the plugin by -fpass-plugin too to have "
         "predictions of assumed launches");
}

static void addPass(llvm::PassBuilder &builder,
                    std::shared_ptr<Findings> findings) {
  builder.registerOptimizerEarlyEPCallback(
      [findings](llvm::ModulePassManager &passes, llvm::OptimizationLevel level,
                 llvm::ThinOrFullLTOPhase) {
        passes.addPass(ReportPass(findings, level));
      });
}

void auspex::analyzeIR(llvm::PassBuilder &builder) {
  addPass(builder, std::make_shared<Findings>());
}

std::unique_ptr<clang::ASTConsumer>
auspex::standAside(clang::CompilerInstance &compiler) {
  addPragmaHandler(compiler.getPreprocessor(), nullptr);
  return std::make_unique<clang::ASTConsumer>();
}

std::unique_ptr<clang::ASTConsumer>
auspex::setUpDeviceCompilation(clang::CompilerInstance &compiler,
                               PluginOptions options) {
  if (!isAskedFor(compiler.getCodeGenOpts(), options))
    return standAside(compiler);
  auto findings = std::make_shared<Findings>();
  findings->options = std::move(options);
  findings->ownsLineTables = addLineTables(compiler);
  separateRecordFile(compiler);
  auto pragmas = std::make_shared<std::vector<LaunchPragma>>();
  addPragmaHandler(compiler.getPreprocessor(), pragmas);
  compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
      [findings](llvm::PassBuilder &builder) { addPass(builder, findings); });
  warnWithoutOptimizer(compiler);
  return std::make_unique<LaunchConsumer>(findings, pragmas);
}
