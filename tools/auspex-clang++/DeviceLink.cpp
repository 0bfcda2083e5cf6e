// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceLink.h"

#include "auspex/Analysis/LlvmSetup.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Analysis/Snapshot.h"
#include "auspex/HW/GPU.h"
#include "auspex/Support/Containment.h"
#include "auspex/Support/Error.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Frontend/Offloading/OffloadWrapper.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace auspex;
using llvm::StringRef;
using llvm::object::OffloadFile;

static constexpr StringRef DeviceTriple = "nvptx64-nvidia-cuda";

std::string auspex::packDeviceCode(StringRef bitcode, StringRef arch) {
  llvm::object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = llvm::object::IMG_Bitcode;
  image.TheOffloadKind = llvm::object::OFK_Cuda;
  image.StringData["triple"] = DeviceTriple;
  image.StringData["arch"] = arch;
  image.Image = llvm::MemoryBuffer::getMemBuffer(bitcode, "", false);
  return llvm::object::OffloadBinary::write(image).str().str();
}

/// The device code of all files.
static llvm::Expected<llvm::SmallVector<OffloadFile>>
collect(const std::vector<std::string> &files) {
  llvm::SmallVector<OffloadFile> all;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      continue; // the linker says so
    llvm::SmallVector<OffloadFile> found;
    if (llvm::Error error = llvm::object::extractOffloadBinaries(
            (*buffer)->getMemBufferRef(), found)) {
      llvm::consumeError(std::move(error)); // no object: the linker's too
      continue;
    }
    for (OffloadFile &image : found) {
      const llvm::object::OffloadBinary &binary = *image.getBinary();
      if (binary.getOffloadKind() != llvm::object::OFK_Cuda)
        continue;
      if (binary.getImageKind() != llvm::object::IMG_Bitcode)
        return makeInputError({file, 0, ""},
                              "its device code is not bitcode; compile it with "
                              "auspex-clang++ -fgpu-rdc");
      all.push_back(image.copy());
    }
  }
  return all;
}

/// Of two architectures one has to win: what runs for the older one runs for
/// the newer one too.
static StringRef newestArch(llvm::ArrayRef<OffloadFile> images) {
  // Of sm_90 and sm_90a the latter.
  auto age = [](StringRef arch) {
    return std::pair(parseArch(arch).value_or(0), arch);
  };
  StringRef newest = images.front().getBinary()->getArch();
  for (const OffloadFile &image : images)
    if (StringRef arch = image.getBinary()->getArch(); age(arch) > age(newest))
      newest = arch;
  return newest;
}

static llvm::Expected<std::unique_ptr<llvm::Module>>
join(llvm::ArrayRef<OffloadFile> images, llvm::LLVMContext &context) {
  auto whole = std::make_unique<llvm::Module>("device", context);
  llvm::Linker linker(*whole);
  for (const OffloadFile &image : images) {
    auto part = llvm::parseBitcodeFile(
        {image.getBinary()->getImage(), "device code"}, context);
    if (!part)
      return part.takeError();
    whole->setTargetTriple((*part)->getTargetTriple());
    whole->setDataLayout((*part)->getDataLayout());
    std::string name = (*part)->getSourceFileName();
    if (linker.linkInModule(std::move(*part)))
      return makeInputError({name, 0, ""},
                            "its device code does not link with that of the "
                            "other files");
  }
  return whole;
}

/// What the device has without anybody defining it.
static bool isOfDevice(StringRef function) {
  return function.starts_with("llvm.") || function.starts_with("cuda") ||
         function.starts_with("__cuda") || function == "vprintf" ||
         function == "malloc" || function == "free" ||
         function == "__assertfail" || function == "__nvvm_reflect";
}

/// Whether other code than the objects' would have to define \p symbol.
static bool isMissing(const llvm::GlobalValue &symbol) {
  if (!symbol.isDeclaration() || symbol.use_empty() ||
      symbol.hasExternalWeakLinkage())
    return false;
  if (llvm::isa<llvm::Function>(symbol))
    return !isOfDevice(symbol.getName());
  // "extern __shared__ x[]" is the launch's.
  return symbol.getAddressSpace() != llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
}

static llvm::Error checkDefined(const llvm::Module &module) {
  for (const llvm::GlobalValue &symbol : module.global_values())
    if (isMissing(symbol))
      return makeInputError({}, "no object defines '" +
                                    llvm::demangle(symbol.getName()) +
                                    "' for the device");
  return llvm::Error::success();
}

/// Nobody outside calls what is no kernel.
static void internalize(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !isKernel(function)) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
}

static llvm::Expected<std::string> optimizeAndAnalyze(llvm::Module &module,
                                                      StringRef arch) {
  initializeNVPTX();
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
  if (!target)
    return makeInputError({}, problem);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      module.getTargetTriple(), arch, "", {}, std::nullopt));
  llvm::PassBuilder builder(machine.get());
  AnalysisManagers managers(builder);
  // As far as the plugin lets clang come before it looks.
  const llvm::OptimizationLevel level = llvm::OptimizationLevel::O2;
  llvm::ModulePassManager passes;
  builder.invokePipelineStartEPCallbacks(passes, level);
  passes.addPass(builder.buildModuleSimplificationPipeline(
      level, llvm::ThinOrFullLTOPhase::None));
  passes.run(module, managers.modules);
  std::unique_ptr<llvm::Module> snapshot;
  AnalysisOptions options;
  options.remainingPipeline = level;
  options.isRelocatable = true;
  options.snapshot = &snapshot;
  auto summaries = summarizeModule(module, options);
  if (!summaries)
    return summaries.takeError();
  std::string bitcode;
  llvm::raw_string_ostream os(bitcode);
  writeSnapshot(*snapshot, *summaries, {}, os);
  return bitcode;
}

/// The host's module around the code; it registers it before main.
static llvm::Expected<std::string> wrap(StringRef binary) {
  llvm::LLVMContext context;
  llvm::Module module("device-code", context);
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  module.setTargetTriple(host);
  if (llvm::Error error = llvm::offloading::wrapCudaBinary(
          module, llvm::ArrayRef(binary.data(), binary.size()),
          llvm::offloading::getOffloadEntryArray(module)))
    return std::move(error);
  std::string bitcode;
  llvm::raw_string_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
  return bitcode;
}

static llvm::Expected<std::string>
linkAll(const std::vector<std::string> &files) {
  auto images = collect(files);
  if (!images)
    return images.takeError();
  if (images->empty())
    return "";
  std::string arch = newestArch(*images).str();
  llvm::LLVMContext context;
  auto module = join(*images, context);
  if (!module)
    return module.takeError();
  if (llvm::Error error = checkDefined(**module))
    return std::move(error);
  internalize(**module);
  auto snapshot = optimizeAndAnalyze(**module, arch);
  if (!snapshot)
    return snapshot.takeError();
  return wrap(packDeviceCode(*snapshot, arch));
}

llvm::Expected<std::string>
auspex::linkDeviceCode(const std::vector<std::string> &files) {
  return makeContained<std::string>([&] { return linkAll(files); });
}
