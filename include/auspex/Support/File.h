// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files as a whole; output files are either whole or not there.
#ifndef AUSPEX_SUPPORT_FILE_H
#define AUSPEX_SUPPORT_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace auspex {

/// The text of the file at \p path; "-" is stdin.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);

/// Makes the folder \p path, and those it is in, as the umask says.
llvm::Error makeFolder(llvm::StringRef path);

/// Writes \p contents to a temporary file beside \p path and renames it, so
/// that readers and parallel builds never see half a file. What is no file, a
/// pipe or /dev/null, is written to as it is. "-" is stdout.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace auspex

#endif
