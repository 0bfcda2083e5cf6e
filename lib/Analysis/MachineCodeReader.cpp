// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineCodeReader.h"

#include "FunctionReader.h"
#include "NvccAddresses.h"
#include "NvccPrivateArrays.h"
#include "Preparation.h"
#include "Target.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Target/TargetLoweringObjectFile.h"

using namespace auspex;

namespace {
/// A kernel on its way through the back end.
struct Job {
  CodeSnapshot snapshot;
  CodeOwners owners;
  const AssembledKernel *assembled = nullptr;
  KernelCode *result = nullptr;
};

/// The last pass of code generation: reads and changes nothing.
class ReaderPass : public llvm::MachineFunctionPass {
public:
  static char ID;
  explicit ReaderPass(llvm::DenseMap<const llvm::Function *, Job *> jobs)
      : MachineFunctionPass(ID), jobs(std::move(jobs)) {}

  bool runOnMachineFunction(llvm::MachineFunction &machine) override {
    if (Job *job = jobs.lookup(&machine.getFunction()))
      *job->result =
          readFunction(machine, job->snapshot, job->owners, job->assembled);
    return false;
  }

private:
  llvm::DenseMap<const llvm::Function *, Job *> jobs;
};
char ReaderPass::ID = 0;
} // namespace

namespace {
/// Switches the passes between a pair of these off for large kernels, which
/// must not have a say in what becomes of the others in their module.
class LargeFunctionsPass : public llvm::FunctionPass {
public:
  static char ID;
  explicit LargeFunctionsPass(bool isSwitchedOff)
      : FunctionPass(ID), isSwitchedOff(isSwitchedOff) {}

  bool runOnFunction(llvm::Function &function) override {
    if (isLarge(function) && isSwitchedOff)
      function.addFnAttr(llvm::Attribute::OptimizeNone);
    else if (!isSwitchedOff)
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }

private:
  bool isSwitchedOff;
};
char LargeFunctionsPass::ID = 0;

/// Leaves the strength reductions out for large kernels: they look at pairs of
/// instructions, or at all of the kernel for each loop. And what follows the
/// values of variables, of which the code has none.
class CodeGenerationPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    llvm::StringRef name = pass->getPassName();
    bool isSlow = name == "Straight line strength reduction" ||
                  name == "Loop Strength Reduction";
    bool isOfVariables = name == "Live DEBUG_VALUE analysis" ||
                         name == "Remove Redundant DEBUG_VALUE analysis";
    if (isOfVariables)
      delete pass;
    else if (isSlow) {
      PassManager::add(new LargeFunctionsPass(/*isSwitchedOff=*/true));
      PassManager::add(pass);
      PassManager::add(new LargeFunctionsPass(/*isSwitchedOff=*/false));
    } else
      PassManager::add(pass);
  }
};
} // namespace

static void generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                         llvm::DenseMap<const llvm::Function *, Job *> jobs) {
  CodeGenerationPasses passes;
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(info);
  // Instruction selection asks it for sections.
  const_cast<llvm::TargetLoweringObjectFile *>(machine.getObjFileLowering())
      ->Initialize(info->getMMI().getContext(), machine);
  if (config->addISelPasses())
    return;
  config->addMachinePasses();
  config->setInitialized();
  passes.add(new ReaderPass(std::move(jobs)));
  passes.add(llvm::createFreeMachineFunctionPass());
  passes.run(module);
}

namespace {
/// What passes have to say of a copy of the code is not for the user.
class QuietDiagnostics {
public:
  explicit QuietDiagnostics(llvm::LLVMContext &context)
      : context(context), handler(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<Silence>());
  }
  ~QuietDiagnostics() { context.setDiagnosticHandler(std::move(handler)); }

private:
  struct Silence : llvm::DiagnosticHandler {
    bool handleDiagnostics(const llvm::DiagnosticInfo &) override {
      return true;
    }
  };
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> handler;
};
} // namespace

/// Leaves of functions that no kernel could take in the name alone: nobody
/// reads their code, and the code generator cannot always make it, of structs
/// by value in a compilation with short pointers for one.
static void deleteOtherBodies(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !isKernel(function))
      function.deleteBody();
}

std::vector<KernelCode>
auspex::readMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                        llvm::ArrayRef<llvm::Function *> kernels,
                        const AnalysisOptions &options) {
  std::vector<KernelCode> results(kernels.size());
  std::vector<Job> jobs(kernels.size());
  llvm::DenseMap<const llvm::Function *, Job *> byFunction;
  SourceLines lines;
  for (llvm::Function *kernel : kernels)
    lines.add(*kernel);
  llvm::StripDebugInfo(module);
  CodeTagger tagger(module);
  for (size_t i = 0; i < kernels.size(); ++i) {
    jobs[i].snapshot = tagger.tag(*kernels[i], lines);
    if (options.assembled)
      if (auto known = options.assembled->find(kernels[i]->getName());
          known != options.assembled->end())
        jobs[i].assembled = &known->second;
    jobs[i].result = &results[i];
    byFunction[kernels[i]] = &jobs[i];
  }
  tagger.finish();

  QuietDiagnostics quiet(module.getContext());
  if (options.remainingPipeline != llvm::OptimizationLevel::O0)
    runLatePipeline(module, machine, options);
  if (options.isForNvcc)
    for (llvm::Function *kernel : kernels) {
      addIndicesFirst(*kernel, archOfCpu(machine.getTargetCPU()));
      calculateFromOuterCounters(*kernel);
      alignPrivateArrays(*kernel);
    }

  // The code generator joins them again, after the load-store vectoriser.
  for (llvm::Function *kernel : kernels)
    splitLongBlocks(*kernel);
  for (Job &job : jobs)
    job.owners = findOwners(*job.snapshot.function, job.snapshot);
  deleteOtherBodies(module);

  generateCode(module, machine, std::move(byFunction));

  return results;
}
