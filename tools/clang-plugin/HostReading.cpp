// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostReading.h"

#include "DeviceCompilation.h"
#include "auspex/Frontend/Warning.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Support/Containment.h"
#include "auspex/Support/File.h"
#include "clang/AST/ASTContext.h"

using namespace auspex;

std::optional<LaunchSet>
auspex::readLaunches(clang::ASTContext &context,
                     llvm::ArrayRef<LaunchPragma> pragmas,
                     const ProgramFacts &program) {
  LaunchSet launches;
  if (llvm::Error failure = runContained(
          [&] { launches = collectLaunches(context, pragmas, program); })) {
    warn(context.getDiagnostics(), {},
         "auspex reads no launches here: " +
             llvm::toString(std::move(failure)));
    return std::nullopt;
  }
  return launches;
}

namespace {

class HostConsumer : public clang::ASTConsumer {
public:
  HostConsumer(PluginOptions options,
               std::shared_ptr<std::vector<LaunchPragma>> pragmas)
      : options(std::move(options)), pragmas(std::move(pragmas)) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    std::optional<LaunchSet> launches =
        readLaunches(context, *pragmas, options.program);
    if (!launches)
      return;
    llvm::Error problem =
        writeFile(options.hostFile,
                  writeSummaries({}, launches->launches, launches->interface));
    if (!problem)
      return;
    clang::DiagnosticsEngine &diagnostics = context.getDiagnostics();
    unsigned id =
        diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    diagnostics.Report(id) << llvm::toString(std::move(problem));
  }

private:
  PluginOptions options;
  std::shared_ptr<std::vector<LaunchPragma>> pragmas;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
auspex::setUpHostReading(clang::CompilerInstance &compiler,
                         PluginOptions options) {
  auto pragmas = std::make_shared<std::vector<LaunchPragma>>();
  addPragmaHandler(compiler.getPreprocessor(), pragmas);
  return std::make_unique<HostConsumer>(std::move(options), pragmas);
}
