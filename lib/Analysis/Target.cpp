// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target.h"

#include "ConvergentCalls.h"
#include "LoopMarks.h"
#include "NvccDivisions.h"
#include "NvccRegisters.h"
#include "NvccStructCopies.h"
#include "NvccUnrolling.h"
#include "PointersInStep.h"
#include "auspex/Analysis/LlvmSetup.h"
#include "auspex/Support/Error.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>
#include <utility>

using namespace auspex;

unsigned auspex::archOfCpu(llvm::StringRef cpu) {
  unsigned arch = 0;
  if (!cpu.consume_front("sm_") || cpu.consumeInteger(10, arch))
    return 0;
  return arch;
}

std::optional<unsigned> auspex::statedArch(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (unsigned arch =
            archOfCpu(function.getFnAttribute("target-cpu").getValueAsString()))
      return arch;
  return std::nullopt;
}

unsigned auspex::archOf(const llvm::Module &module) {
  constexpr unsigned ClangDefault = 75;
  return statedArch(module).value_or(ClangDefault);
}

unsigned auspex::archOf(const llvm::MachineFunction &machine) {
  return archOfCpu(machine.getTarget().getTargetCPU());
}

/// The oldest PTX version that knows an architecture and all that the analysis
/// meets, as are accesses of 32 bytes since 10.0.
static llvm::StringRef ptxVersion(unsigned arch) {
  static constexpr std::pair<unsigned, llvm::StringRef> versions[] = {
      {120, "+ptx88"}, {110, "+ptx90"}, {100, "+ptx88"}, {0, "+ptx80"}};
  for (const auto &[since, version] : versions)
    if (arch >= since)
      return version;
  llvm_unreachable("0 is the last row");
}

static bool hasShortPointers(const llvm::Module &module) {
  return module.getDataLayout().getPointerSizeInBits(
             llvm::NVPTXAS::ADDRESS_SPACE_SHARED) == 32;
}

void auspex::shortenPointers(llvm::Module &module) {
  if (!hasShortPointers(module))
    module.setDataLayout(
        module.getTargetTriple().computeDataLayout("shortptr"));
}

namespace {
/// The back end has an option alone for the width of addresses, and reads it as
/// it makes a machine: it has \p value for that long.
class WidthOfPointers {
public:
  explicit WidthOfPointers(bool isShort) : lock(mutex()) {
    auto &options = llvm::cl::getRegisteredOptions();
    if (auto found = options.find("nvptx-short-ptr"); found != options.end())
      option = static_cast<llvm::cl::opt<bool> *>(found->second);
    if (option)
      before = std::exchange(option->getValue(), isShort);
  }
  ~WidthOfPointers() {
    if (option)
      option->getValue() = before;
  }

private:
  std::unique_lock<std::mutex> lock;
  llvm::cl::opt<bool> *option = nullptr;
  bool before = false;

  static std::mutex &mutex() {
    static std::mutex one;
    return one;
  }
};
} // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
auspex::createMachine(const llvm::Module &module, llvm::StringRef ptx) {
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), message);
  if (!target)
    return makeInputError({}, "this LLVM has no NVPTX back end: " + message);
  llvm::TargetOptions options;
  unsigned arch = archOf(module);
  std::string cpu = "sm_" + std::to_string(arch);
  WidthOfPointers width(hasShortPointers(module));
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), cpu, ptx.empty() ? ptxVersion(arch) : ptx,
      options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

void auspex::removeTargetAttributes(llvm::Module &module) {
  for (llvm::Function &function : module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
}

bool auspex::isLarge(const llvm::Function &function) {
  constexpr unsigned Large = 10000;
  return function.getInstructionCount() > Large;
}

void auspex::runLatePipeline(llvm::Module &module, llvm::TargetMachine &machine,
                             const AnalysisOptions &options) {
  llvm::PassInstrumentationCallbacks callbacks;
  // It goes through all users of a value for each of them. What is new to it
  // here is what unrolling leaves, little in a large kernel.
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any &code) {
        auto *function = llvm::any_cast<const llvm::Function *>(&code);
        return pass != "InstCombinePass" || !function || !isLarge(**function);
      });
  if (options.isForNvcc) {
    keepVectorsWhole(callbacks);
    unrollWhatWarpsDoTogether(callbacks);
  }
  // Vectors of bytes and halves pay for LLVM; nvcc makes none of loops.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization &= !options.isForNvcc;
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  AnalysisManagers managers(builder);
  unsigned arch = archOfCpu(machine.getTargetCPU());
  bool hidesDivisions = arch < OptimizedByNewer;
  if (options.isForNvcc) {
    hideRegisters(module, arch);
    builder.registerOptimizerEarlyEPCallback(
        [=](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
            llvm::ThinOrFullLTOPhase) {
          if (hidesDivisions)
            passes.addPass(
                llvm::createModuleToFunctionPassAdaptor(HideDivisions()));
        });
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes,
                                               llvm::OptimizationLevel,
                                               llvm::ThinOrFullLTOPhase) {
      passes.addPass(RestoreDivisions());
      llvm::FunctionPassManager late;
      late.addPass(CopyRests());
      late.addPass(llvm::SimplifyCFGPass());
      late.addPass(JoinPointersInStep());
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(late)));
    });
  }
  builder
      .buildModuleOptimizationPipeline(options.remainingPipeline,
                                       llvm::ThinOrFullLTOPhase::None)
      .run(module, managers.modules);
}

const llvm::Type *auspex::scalarOf(const llvm::Type *type) {
  while (type->isAggregateType() && type->getNumContainedTypes() > 0)
    type = type->getContainedType(0);
  return type;
}
