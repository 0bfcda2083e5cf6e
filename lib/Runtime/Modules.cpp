// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration: what compiled programs call before main, and loading what they
// registered.
#include "Modules.h"

#include "auspex/Kernel/SnapshotMetadata.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/OffloadBinary.h"

#include <unordered_map>

using namespace auspex;
using namespace auspex::cuda;
using llvm::StringRef;

namespace {

/// What the compiler puts around a fat binary.
struct BinaryWrapper {
  int magic, version;
  const char *data;
  void *next;
};

struct Tables {
  std::unordered_map<const void *, Kernel> kernels;
  std::unordered_map<const void *, Variable> variables;
};

} // namespace

static constexpr uint32_t OffloadMagic = 0xAD10FF10, VendorMagic = 0xBA55ED50;

static Tables &tables() {
  static Tables *all = new Tables;
  return *all;
}

static uint32_t magicOf(const void *binary) {
  uint32_t magic;
  std::memcpy(&magic, binary, sizeof(magic));
  return magic;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::object::OffloadBinary>>
openBinary(const void *binary) {
  const auto *header =
      static_cast<const llvm::object::OffloadBinary::Header *>(binary);
  return llvm::object::OffloadBinary::create(
      {StringRef(static_cast<const char *>(binary), header->Size),
       "device code"});
}

unsigned Module::arch() const {
  if (magicOf(binary) != OffloadMagic)
    return 0;
  auto opened = openBinary(binary);
  if (!opened) {
    llvm::consumeError(opened.takeError());
    return 0;
  }
  return parseArch((*opened)->getArch()).value_or(0);
}

/// Takes the document out of \p module: it is no code.
static std::string takeSummaries(llvm::Module &module) {
  llvm::NamedMDNode *node = module.getNamedMetadata(SummariesMetadata);
  if (!node || node->getNumOperands() == 0)
    return "";
  auto *text =
      llvm::dyn_cast<llvm::MDString>(node->getOperand(0)->getOperand(0));
  std::string summaries = text ? text->getString().str() : "";
  module.eraseNamedMetadata(node);
  return summaries;
}

Error Module::read(Runtime &runtime) {
  constexpr StringRef Remedy = "; rebuild it with auspex-clang++";
  if (magicOf(binary) != OffloadMagic) {
    complain("the program's device code is " +
             llvm::Twine(magicOf(binary) == VendorMagic
                             ? "compiled for a GPU and has no IR"
                             : "in a format that is not known here") +
             Remedy);
    return NoKernelImageForDevice;
  }
  auto opened = openBinary(binary);
  if (!opened) {
    complain("the program's device code is damaged: " +
             llvm::toString(opened.takeError()) + Remedy);
    return InvalidKernelImage;
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module =
      llvm::parseBitcodeFile({(*opened)->getImage(), "device code"}, *context);
  if (!module) {
    complain("the program's device code is not LLVM IR of this version: " +
             llvm::toString(module.takeError()) + Remedy);
    return InvalidKernelImage;
  }
  summaryText = takeSummaries(**module);
  auto program =
      Program::create(std::move(context), std::move(*module), runtime.memory);
  if (!program) {
    complain(llvm::toString(program.takeError()));
    return InvalidKernelImage;
  }
  loaded = std::move(*program);
  return Success;
}

Error Module::load(Runtime &runtime) {
  if (!state)
    state = read(runtime);
  return *state;
}

void Module::readSummaryText() {
  if (summaryText.empty())
    return;
  auto node = parseDocument(summaryText, "device code");
  summaryText.clear();
  if (!node)
    return complain(llvm::toString(node.takeError()));
  auto read = readSummaries(*node);
  if (!read)
    return complain(llvm::toString(read.takeError()));
  document = std::move(*read);
}

llvm::ArrayRef<KernelSummary> Module::summaries() {
  readSummaryText();
  return document.kernels;
}

const KernelSummary *Module::summary(StringRef kernel) {
  for (const KernelSummary &summary : summaries())
    if (summary.name == kernel)
      return &summary;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

Error cuda::findKernel(Runtime &runtime, const void *shadow, Kernel *&kernel) {
  auto found = tables().kernels.find(shadow);
  if (found == tables().kernels.end())
    return InvalidDeviceFunction;
  kernel = &found->second;
  if (kernel->info)
    return Success;
  if (Error error = kernel->module->load(runtime); error != Success)
    return error;
  kernel->info = kernel->module->program().kernel(kernel->name);
  return kernel->info ? Success : InvalidDeviceFunction;
}

Error cuda::findVariable(Runtime &runtime, const void *shadow,
                         Allocation &allocation) {
  auto found = tables().variables.find(shadow);
  if (found == tables().variables.end())
    return InvalidSymbol;
  Variable &variable = found->second;
  if (Error error = variable.module->load(runtime); error != Success)
    return error;
  auto memory = variable.module->program().variable(variable.name);
  if (!memory)
    return InvalidSymbol;
  allocation = *memory;
  return Success;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

AUSPEX_CUDA void **__cudaRegisterFatBinary(void *wrapper) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  auto *module = new Module(static_cast<BinaryWrapper *>(wrapper)->data);
  if (runtime.codeArch == 0)
    runtime.codeArch = module->arch();
  return reinterpret_cast<void **>(module);
}

/// Managed variables are pointers on the host, which the program may follow as
/// soon as it starts.
AUSPEX_CUDA void __cudaRegisterFatBinaryEnd(void **handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  auto *module = reinterpret_cast<Module *>(handle);
  for (auto &[shadow, variable] : tables().variables) {
    Allocation allocation;
    if (variable.module != module || !variable.managed ||
        findVariable(runtime, shadow, allocation) != Success)
      continue;
    *variable.managed = allocation.begin;
    runtime.kinds[allocation.begin] = MemoryKind::Managed;
  }
}

/// A library that is closed takes its handles along. Its code stays: memory of
/// its variables may be in use.
AUSPEX_CUDA void __cudaUnregisterFatBinary(void **handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  auto *module = reinterpret_cast<Module *>(handle);
  auto isOfModule = [&](const auto &entry) {
    return entry.second.module == module;
  };
  std::erase_if(tables().kernels, isOfModule);
  std::erase_if(tables().variables, isOfModule);
}

AUSPEX_CUDA void __cudaRegisterFunction(void **handle, const char *shadow,
                                        char *, const char *name, int, void *,
                                        void *, void *, void *, int *) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  Kernel &kernel = tables().kernels[shadow];
  kernel.module = reinterpret_cast<Module *>(handle);
  kernel.name = name;
}

AUSPEX_CUDA void __cudaRegisterVar(void **handle, char *shadow, char *,
                                   const char *name, int, size_t size, int,
                                   int) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  tables().variables[shadow] = {reinterpret_cast<Module *>(handle), name, size,
                                nullptr};
}

AUSPEX_CUDA void __cudaRegisterManagedVar(void **handle, void **shadow, char *,
                                          const char *name, int, size_t size,
                                          int, int) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  tables().variables[shadow] = {reinterpret_cast<Module *>(handle), name, size,
                                shadow};
}

AUSPEX_CUDA void __cudaRegisterHostVar(void **, const char *, char *, size_t) {}
// References to textures and surfaces are gone since CUDA 12; what uses them
// does not compile.
AUSPEX_CUDA void __cudaRegisterTexture(void **, const void *, const void **,
                                       const char *, int, int, int) {}
AUSPEX_CUDA void __cudaRegisterSurface(void **, const void *, const void **,
                                       const char *, int, int) {}
AUSPEX_CUDA char __cudaInitModule(void **) { return 1; }
