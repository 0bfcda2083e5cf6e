// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelInput.h"

#include "Command.h"
#include "auspex/Analysis/Assembler.h"
#include "auspex/Support/Document.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace auspex;
using llvm::StringRef;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

llvm::Expected<InputKind> auspex::inputKind(StringRef file) {
  if (file.ends_with(".cu"))
    return InputKind::Cuda;
  if (file.ends_with(".ll") || file.ends_with(".bc"))
    return InputKind::IR;
  if (file.ends_with(".json"))
    return InputKind::Summary;
  return makeInputError({file.str(), 0, ""},
                        "the name has to end in .cu (CUDA), .ll or .bc (LLVM "
                        "IR) or .json (a summary)");
}

llvm::Expected<SummaryDocument> auspex::readIR(StringRef file,
                                               StringRef assembler) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIRFile(file, problem, context);
  if (!module)
    return makeInputError(
        {file.str(), static_cast<unsigned>(std::max(0, problem.getLineNo())),
         ""},
        "cannot be read as LLVM IR: " + problem.getMessage());
  AnalysisOptions asItIs{llvm::OptimizationLevel::O0};
  auto summaries = summarizeModule(*module, asItIs);
  if (!summaries)
    return summaries.takeError();
  if (!assembler.empty())
    if (llvm::Error error =
            assembleRegisters(*module, asItIs, assembler, *summaries))
      note(llvm::toString(std::move(error)) + "; registers are estimated");
  return SummaryDocument{std::move(*summaries), {}};
}

llvm::Expected<SummaryDocument> auspex::readSummaryFile(StringRef file) {
  auto document = loadDocument(file);
  if (!document)
    return document.takeError();
  return readSummaries(*document);
}

unsigned auspex::archInFlags(llvm::ArrayRef<std::string> flags) {
  unsigned arch = 0;
  for (StringRef flag : flags)
    if (flag.consume_front("--cuda-gpu-arch=sm_") ||
        flag.consume_front("--offload-arch=sm_"))
      flag.consumeInteger(10, arch);
  return arch;
}
