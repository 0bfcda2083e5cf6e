// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What --help says, for other readers: made from the tables of the commands.
#ifndef AUSPEX_TOOLS_DOCUMENTATION_H
#define AUSPEX_TOOLS_DOCUMENTATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace auspex {

class Command;

/// A page for man, in troff.
void printManual(llvm::ArrayRef<const Command *> commands,
                 llvm::raw_ostream &os);

/// A script that bash completes the command line with.
void printBashCompletion(llvm::ArrayRef<const Command *> commands,
                         llvm::raw_ostream &os);

} // namespace auspex

#endif
