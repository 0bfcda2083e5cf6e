// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/File.h"

#include "auspex/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

llvm::Error auspex::writeFile(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    llvm::outs().flush();
    return llvm::Error::success();
  }
  auto failed = [&](llvm::Error error) {
    return makeInputError({path.str(), 0, ""},
                          "cannot be written: " +
                              llvm::toString(std::move(error)));
  };
  auto temporary = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!temporary)
    return failed(temporary.takeError());
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (std::error_code code = os.error()) {
    os.clear_error();
    llvm::consumeError(temporary->discard());
    return failed(llvm::errorCodeToError(code));
  }
  if (llvm::Error error = temporary->keep(path))
    return failed(std::move(error));
  return llvm::Error::success();
}
