// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/Assembler.h"

#include "LaunchBounds.h"
#include "Target.h"
#include "auspex/Support/Error.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace auspex;
using llvm::StringRef;

llvm::Expected<std::string> auspex::findAssembler(StringRef path) {
  std::vector<std::string> places;
  if (!path.empty()) {
    places = {path.str(), path.str() + "/bin/ptxas"};
  } else {
    for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
      if (const char *toolkit = std::getenv(variable))
        places.push_back(std::string(toolkit) + "/bin/ptxas");
    if (auto found = llvm::sys::findProgramByName("ptxas"))
      places.push_back(*found);
    places.push_back("/usr/local/cuda/bin/ptxas");
  }
  for (const std::string &place : places)
    if (llvm::sys::fs::can_execute(place) &&
        !llvm::sys::fs::is_directory(place))
      return place;
  return makeInputError({path.str(), 0, ""},
                        "no ptxas is found; it comes with a CUDA toolkit "
                        "(CUDA_PATH, CUDA_HOME, /usr/local/cuda)");
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// The number in front of \p unit in \p line: 32 of "Used 32 registers".
static std::optional<unsigned> numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef before = line.take_front(end).rtrim();
  unsigned number;
  if (before.rsplit(' ').second.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

AssemblerReport auspex::readAssemblerReport(StringRef report) {
  AssemblerReport kernels;
  AssembledKernel *current = nullptr;
  llvm::SmallVector<StringRef> lines;
  report.split(lines, '\n');
  for (StringRef line : lines) {
    constexpr StringRef Head = "Function properties for ";
    if (size_t at = line.find(Head); at != StringRef::npos)
      current = &kernels[line.substr(at + Head.size()).trim()];
    if (!current)
      continue;
    for (StringRef unit :
         {" bytes stack frame", " bytes cumulative stack size"})
      if (auto stack = numberBefore(line, unit))
        current->localInBytes = *stack;
    if (auto stores = numberBefore(line, " bytes spill stores"))
      current->spillStoresInBytes = *stores;
    if (auto loads = numberBefore(line, " bytes spill loads"))
      current->spillLoadsInBytes = *loads;
    if (auto registers = numberBefore(line, " registers"))
      current->registers = *registers;
  }
  // Functions that are called have properties too, but no registers.
  for (auto it = kernels.begin(); it != kernels.end();) {
    auto entry = it++;
    if (!entry->second.registers)
      kernels.erase(entry);
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

/// Functions that are in every caller by now say nothing of kernels, and the
/// back end fails at some of them.
static void removeUnusedFunctions(llvm::Module &module) {
  auto isUnused = [](const llvm::Function &function) {
    return !function.isDeclaration() && !isKernel(function) &&
           function.use_empty();
  };
  while (llvm::any_of(module, isUnused))
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (isUnused(function))
        function.eraseFromParent();
}

static llvm::Error writePTX(const llvm::Module &module,
                            const AnalysisOptions &options, StringRef ptx,
                            StringRef path) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  removeUnusedFunctions(*copy);
  boundRegisters(*copy, options.maxRegisters);
  // Names that PTX does not have, of strings above all, are changed for what is
  // seen in this module alone.
  for (llvm::GlobalVariable &variable : copy->globals())
    if (!variable.isDeclaration() && variable.getName().contains('.'))
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  auto machine = createMachine(*copy, ptx);
  if (!machine)
    return machine.takeError();
  removeTargetAttributes(*copy);
  if (options.remainingPipeline != llvm::OptimizationLevel::O0)
    runLatePipeline(*copy, **machine, options);
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeInputError({path.str(), 0, ""},
                          "cannot be written: " + code.message());
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return makeInputError({}, "this LLVM cannot write PTX");
  passes.run(*copy);
  return llvm::Error::success();
}

/// What \p assembler says to \p arguments, its own path first.
static llvm::Expected<std::string> said(StringRef assembler,
                                        llvm::ArrayRef<StringRef> arguments,
                                        StringRef failure) {
  auto report = TemporaryFile::create("txt");
  if (!report)
    return report.takeError();
  std::optional<StringRef> redirects[] = {
      StringRef(""), StringRef(report->path()), StringRef(report->path())};
  constexpr unsigned SecondsToWait = 60;
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(assembler, arguments, std::nullopt,
                                       redirects, SecondsToWait, 0, &problem);
  auto text = llvm::MemoryBuffer::getFile(report->path());
  if (code == 0 && text)
    return (*text)->getBuffer().str();
  if (problem.empty() && text)
    problem = (*text)->getBuffer().split('\n').first;
  if (problem.empty())
    problem = "exit code " + std::to_string(code);
  return makeInputError({assembler.str(), 0, ""},
                        failure.str() + ": " + problem);
}

/// The PTX version that an assembler of CUDA 11 knows, which is older than what
/// is written otherwise; empty for others.
static std::string newestPtx(StringRef assembler) {
  auto version =
      said(assembler, {assembler, "--version"}, "does not say its version");
  if (!version) {
    llvm::consumeError(version.takeError());
    return "";
  }
  StringRef release = StringRef(*version).split("release ").second;
  StringRef minor = release.split(',').first;
  return minor.consume_front("11.") ? ("+ptx7" + minor).str() : "";
}

llvm::Expected<AssemblerReport> auspex::assemble(const llvm::Module &module,
                                                 const AnalysisOptions &options,
                                                 StringRef assembler) {
  if (llvm::none_of(module, isKernel))
    return AssemblerReport();
  auto ptx = TemporaryFile::create("ptx");
  if (!ptx)
    return ptx.takeError();
  if (llvm::Error error =
          writePTX(module, options, newestPtx(assembler), ptx->path()))
    return std::move(error);
  std::string arch = "-arch=sm_" + std::to_string(archOf(module));
  llvm::SmallVector<StringRef> arguments{assembler,   arch, "-v",
                                         ptx->path(), "-o", "/dev/null"};
  if (options.isRelocatable)
    arguments.push_back("-c");
  auto report = said(assembler, arguments, "does not assemble the kernels");
  if (!report)
    return report.takeError();
  return readAssemblerReport(*report);
}
