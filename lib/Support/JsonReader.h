// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fast way into a Node for documents that are plain JSON: five times as
/// fast as the YAML parser, which matters to commands that answer in a few
/// milliseconds.
#ifndef AUSPEX_LIB_SUPPORT_JSONREADER_H
#define AUSPEX_LIB_SUPPORT_JSONREADER_H

#include "auspex/Support/Document.h"

namespace auspex {

/// The deepest nesting a document may have.
constexpr unsigned MaxDocumentDepth = 100;

/// Where items of lists at the top of a document go, one by one.
struct ItemSink {
  ItemReader read;
  /// How many were read.
  size_t count = 0;
  llvm::Error problem = llvm::Error::success();

  explicit ItemSink(ItemReader read) : read(read) {}
  ~ItemSink() { llvm::consumeError(std::move(problem)); }
  /// False if there was a problem; then the rest need not be read.
  bool take(const Node &root, llvm::StringRef key, const Node &item);
};

/// Where in a document a text begins.
struct TextStart {
  unsigned line = 1;
  std::string path{};
};

/// The document in \p text, which is UTF-8, with the lines and paths that the
/// YAML parser would give it; none if it is anything but one correct JSON value
/// without duplicate keys. The YAML parser then has the last word, and the
/// complaints. With \p sink, lists at the top lose their items to it.
std::optional<Node> readJson(llvm::StringRef text,
                             std::shared_ptr<const std::string> file,
                             TextStart start = {}, ItemSink *sink = nullptr);

/// Whether \p text is JSON as far as it goes, and ends in the middle of a
/// value.
bool isCutOffJson(llvm::StringRef text);

} // namespace auspex

#endif
