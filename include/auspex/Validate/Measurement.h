// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Measured launches as files have them; docs/validate.md describes the files.
#ifndef AUSPEX_VALIDATE_MEASUREMENT_H
#define AUSPEX_VALIDATE_MEASUREMENT_H

#include "auspex/Support/Document.h"

#include <string>
#include <utility>
#include <vector>

namespace auspex {

/// One record: its fields by their dotted names, in the order of the file.
/// Items of lists are "grid.0", "grid.1"; what is null or empty is absent.
class Measurement {
public:
  /// The file and the line.
  Place place;
  std::vector<std::pair<std::string, std::string>> fields;

  /// The value of a field by its name: "compiled.regs", "grid.x" for "grid.0".
  /// A name that no field has is looked for in problem, then in compile_defs:
  /// "N". Last, the words of problem.args are looked at, the command line of a
  /// benchmark: "-N=64" is N, and the words with no name are args.0, args.1.
  /// "file" is the name of the file without folders.
  std::optional<std::string> find(llvm::StringRef name) const;

  /// The place of a field, for messages.
  Place at(llvm::StringRef name) const {
    return {place.file, place.line, name.str()};
  }

  /// What to say of a field that is missing: "; did you mean it by kernl?"
  /// where the record has one that is spelt nearly so, else nothing.
  std::string misspelt(llvm::StringRef name) const;

  /// The names and values of the fields below \p name: compile_defs.
  std::vector<std::pair<std::string, std::string>>
  members(llvm::StringRef name) const;

private:
  const std::string *findField(llvm::StringRef name) const;
};

/// Reads a file of measurements, by its name: JSON Lines (.jsonl), the same
/// compressed (.jsonl.gz), or CSV (.csv) whose header names the fields; columns
/// that are no field of a record belong to problem.
llvm::Expected<std::vector<Measurement>> readMeasurements(llvm::StringRef path);

/// The files of measurements that \p path stands for: itself, or those in the
/// folder, sorted. An error if there are none.
llvm::Expected<std::vector<std::string>> measurementFiles(llvm::StringRef path);

} // namespace auspex

#endif
