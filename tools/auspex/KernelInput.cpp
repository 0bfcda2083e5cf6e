// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelInput.h"

#include "Command.h"
#include "NvccFlags.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Analysis/LlvmSetup.h"
#include "auspex/HW/GPU.h"
#include "auspex/Support/Containment.h"
#include "auspex/Support/Document.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <mutex>

using namespace auspex;
using llvm::StringRef;

/// The same words for all kinds of files, whoever opens them.
static llvm::Error checkFile(StringRef file) {
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(file, status);
  if (!code && llvm::sys::fs::is_directory(status))
    code = std::make_error_code(std::errc::is_a_directory);
  if (code)
    return makeInputError({file.str(), 0, ""},
                          "cannot be read: " + code.message());
  return llvm::Error::success();
}

bool auspex::isHostSource(StringRef file) {
  return llvm::is_contained({".c", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C"},
                            llvm::sys::path::extension(file));
}

/// Whether the flags for clang or nvcc say that sources are CUDA, as files with
/// another ending need it.
static bool sayCuda(llvm::ArrayRef<std::string> flags) {
  auto isCuda = [](StringRef language) {
    return language == "cuda" || language == "cu";
  };
  for (size_t i = 0; i < flags.size(); ++i) {
    StringRef flag = flags[i];
    if (flag.consume_front("-x") &&
        isCuda(flag.empty() && i + 1 < flags.size() ? flags[i + 1] : flag))
      return true;
  }
  return false;
}

llvm::Expected<InputKind> auspex::inputKind(StringRef file) {
  if (llvm::Error error = checkFile(file))
    return error;
  if (file.ends_with(".cu") ||
      (isHostSource(file) && sayCuda(trailingArguments())))
    return InputKind::Cuda;
  if (file.ends_with(".ll") || file.ends_with(".bc"))
    return InputKind::IR;
  if (file.ends_with(".json"))
    return InputKind::Summary;
  if (isHostSource(file))
    return InputKind::Host;
  return makeInputError({file.str(), 0, ""},
                        "the name has to end in .cu (CUDA), .ll or .bc (LLVM "
                        "IR) or .json (a summary)");
}

static llvm::Expected<SummaryDocument> summarizeIR(StringRef file,
                                                   StringRef assembler) {
  initializeNVPTX();
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIRFile(file, problem, context);
  if (!module)
    return makeInputError(
        {file.str(), static_cast<unsigned>(std::max(0, problem.getLineNo())),
         ""},
        "cannot be read as LLVM IR: " + problem.getMessage());
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream))
    return makeInputError({file.str(), 0, ""},
                          "the code is broken: " +
                              llvm::StringRef(broken).split('\n').first);
  AnalysisOptions asItIs{llvm::OptimizationLevel::O0};
  AssemblerReport assembled;
  if (!assembler.empty()) {
    if (auto report = assemble(*module, asItIs, assembler))
      assembled = std::move(*report);
    else
      note(llvm::toString(report.takeError()) + "; registers are estimated");
    asItIs.assembled = &assembled;
  }
  auto summaries = summarizeModule(*module, asItIs);
  if (!summaries)
    return summaries.takeError();
  return SummaryDocument{std::move(*summaries), {}, {}};
}

llvm::Expected<SummaryDocument> auspex::readIR(StringRef file,
                                               StringRef assembler) {
  return makeContained<SummaryDocument>(
      [&] { return summarizeIR(file, assembler); }, Place{file.str(), 0, ""});
}

llvm::Expected<SummaryDocument> auspex::readSummaryFile(StringRef file) {
  auto document = loadDocument(file);
  if (!document)
    return document.takeError();
  return readSummaries(*document);
}

std::vector<std::string>
auspex::flagsForClang(llvm::ArrayRef<std::string> flags) {
  std::vector<const char *> words;
  for (const std::string &flag : flags)
    words.push_back(flag.c_str());
  TranslatedFlags translated = translateNvccFlags(words);
  static std::once_flag told;
  if (!translated.dropped.empty())
    std::call_once(told, [&] {
      note("compiling without " + llvm::join(translated.dropped, ", "));
    });
  return translated.arguments;
}

llvm::Expected<unsigned>
auspex::archInFlags(llvm::ArrayRef<std::string> flags) {
  llvm::SmallVector<StringRef> names;
  for (StringRef flag : flags)
    if (flag.consume_front("--cuda-gpu-arch=") ||
        flag.consume_front("--offload-arch="))
      flag.split(names, ',', -1, /*KeepEmpty=*/false);
  if (names.empty())
    return 0;
  if (names.size() > 1)
    return makeInputError(
        {}, "several architectures after '--': " + llvm::join(names, ", ") +
                "; name the GPUs with --gpu instead");
  if (std::optional<unsigned> arch = parseArch(names.front()))
    return *arch;
  return makeInputError({}, "unknown architecture '" + names.front() +
                                "'; expected for instance sm_80");
}
