// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text in documents that have signs of their own.
#ifndef AUSPEX_SUPPORT_MARKUP_H
#define AUSPEX_SUPPORT_MARKUP_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace auspex {

/// \p text as prose of Markdown, on one line, in which signs stand for
/// themselves.
std::string markdownText(llvm::StringRef text);

/// \p text for an attribute or an element of XML, which has no way to write
/// most control characters.
std::string xmlText(llvm::StringRef text);

} // namespace auspex

#endif
