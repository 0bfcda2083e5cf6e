// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/File.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

static llvm::Error cannotWrite(llvm::StringRef path, llvm::Error reason) {
  return makeInputError({path.str(), 0, ""},
                        "cannot be written: " +
                            llvm::toString(std::move(reason)));
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
auspex::readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return makeInputError({path.str(), 0, ""},
                          "cannot be read: " + buffer.getError().message());
  return std::move(*buffer);
}

llvm::Error auspex::makeFolder(llvm::StringRef path) {
  std::error_code code = llvm::sys::fs::create_directories(
      path, /*IgnoreExisting=*/true, llvm::sys::fs::perms::all_all);
  // A file of that name counts as existing.
  if (!code && !llvm::sys::fs::is_directory(path))
    code = std::make_error_code(std::errc::not_a_directory);
  if (!code)
    return llvm::Error::success();
  return makeInputError({path.str(), 0, ""},
                        "cannot be made a folder: " + code.message());
}

/// Writes all and says what went wrong; nothing is left for the stream's
/// destructor, which would end the program.
static llvm::Error writeAll(llvm::raw_fd_ostream &os,
                            llvm::StringRef contents) {
  os << contents;
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return llvm::errorCodeToError(code);
}

/// Devices and pipes are written to, not replaced.
static llvm::Error writeInPlace(llvm::StringRef path,
                                llvm::StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, llvm::sys::fs::CD_OpenExisting);
  if (code)
    return llvm::errorCodeToError(code);
  return writeAll(os, contents);
}

static llvm::Error writeAside(llvm::StringRef path, llvm::StringRef contents) {
  auto temporary = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!temporary)
    return temporary.takeError();
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  if (llvm::Error error = writeAll(os, contents)) {
    llvm::consumeError(temporary->discard());
    return error;
  }
  return temporary->keep(path);
}

llvm::Error auspex::writeFile(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    if (llvm::Error error = writeAll(llvm::outs(), contents))
      return cannotWrite("<stdout>", std::move(error));
    return llvm::Error::success();
  }
  llvm::SmallString<256> target(path);
  llvm::sys::fs::file_status status;
  bool exists = !llvm::sys::fs::status(path, status);
  // A link stays a link, to a file with new contents.
  if (exists && llvm::sys::fs::is_symlink_file(path))
    llvm::sys::fs::real_path(path, target);
  bool replaced = !exists || llvm::sys::fs::is_regular_file(status) ||
                  llvm::sys::fs::is_directory(status);
  llvm::Error error =
      replaced ? writeAside(target, contents) : writeInPlace(path, contents);
  return error ? cannotWrite(path, std::move(error)) : llvm::Error::success();
}
