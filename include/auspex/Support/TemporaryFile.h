// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files that nobody else sees.
#ifndef AUSPEX_SUPPORT_TEMPORARYFILE_H
#define AUSPEX_SUPPORT_TEMPORARYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace auspex {

/// An empty file among those that are temporary. It goes away with this value,
/// and when the process is interrupted or told to end.
class TemporaryFile {
public:
  /// Its name ends with a dot and \p extension.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef extension);

  TemporaryFile(TemporaryFile &&other) : name(std::move(other.name)) {
    other.name.clear();
  }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  const std::string &path() const { return name; }

private:
  explicit TemporaryFile(std::string name) : name(std::move(name)) {}

  std::string name;
};

} // namespace auspex

#endif
