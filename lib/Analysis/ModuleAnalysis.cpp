// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/ModuleAnalysis.h"

#include "Accesses.h"
#include "ArgumentNames.h"
#include "AssemblyAccesses.h"
#include "BarrierIntervals.h"
#include "CalledFunctions.h"
#include "ControlFlow.h"
#include "DoublesOfFloats.h"
#include "HostValues.h"
#include "LaunchBounds.h"
#include "MachineClasses.h"
#include "MachineCodeReader.h"
#include "NvccAlignmentChecks.h"
#include "NvccAtomics.h"
#include "NvccDivisions.h"
#include "NvccFills.h"
#include "NvccRegisters.h"
#include "NvccStructCopies.h"
#include "NvccSwitches.h"
#include "NvccUnrolling.h"
#include "NvccUnswitching.h"
#include "NvccWholeLoops.h"
#include "Preparation.h"
#include "Target.h"
#include "TripCounts.h"
#include "auspex/Analysis/LlvmSetup.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/SnapshotMetadata.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <utility>

using namespace auspex;

bool auspex::isKernel(const llvm::Function &function) {
  return !function.isDeclaration() &&
         function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Why the summary leaves out what \p call does; empty if its cost is known, or
/// where it ends the program.
static llvm::StringRef whyLeftOut(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (call.doesNotReturn())
    return "";
  if (!callee)
    return "it is called through a pointer";
  if (callee->isDeclaration())
    return classifyIntrinsic(callee->getName()) ? ""
                                                : "it is defined elsewhere";
  return calledFunctions(*callee).contains(callee) ? "it calls itself"
                                                   : "it is too large";
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

namespace {

/// Instructions and the index of the first access each makes.
using AccessIndices =
    std::vector<std::pair<const llvm::Instruction *, unsigned>>;

/// The first look: addresses, guards and trip counts of one kernel.
class KernelAnalyzer {
public:
  KernelAnalyzer(llvm::Function &function,
                 llvm::FunctionAnalysisManager &analyses)
      : function(function),
        evolution(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        loops(analyses.getResult<llvm::LoopAnalysis>(function)),
        dominators(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        uniformity(analyses.getResult<llvm::UniformityInfoAnalysis>(function)),
        values(function, evolution, loops, dominators, uniformity),
        trips(values, evolution, dominators),
        flow(function, values, loops, dominators,
             analyses.getResult<llvm::PostDominatorTreeAnalysis>(function),
             analyses.getResult<llvm::BranchProbabilityAnalysis>(function)) {}

  /// \p firstAccesses tells which instruction made which accesses.
  KernelSummary run(AccessIndices &firstAccesses) {
    describeFunction();
    describeLoops();
    for (llvm::BasicBlock &block : function)
      describeBlock(block, firstAccesses);
    for (auto [block, interval] :
         llvm::zip(summary.blocks, barrierIntervals(function)))
      block.interval = interval;
    summary.dataSymbols = values.dataSymbols();
    summary.doublesOfFloats = doublesOfFloats(function);
    describeVariables();
    assumeOfAssembly();
    return std::move(summary);
  }

private:
  llvm::Function &function;
  llvm::ScalarEvolution &evolution;
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::UniformityInfo &uniformity;
  ValueTranslator values;
  TripCounts trips;
  ControlFlow flow;
  KernelSummary summary;

  void describeFunction() {
    summary.name = function.getName().str();
    summary.demangled = llvm::demangle(summary.name);
    if (llvm::DISubprogram *program = function.getSubprogram())
      summary.location = {
          program->getFilename().str(), program->getLine(), 1, {}};
    for (auto [argument, name] :
         llvm::zip(function.args(), argumentNames(function)))
      summary.arguments.push_back(
          describe(name,
                   *(argument.hasByValAttr() ? argument.getParamByValType()
                                             : argument.getType()),
                   function.getDataLayout()));
    LaunchBounds bounds = launchBoundsOf(function);
    summary.maxThreadsPerBlock = bounds.maxThreadsPerBlock;
    summary.minBlocksPerSM = bounds.minBlocksPerSM;
    llvm::copy(bounds.requiredBlock, summary.requiredBlock);
  }

  /// What is said once, at the first inline assembly with it. Accesses under a
  /// predicate count for all lanes: mostly it guards a border.
  void assumeOfAssembly() {
    bool hasConditions = false, hasUnknownCopies = false;
    auto assume = [&](bool &isKnown, const llvm::Instruction &instruction,
                      llvm::StringRef sentence) {
      if (std::exchange(isKnown, true))
        return;
      SourceLocation place = sourceLocation(instruction.getDebugLoc().get());
      summary.assumptions.push_back(
          sentence.str() +
          (place.line ? " at line " + std::to_string(place.line) : ""));
    };
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !call->isInlineAsm())
        continue;
      AssemblyAccesses accesses = assemblyAccesses(*call);
      if (llvm::any_of(accesses.known, [](const AssemblyAccess &access) {
            return access.isConditional;
          }))
        assume(hasConditions, instruction,
               "all lanes make the accesses that inline assembly makes under "
               "a predicate");
      if (accesses.copiesUnknownBytes)
        assume(hasUnknownCopies, instruction,
               "bulk copies of a size that the code does not state move "
               "nothing, such as the one");
    }
  }

  void describeVariables() {
    std::set<std::string> used = symbolsSetByHost(summary);
    for (const Access &access : summary.accesses)
      used.insert(access.base);
    summary.variables = hostVariables(function);
    std::erase_if(summary.variables, [&](const Argument &variable) {
      return llvm::none_of(used, [&](llvm::StringRef symbol) {
        return symbol.rsplit('.').first == "@" + variable.name;
      });
    });
  }

  /// LLVM and nvcc do what is left of an unrolled loop last where that leaves
  /// more constant: where it counts from a constant on.
  static bool isRestFirst(const llvm::Loop &loop) {
    const llvm::BasicBlock *before = loop.getLoopPreheader();
    return before && llvm::none_of(loop.getHeader()->phis(),
                                   [&](const llvm::PHINode &phi) {
                                     return llvm::isa<llvm::ConstantInt>(
                                         phi.getIncomingValueForBlock(before));
                                   });
  }

  void describeLoops() {
    for (const llvm::Loop *loop : values.loops()) {
      Loop result;
      result.iv = values.counterName(loop);
      if (loop->getParentLoop())
        result.parent = values.loopNumber(loop->getParentLoop());
      result.tripCount = trips.of(*loop);
      result.isRestFirst = isRestFirst(*loop);
      result.location = sourceLocation(loop->getStartLoc().get());
      summary.loops.push_back(std::move(result));
    }
  }

  static MaybeExpr knownOrComplex(const Expr &expr) {
    return expr.isValid() ? MaybeExpr{expr, ""} : MaybeExpr::unknown("complex");
  }

  void describeBlock(llvm::BasicBlock &block, AccessIndices &firstAccesses) {
    unsigned number = summary.blocks.size();
    Block result;
    result.name = "b" + std::to_string(number);
    if (const llvm::Loop *loop = loops.getLoopFor(&block))
      result.loop = values.loopNumber(loop);
    result.guard = knownOrComplex(flow.guard(&block));
    summary.blocks.push_back(std::move(result));
    for (llvm::Instruction &instruction : block) {
      size_t first = summary.accesses.size();
      collectAccesses(instruction, number, values, evolution, summary.accesses);
      if (isRetried(instruction, loops))
        summary.accesses.back().isRetried = true;
      if (summary.accesses.size() > first)
        firstAccesses.emplace_back(&instruction, first);
      noteCall(instruction, number);
    }
    describeBranch(block, number);
  }

  void describeBranch(llvm::BasicBlock &block, unsigned number) {
    llvm::Instruction &end = *block.getTerminator();
    auto add = [&](const Expr &condition) {
      // Uniformity analysis does not know that all lanes have one block index.
      if (!values.isUniform(condition))
        summary.branches.push_back({number, knownOrComplex(condition),
                                    sourceLocation(end.getDebugLoc().get())});
    };
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
      if (branch->isConditional() &&
          uniformity.isDivergent(branch->getCondition()))
        add(flow.branchCondition(*branch));
    } else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
      // Lanes that part do so in most cases.
      constexpr size_t MostWays = 8;
      llvm::SmallSetVector<llvm::BasicBlock *, MostWays> ways;
      for (const auto &item : choice->cases())
        if (item.getCaseSuccessor() != choice->getDefaultDest())
          ways.insert(item.getCaseSuccessor());
      if (uniformity.isDivergent(choice->getCondition()))
        for (llvm::BasicBlock *way : ways.getArrayRef().take_front(MostWays))
          add(flow.switchCondition(*choice, way));
    }
  }

  void noteCall(const llvm::Instruction &instruction, unsigned block) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
      return;
    const llvm::Function *callee = call->getCalledFunction();
    summary.callees.push_back({callee ? callee->getName().str() : "", block,
                               sourceLocation(call->getDebugLoc().get()),
                               whyLeftOut(*call).str()});
  }
};

/// Shared memory of a kernel: the arrays it uses, by itself or through the
/// functions it calls.
class SharedMemory {
public:
  explicit SharedMemory(const llvm::Module &module)
      : layout(module.getDataLayout()) {}

  void describe(const llvm::Function &function, KernelSummary &summary) {
    visit(function);
    uint64_t end = 0;
    for (const llvm::GlobalVariable *array : arrays) {
      uint64_t size = layout.getTypeAllocSize(array->getValueType());
      summary.usesDynamicShared |= size == 0;
      uint64_t align = array->getAlign().valueOrOne().value();
      end = llvm::alignTo(end, align) + size;
    }
    summary.staticSharedInBytes = end;
  }

private:
  const llvm::DataLayout &layout;
  llvm::SmallSetVector<const llvm::GlobalVariable *, 4> arrays;
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;

  void visit(const llvm::Value &value) {
    if (!seen.insert(&value).second)
      return;
    if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      if (global->getAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_SHARED)
        arrays.insert(global);
      return;
    }
    if (auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
      for (const llvm::BasicBlock &block : *function)
        for (const llvm::Instruction &instruction : block)
          visitOperands(instruction);
      return;
    }
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
      visitOperands(*constant);
  }

  void visitOperands(const llvm::User &user) {
    for (const llvm::Value *operand : user.operands())
      if (llvm::isa<llvm::Constant>(operand))
        visit(*operand);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// A copy, since the second look rewrites the code.
static std::unique_ptr<llvm::Module>
takeSnapshot(const llvm::Module &module, const AccessIndices &firstAccesses) {
  llvm::ValueToValueMapTy copies;
  std::unique_ptr<llvm::Module> snapshot = llvm::CloneModule(module, copies);
  llvm::LLVMContext &context = snapshot->getContext();
  for (auto [instruction, index] : firstAccesses) {
    auto *number = llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), index));
    llvm::cast<llvm::Instruction>(copies[instruction])
        ->setMetadata(AccessMetadata, llvm::MDNode::get(context, number));
  }
  return snapshot;
}

/// A branch that lanes may take apart has an instruction before it and one
/// where they meet again. Volta and Turing clear the register that holds who
/// waits (BMOV before BSSY).
static void addReconvergence(const std::vector<bool> &forks, unsigned arch,
                             KernelSummary &summary) {
  constexpr unsigned Volta = 70, Ampere = 80;
  const double SetAndWait = arch >= Volta && arch < Ampere ? 3 : 2;
  for (const Branch &branch : summary.branches)
    if (forks[branch.block])
      for (MachineCode &code : summary.blocks[branch.block].code)
        code.mix[InstructionClass::Control] += SetAndWait * code.unroll;
}

/// Which version of a loop runs is tested before each: whether as many turns as
/// it has copies are left. Where lanes may leave it apart, they meet again
/// behind each version. (Found by trying ptxas 11.8 and 13 for 7.5 to 9.0.)
static MachineCode testsOfVersions(bool isDivergent) {
  using enum InstructionClass;
  MachineCode tests;
  // Each branch waits for its test.
  tests.path[Compare] = tests.path[Control] = 3;
  tests.mix = tests.path;
  tests.mix[Logic] += 2;
  tests.mix[Move] += 2;
  if (isDivergent) {
    // What is left of the way to the bound.
    tests.mix[IntAdd] += 2;
    tests.mix[Control] += 4;
  } else {
    // A counter that goes down to 0.
    tests.mix[Compare] += 1;
    tests.mix[Control] += 1;
    tests.mix[Move] += 1;
  }
  return tests;
}

/// Adds what runs before the version of \p block that is unrolled \p begins
/// times.
static void addStart(const MachineCode &start, unsigned begins, Block &block) {
  auto found = llvm::find_if(block.code, [&](const MachineCode &code) {
    return code.begins == begins;
  });
  MachineCode &code =
      found == block.code.end() ? block.code.emplace_back() : *found;
  code.unroll = 0;
  code.begins = begins;
  code.mix.add(start.mix);
  code.path.add(start.path);
}

/// Adds the tests to what runs before a loop, or before what the optimiser has
/// unrolled of it.
static void addTestsOfVersions(llvm::ArrayRef<LoopOfVersions> loops,
                               KernelSummary &summary) {
  for (const LoopOfVersions &loop : loops) {
    bool isDivergent =
        llvm::any_of(summary.branches, [&](const Branch &branch) {
          return branch.block == loop.body;
        });
    const MachineCode tests = testsOfVersions(isDivergent);
    if (loop.unroll > 1) {
      addStart(tests, loop.unroll, summary.blocks[loop.body]);
      continue;
    }
    std::vector<MachineCode> &before = summary.blocks[loop.before].code;
    if (before.empty())
      before.emplace_back();
    for (MachineCode &code : before) {
      code.mix.add(tests.mix.scaled(code.unroll));
      code.path.add(tests.path.scaled(code.unroll));
    }
  }
}

static void describeRegisters(const KernelCode &code,
                              const AssemblerReport *assembled,
                              KernelSummary &summary) {
  const RegisterUse &use = code.registers;
  summary.registers = use.registers;
  if (assembled && assembled->contains(summary.name)) {
    summary.registerOrigin = RegisterOrigin::Assembler;
    summary.localInBytes = assembled->lookup(summary.name).localInBytes;
    return;
  }
  summary.localInBytes = code.localInBytes + RegisterInBytes * use.spillPlaces;
  if (use.spilledValues)
    summary.assumptions.push_back(
        std::to_string(use.unlimited - use.registers) +
        " registers a thread more than the " + std::to_string(use.registers) +
        " it may have: about " + std::to_string(use.spilledValues) +
        " values are spilled to local memory");
  if (use.aliveUnlessOrdered)
    summary.assumptions.push_back(
        "nothing is spilled to local memory, though the longest block of code "
        "is too long for ptxas to be sure to put it in order, and has " +
        std::to_string(use.aliveUnlessOrdered) +
        " values alive at once as it stands; ptxas itself knows (--ptxas)");
}

void auspex::optimizeAsNvcc(
    llvm::PassBuilder &builder,
    std::function<bool(const llvm::DILocation &)> isUnhinted) {
  if (auto *callbacks = builder.getPassInstrumentationCallbacks())
    keepVectorsWhole(*callbacks);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes,
                                             llvm::OptimizationLevel level) {
    if (level == llvm::OptimizationLevel::O0)
      return;
    passes.addPass(ReadRegisters());
    llvm::FunctionPassManager first;
    first.addPass(KeepStores());
    first.addPass(MarkSwitches());
    first.addPass(AlignAssignments());
    first.addPass(StoreConstants());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
    passes.addPass(CopyChangedVectors());
  });
  builder.registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level,
         llvm::ThinOrFullLTOPhase) {
        if (level == llvm::OptimizationLevel::O0)
          return;
        llvm::FunctionPassManager early;
        early.addPass(CopyChosenStructs());
        early.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
        early.addPass(MarkWrappingCounters());
        early.addPass(HideDivisions());
        passes.addPass(
            llvm::createModuleToFunctionPassAdaptor(std::move(early)));
      });
  builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager &passes,
                                              llvm::OptimizationLevel,
                                              llvm::ThinOrFullLTOPhase) {
    llvm::FunctionPassManager vectors;
    vectors.addPass(NarrowVectorLoads());
    vectors.addPass(AnswerAlignmentChecks());
    vectors.addPass(llvm::InferAlignmentPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(vectors)));
    passes.addPass(RestoreDivisions());
  });
  builder.registerLateLoopOptimizationsEPCallback(
      [isUnhinted = std::move(isUnhinted)](llvm::LoopPassManager &passes,
                                           llvm::OptimizationLevel) {
        passes.addPass(UnswitchAsNvcc());
        passes.addPass(KeepLoopsAsNvcc(isUnhinted));
      });
}

llvm::Expected<std::vector<KernelSummary>>
auspex::summarizeModule(llvm::Module &module, const AnalysisOptions &options) {
  const llvm::Triple &triple = module.getTargetTriple();
  if (!triple.isNVPTX())
    return makeInputError(
        {module.getModuleIdentifier(), 0, ""},
        (triple.str().empty()
             ? "the code names no target; NVPTX is expected"
             : "the code is for '" + triple.str() + "', not for NVPTX") +
            "; compile with --cuda-device-only -emit-llvm");
  unsigned arch = archOf(module);
  bool isStated = statedArch(module).has_value();
  shortenPointers(module);
  auto machine = createMachine(module);
  if (!machine)
    return machine.takeError();
  llvm::PassBuilder builder(machine->get());
  AnalysisManagers managers(builder);
  llvm::FunctionAnalysisManager &functions = managers.functions;
  if (options.isForNvcc)
    markRegisters(module, arch);
  prepareModule(module, managers.modules, options);
  if (options.isForNvcc) {
    compareInChains(module);
    copyVectorsWhole(module, arch);
    storeFills(module, functions);
    relaxCompareAndSwap(module);
  }
  boundRegisters(module, options.maxRegisters);
  std::vector<llvm::Function *> kernels;
  std::vector<KernelSummary> summaries;
  AccessIndices firstAccesses;
  // The first look.
  for (llvm::Function &function : module) {
    if (!isKernel(function))
      continue;
    kernels.push_back(&function);
    if (options.isForNvcc) {
      hideRegisters(module, arch);
      unrollWholeAsPtxas(function, arch, functions);
    }
    prepareKernel(function, functions, options.remainingPipeline,
                  options.isForNvcc);
    if (options.isForNvcc) {
      unrollAsNvcc(function, arch, functions);
      stateRegisters(module, arch);
      llvm::PreservedAnalyses kept;
      kept.preserveSet<llvm::CFGAnalyses>();
      functions.invalidate(function, kept);
    }
    KernelSummary &summary = summaries.emplace_back(
        KernelAnalyzer(function, functions).run(firstAccesses));
    SharedMemory(module).describe(function, summary);
    // The next kernel's take the same memory.
    functions.clear(function, function.getName());
  }
  if (options.snapshot)
    *options.snapshot = takeSnapshot(module, firstAccesses);
  // The second look.
  if (options.isForNvcc)
    for (llvm::Function *kernel : kernels)
      hideMostTurns(*kernel, functions);
  std::vector<KernelCode> code =
      readMachineCode(module, **machine, kernels, options);
  for (auto [summary, machineCode] : llvm::zip(summaries, code)) {
    summary.arch = arch;
    if (!isStated)
      summary.assumptions.push_back(
          "the code names no GPU that it is for: it is taken to be for sm_" +
          std::to_string(arch));
    describeRegisters(machineCode, options.assembled, summary);
    for (auto [block, versions, predicatedIn] : llvm::zip(
             summary.blocks, machineCode.blocks, machineCode.predicatedIn)) {
      block.code = std::move(versions);
      block.predicatedIn = predicatedIn;
    }
    addReconvergence(machineCode.forks, arch, summary);
    addTestsOfVersions(machineCode.loopsOfVersions, summary);
  }
  return summaries;
}
