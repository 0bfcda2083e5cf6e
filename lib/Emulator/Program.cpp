// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Emulator/Emulator.h"

#include "LaunchRunner.h"
#include "ProgramCode.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;
using namespace auspex::emulator;

char EmulationFault::ID;

using BlockIndex = std::array<int64_t, 3>;

static void printIndex(llvm::raw_ostream &os, const BlockIndex &at) {
  os << '(' << at[0] << ',' << at[1] << ',' << at[2] << ')';
}

static void printRunning(llvm::raw_ostream &os,
                         llvm::ArrayRef<EmulationFault::RunningBlock> blocks) {
  constexpr size_t MostPrinted = 8;
  os << "; blocks that ran: ";
  llvm::ListSeparator separator;
  for (const auto &[block, locations] : blocks.take_front(MostPrinted)) {
    os << separator;
    printIndex(os, block);
    llvm::ListSeparator and_(" and ");
    os << (locations.empty() ? "" : " at ");
    for (const SourceLocation &location : locations)
      os << and_ << location.str();
  }
  if (blocks.size() > MostPrinted)
    os << " and " << blocks.size() - MostPrinted << " more";
}

void EmulationFault::log(llvm::raw_ostream &os) const {
  os << "kernel '" << kernel << "'";
  if (location.isKnown())
    os << ", " << location.str();
  if (kind != Kind::Unsupported) {
    os << ", block ";
    printIndex(os, block);
    os << ", thread ";
    printIndex(os, thread);
  }
  os << ": " << message;
  if (!running.empty())
    printRunning(os, running);
}

std::error_code EmulationFault::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

/// Where the integers in a \p type lie, and their sizes.
static std::map<uint64_t, uint64_t> integersIn(llvm::Type *type,
                                               const llvm::DataLayout &layout) {
  std::map<uint64_t, uint64_t> integers;
  forScalars(type, 0, layout, [&](const llvm::Type *scalar, uint64_t offset) {
    if (scalar->isIntegerTy())
      integers[offset] = scalar->getIntegerBitWidth() / 8;
  });
  return integers;
}

struct Program::Implementation {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<ProgramCode> code;
  llvm::StringMap<KernelInfo> kernels;
  LaunchRunner runner;
};

Program::Program(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::create(std::unique_ptr<llvm::LLVMContext> context,
                std::unique_ptr<llvm::Module> module, DeviceMemory &memory) {
  // The module goes before its context, also where this returns early.
  auto implementation = std::make_unique<Implementation>();
  implementation->context = std::move(context);
  implementation->module = std::move(module);
  llvm::Module &code = *implementation->module;
  Place place{code.getModuleIdentifier(), 0, ""};
  const llvm::Triple &triple = code.getTargetTriple();
  if (!triple.isNVPTX())
    return makeInputError(place, "the code is for '" + triple.str() +
                                     "'; NVPTX is expected");
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(code, &stream))
    return makeInputError(place, "the code is broken: " +
                                     llvm::StringRef(problem).rtrim());
  implementation->code =
      std::make_unique<ProgramCode>(*implementation->module, memory);
  if (llvm::Error error = implementation->code->placeVariables())
    return std::move(error);
  for (const llvm::Function &function : *implementation->module) {
    if (function.isDeclaration() ||
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      continue;
    KernelInfo &info = implementation->kernels[function.getName()];
    info.function = &function;
    info.staticSharedInBytes =
        implementation->code->sharedLayout(function).staticInBytes;
    const llvm::DataLayout &layout = function.getDataLayout();
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
          if (auto size = local->getAllocationSize(layout))
            info.localInBytes += size->getFixedValue();
    std::vector<ParameterPlace> places = placeParameters(function);
    info.parametersInBytes = places.back().offset;
    places.pop_back();
    for (auto [place, argument] : llvm::zip(places, function.args())) {
      auto &parameter = info.parameters.emplace_back();
      parameter.offset = place.offset;
      parameter.sizeInBytes = place.sizeInBytes;
      if (argument.hasByValAttr())
        parameter.integers = integersIn(argument.getParamByValType(), layout);
    }
  }
  return std::unique_ptr<Program>(new Program(std::move(implementation)));
}

std::map<uint64_t, uint64_t>
Program::integersOf(llvm::StringRef variable) const {
  const llvm::GlobalVariable *found =
      implementation->module->getNamedGlobal(variable);
  return found ? integersIn(found->getValueType(), found->getDataLayout())
               : std::map<uint64_t, uint64_t>();
}

std::optional<Allocation> Program::variable(llvm::StringRef name) const {
  return implementation->code->variable(name);
}

const Program::KernelInfo *Program::kernel(llvm::StringRef name) const {
  auto found = implementation->kernels.find(name);
  return found == implementation->kernels.end() ? nullptr : &found->second;
}

llvm::Expected<DynamicProfile>
Program::launch(llvm::StringRef name, const LaunchShape &shape,
                uint64_t dynamicSharedInBytes, llvm::ArrayRef<char> parameters,
                const EmulationOptions &options) {
  const KernelInfo *info = kernel(name);
  if (!info)
    return makeInputError(
        {implementation->module->getModuleIdentifier(), 0, ""},
        "there is no kernel '" + name + "'" +
            didYouMean(name, llvm::to_vector_of<std::string>(
                                 implementation->kernels.keys())));
  if (parameters.size() < info->parametersInBytes)
    return makeInputError({}, "the kernel '" + name + "' takes " +
                                  llvm::Twine(info->parametersInBytes) +
                                  " bytes of parameters, not " +
                                  llvm::Twine(parameters.size()));
  for (const Dim3 &sizes : {shape.grid, shape.block})
    if (sizes.x < 1 || sizes.y < 1 || sizes.z < 1)
      return makeInputError({},
                            "a grid or block without threads: " + sizes.str());
  int64_t most = LaunchLimits().threadsPerBlock;
  if (shape.block.count() > most)
    return makeInputError({}, "a block of " + shape.block.str() +
                                  " has more than " + llvm::Twine(most) +
                                  " threads");
  auto code = implementation->code->decode(*info->function);
  if (!code)
    return code.takeError();
  return implementation->runner.run(*implementation->code, **code, shape,
                                    dynamicSharedInBytes, parameters, options);
}
