// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceCompilation.h"

#include "HostReading.h"
#include "LineTables.h"
#include "ModuleReporter.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Frontend/LaunchPragmas.h"
#include "auspex/Frontend/UnrollHints.h"
#include "auspex/Frontend/Warning.h"
#include "auspex/Frontend/WarpSizeReads.h"
#include "auspex/Support/Containment.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace auspex;

/// Whether \p type is cuda::barrier, of libcu++ in any version.
static bool isBarrier(const clang::CXXRecordDecl &type) {
  const clang::DeclContext *space =
      type.getDeclContext()->getEnclosingNamespaceContext();
  while (space->isInlineNamespace())
    space = space->getParent();
  auto *named = llvm::dyn_cast<clang::NamespaceDecl>(space);
  return named && named->getName() == "cuda" && type.getName() == "barrier";
}

namespace {

/// Reads of a source what its code does not say.
class SourceConsumer : public clang::ASTConsumer {
public:
  /// \p hints are null unless the code is compiled as nvcc would.
  SourceConsumer(std::shared_ptr<ModuleReporter> reporter,
                 std::shared_ptr<std::vector<LaunchPragma>> pragmas,
                 ProgramFacts program, std::shared_ptr<UnrollHints> hints)
      : reporter(std::move(reporter)), pragmas(std::move(pragmas)),
        program(std::move(program)), hints(std::move(hints)) {}

  void Initialize(clang::ASTContext &ofSource) override { source = &ofSource; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    if (hints)
      warpSizeReads.replaceIn(declarations);
    return true;
  }

  /// Barriers are in shared memory, where clang takes no variable whose
  /// destructor does something; nvcc never runs it there.
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override {
    auto *destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function);
    if (hints && destructor && isBarrier(*destructor->getParent()))
      destructor->setBody(new (*source)
                              clang::CompoundStmt(destructor->getLocation()));
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    if (auto launches = readLaunches(context, *pragmas, program))
      reporter->setLaunches(std::move(*launches));
    if (!hints)
      return;
    if (llvm::Error failure =
            runContained([&] { *hints = UnrollHints(context); }))
      warn(context.getDiagnostics(), {},
           "auspex reads no '#pragma unroll 0' here: " +
               llvm::toString(std::move(failure)));
  }

private:
  std::shared_ptr<ModuleReporter> reporter;
  std::shared_ptr<std::vector<LaunchPragma>> pragmas;
  ProgramFacts program;
  std::shared_ptr<UnrollHints> hints;
  WarpSizeReads warpSizeReads{HiddenWarpSize};
  clang::ASTContext *source = nullptr;
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

/// What clang does at a fatal error of LLVM's, which the plugin has taken over.
static void endCompilation(void *diagnostics, const char *message,
                           bool isCrash) {
  constexpr int Failed = 1, Crashed = 70;
  static_cast<clang::DiagnosticsEngine *>(diagnostics)
          ->Report(clang::diag::err_fe_error_backend)
      << message;
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(isCrash ? Crashed : Failed);
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

void auspex::analyzeIR(llvm::PassBuilder &builder) {
  std::make_shared<ModuleReporter>(PluginOptions())->addTo(builder);
}

/// Whether code generation follows the optimiser.
static bool isCodeGenerated(const clang::CompilerInstance &compiler) {
  switch (compiler.getFrontendOpts().ProgramAction) {
  case clang::frontend::EmitAssembly:
  case clang::frontend::EmitObj:
  case clang::frontend::EmitCodeGenOnly:
    return true;
  default:
    return false;
  }
}

/// Whether the code counts as nvcc's and nobody gets what clang makes of it but
/// the emulator, so that the compilation may be as nvcc's.
static bool mayOptimizeAsNvcc(const clang::CompilerInstance &compiler,
                              const PluginOptions &options) {
  return options.isForNvcc &&
         (compiler.getFrontendOpts().OutputFile == "/dev/null" ||
          !options.snapshotFile.empty());
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
  handleFatalErrors(endCompilation, &compiler.getDiagnostics());
  bool isAsNvcc = mayOptimizeAsNvcc(compiler, options);
  ProgramFacts program = options.program;
  auto reporter = std::make_shared<ModuleReporter>(std::move(options));
  if (compiler.getLangOpts().GPURelocatableDeviceCode)
    reporter->setRelocatable();
  if (addLineTables(compiler))
    reporter->ownLineTables();
  // Nobody takes the passes' time.
  if (!compiler.getCodeGenOpts().TimePasses) {
    reporter->setConcurrent();
    if (isCodeGenerated(compiler))
      reporter->overlapWithCodeGeneration();
  }
  separateRecordFile(compiler);
  auto pragmas = std::make_shared<std::vector<LaunchPragma>>();
  addPragmaHandler(compiler.getPreprocessor(), pragmas);
  auto hints = isAsNvcc ? std::make_shared<UnrollHints>() : nullptr;
  compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(
      [reporter, hints](llvm::PassBuilder &builder) {
        if (hints)
          optimizeAsNvcc(builder, [hints](const llvm::DILocation &start) {
            llvm::SmallString<128> file(start.getFilename());
            llvm::sys::path::make_absolute(start.getDirectory(), file);
            return hints->areZero(file, start.getLine(), start.getColumn());
          });
        reporter->addTo(builder);
      });
  warnWithoutOptimizer(compiler);
  return std::make_unique<SourceConsumer>(reporter, pragmas, std::move(program),
                                          hints);
}
