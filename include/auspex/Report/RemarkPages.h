// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pages of the remarks, docs/remarks/<Id>.md, which are part of the
/// program.
#ifndef AUSPEX_REPORT_REMARKPAGES_H
#define AUSPEX_REPORT_REMARKPAGES_H

#include "auspex/Support/EmbeddedFile.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace auspex {

/// All pages as they are written, by file name.
llvm::ArrayRef<EmbeddedFile> remarkPages();

/// The page of the remark \p id, as it is written in Remarks.def.
std::optional<llvm::StringRef> remarkPage(llvm::StringRef id);

/// Prints the Markdown of a page as people read it: code indented, headings
/// underlined, no marks around words. Knows what the pages use and no more:
/// headings, fenced code, inline code, links.
void writePage(llvm::StringRef markdown, llvm::raw_ostream &os);

} // namespace auspex

#endif
