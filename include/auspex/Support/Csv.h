// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comma-separated values (RFC 4180), with newlines for line ends.
#ifndef AUSPEX_SUPPORT_CSV_H
#define AUSPEX_SUPPORT_CSV_H

#include "auspex/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace auspex {

struct CsvRow {
  /// Where it begins.
  unsigned line = 0;
  std::vector<std::string> cells;
};

/// The rows of \p text; empty lines are skipped. A quote that does not end is
/// an error.
llvm::Expected<std::vector<CsvRow>> parseCsv(llvm::StringRef text,
                                             llvm::StringRef name);

/// \p text as a cell: in quotes where it has what would end one.
std::string csvCell(llvm::StringRef text);

void writeCsvRow(llvm::ArrayRef<std::string> cells, llvm::raw_ostream &os);

} // namespace auspex

#endif
