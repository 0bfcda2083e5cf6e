// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleReporter.h"

#include "LineTables.h"
#include "PrintReport.h"
#include "auspex/Support/Containment.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Pass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/thread.h"

using namespace auspex;

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

namespace {

/// Where the optimiser has simplified the module and not yet vectorised it.
class StartPass : public llvm::PassInfoMixin<StartPass> {
public:
  StartPass(std::shared_ptr<ModuleReporter> reporter,
            llvm::OptimizationLevel level)
      : reporter(std::move(reporter)), level(level) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    reporter->start(module, level);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<ModuleReporter> reporter;
  llvm::OptimizationLevel level;
};

/// Does nothing but to hear when all passes of code generation have run.
class FinishPass : public llvm::ImmutablePass {
public:
  static char ID;
  explicit FinishPass(ModuleReporter &reporter)
      : ImmutablePass(ID), reporter(reporter) {}

  bool doFinalization(llvm::Module &module) override {
    reporter.finish(module);
    return false;
  }

private:
  ModuleReporter &reporter;
};
char FinishPass::ID = 0;

} // namespace

void ModuleReporter::addTo(llvm::PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback(
      [self = shared_from_this()](llvm::ModulePassManager &passes,
                                  llvm::OptimizationLevel level,
                                  llvm::ThinOrFullLTOPhase) {
        passes.addPass(StartPass(self, level));
      });
}

void ModuleReporter::overlapWithCodeGeneration() {
  codeGeneration.emplace(
      [this](llvm::TargetMachine &, llvm::PassManagerBase &passes,
             llvm::TargetPassConfig *) { passes.add(new FinishPass(*this)); });
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

namespace {
/// The thread that begins with the report. A process does not end before it:
/// what the thread uses would be destroyed. One compilation in a process comes
/// after the other.
class Worker {
public:
  static Worker &get() {
    static Worker worker;
    return worker;
  }
  ~Worker() { join(); }

  template <typename Function> void start(Function function) {
    join();
    // As much as the main thread has: code generation recurses.
    constexpr std::optional<unsigned> StackSizeInBytes = 8 << 20;
    thread = llvm::thread(StackSizeInBytes, std::move(function));
  }
  void join() {
    if (thread.joinable())
      thread.join();
  }

private:
  llvm::thread thread;
};
} // namespace

void ModuleReporter::start(llvm::Module &module,
                           llvm::OptimizationLevel level) {
  bool isWanted = isReportWanted(module, request.options);
  if (isWanted && level == llvm::OptimizationLevel::O0) {
    printNotOptimized(module);
  } else if (isWanted) {
    this->module = &module;
    places.emplace(module);
    request.arePredictionsWanted =
        arePredictionsHeard(module.getContext(), request.options);
    // In contexts of its own: a back end leaves traces in a context (kinds of
    // metadata, scopes of synchronisation), and bitcode holds them all.
    maker = std::make_unique<ReportMaker>(module, level, request);
    if (isConcurrent)
      Worker::get().start([self = shared_from_this()] { self->maker->work(); });
  }
  if (ownsLineTables)
    removeLineTables(module);
  if (!codeGeneration)
    finish(module);
}

void ModuleReporter::finish(const llvm::Module &module) {
  if (this->module != &module)
    return;
  this->module = nullptr;
  // What the worker has not come to yet is done here, beside it.
  maker->work();
  if (isConcurrent)
    Worker::get().join();
  llvm::Expected<DeviceReport> report = maker->take();
  if (report)
    return printReport(module, *places, std::move(*report), request);
  std::string why =
      "auspex predicts nothing: " + llvm::toString(report.takeError());
  // Whether code compiles does not depend on what can be said of it, unless
  // that is all the compilation is for.
  if (request.options.summaryFile.empty())
    llvm::WithColor::note() << why << '\n';
  else
    module.getContext().emitError(why);
}
