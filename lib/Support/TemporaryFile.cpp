// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/TemporaryFile.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

using namespace auspex;

llvm::Expected<TemporaryFile> TemporaryFile::create(llvm::StringRef extension) {
  llvm::SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("auspex", extension, path))
    return makeInputError({}, "no temporary file: " + code.message());
  llvm::sys::RemoveFileOnSignal(path);
  return TemporaryFile(path.str().str());
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  llvm::sys::fs::remove(name);
  llvm::sys::DontRemoveFileOnSignal(name);
}
