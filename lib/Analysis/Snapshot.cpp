// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/Snapshot.h"

#include "auspex/Kernel/SnapshotMetadata.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace auspex;

void auspex::writeSnapshot(llvm::Module &snapshot,
                           llvm::ArrayRef<KernelSummary> summaries,
                           llvm::ArrayRef<LaunchConfig> launches,
                           llvm::raw_ostream &os) {
  llvm::LLVMContext &context = snapshot.getContext();
  llvm::NamedMDNode *node =
      snapshot.getOrInsertNamedMetadata(SummariesMetadata);
  node->clearOperands();
  node->addOperand(llvm::MDNode::get(
      context,
      llvm::MDString::get(context, writeSummaries(summaries, launches))));
  llvm::WriteBitcodeToFile(snapshot, os);
}
