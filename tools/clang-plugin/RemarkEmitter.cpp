// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RemarkEmitter.h"

#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/Model/Remark.h"
#include "auspex/Support/Json.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"

using namespace auspex;

bool auspex::areRemarksWanted(llvm::LLVMContext &context) {
  const llvm::DiagnosticHandler *handler = context.getDiagHandlerPtr();
  return context.getLLVMRemarkStreamer() ||
         (handler && handler->isAnyRemarkEnabled(RemarkPassName));
}

RemarkPlaces::RemarkPlaces(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (isKernel(function))
      places[function.getName()] = {&function, function.getSubprogram()};
}

/// A location of the source in \p program, a kernel. The metadata made here
/// hangs on no instruction and so leaves the module as it is.
static llvm::DiagnosticLocation locate(llvm::DISubprogram *program,
                                       const SourceLocation &location) {
  if (!program || !location.isKnown())
    return llvm::DiagnosticLocation(program);
  llvm::LLVMContext &context = program->getContext();
  llvm::DILocalScope *scope = program;
  if (location.file != program->getFilename())
    scope = llvm::DILexicalBlockFile::get(
        context, program,
        llvm::DIFile::get(context, location.file, program->getDirectory()), 0);
  return llvm::DiagnosticLocation(llvm::DebugLoc(
      llvm::DILocation::get(context, location.line, location.column, scope)));
}

template <typename Remark>
static void emit(const RemarkPlace &place, const Finding &finding) {
  auto *kernel = llvm::cast_if_present<llvm::Function>(
      static_cast<llvm::Value *>(place.kernel));
  if (!kernel || kernel->isDeclaration())
    return;
  llvm::OptimizationRemarkEmitter emitter(kernel);
  emitter.emit([&] {
    Remark remark(RemarkPassName, finding.id,
                  locate(place.scope, finding.location),
                  &kernel->getEntryBlock());
    remark << finding.message;
    // The numbers are in the record, not once more in the text.
    remark << llvm::ore::setExtraArgs();
    for (const NamedValue &arg : finding.args)
      if (auto number = arg.value.getAsNumber())
        remark << llvm::ore::NV(arg.key, shortestNumber(*number));
    return remark;
  });
}

void auspex::emitRemarks(const RemarkPlace &place, const Prediction &prediction,
                         const PluginOptions &options) {
  for (const Finding *finding : options.filter.shown(prediction))
    if (finding->kind == Finding::Kind::Missed)
      emit<llvm::OptimizationRemarkMissed>(place, *finding);
    else
      emit<llvm::OptimizationRemarkAnalysis>(place, *finding);
}

void auspex::emitFact(const RemarkPlace &place, llvm::StringRef name,
                      llvm::StringRef message) {
  assert(findRemark(name) && "remarks have a page");
  Finding finding;
  finding.id = name.str();
  finding.message = message.str();
  emit<llvm::OptimizationRemarkAnalysis>(place, finding);
}
