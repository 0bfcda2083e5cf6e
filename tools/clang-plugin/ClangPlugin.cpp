// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang finds when it loads the library.
#include "DeviceCompilation.h"
#include "HostReading.h"
#include "auspex/Support/Error.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"

#include <atomic>

using namespace auspex;

/// Whether this process compiles a source: then its action adds the passes.
static std::atomic<bool> hasSource = false;

/// No source is written over.
static llvm::Error checkOutputs(const PluginOptions &options,
                                const clang::FrontendOptions &frontend) {
  for (const auto &[name, file] :
       {std::pair("host", &options.hostFile),
        std::pair("summary", &options.summaryFile),
        std::pair("snapshot", &options.snapshotFile)})
    for (const clang::FrontendInputFile &input : frontend.Inputs)
      if (!file->empty() && input.isFile() &&
          llvm::sys::fs::equivalent(*file, input.getFile()))
        return makeInputError({*file, 0, ""},
                              llvm::Twine("-fplugin-arg-auspex-") + name +
                                  ": this is the source");
  return llvm::Error::success();
}

namespace {

class AuspexAction : public clang::PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  /// The host compilation gets the same options: one of the two complains.
  bool ParseArgs(const clang::CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    if (!isDeviceCompilation(compiler) && compiler.getLangOpts().CUDA)
      return true;
    llvm::Expected<PluginOptions> parsed = parsePluginOptions(arguments);
    llvm::Error problem =
        parsed ? checkOutputs(*parsed, compiler.getFrontendOpts())
               : parsed.takeError();
    if (!problem) {
      options = std::move(*parsed);
      return true;
    }
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    unsigned id =
        diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    diagnostics.Report(id) << llvm::toString(std::move(problem));
    return false;
  }

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    hasSource = true;
    if (!options.hostFile.empty())
      return setUpHostReading(compiler, std::move(options));
    if (isDeviceCompilation(compiler))
      return setUpDeviceCompilation(compiler, std::move(options));
    return standAside(compiler);
  }

private:
  PluginOptions options;
};

} // namespace

static clang::FrontendPluginRegistry::Add<AuspexAction>
    registration("auspex", "predicts how fast GPU kernels run");

// By -fpass-plugin too the registration above is all it takes where there is a
// source: clang loads those libraries before it asks its registry. Where the
// input is IR there is no action, and this function gets the passes in.
extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, PluginName, AUSPEX_VERSION,
          [](llvm::PassBuilder &builder) {
            if (!hasSource)
              analyzeIR(builder);
          }};
}
