// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchBrackets.h"

#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;
using llvm::StringRef;

/// The end of three \p brackets from \p begin on, blanks between them; npos if
/// there are not three.
static size_t endOfThree(StringRef text, size_t begin, char bracket) {
  size_t at = begin;
  for (unsigned left = 3; left > 0; --left) {
    if (left < 3)
      at = text.find_first_not_of(" \t", at);
    if (at == StringRef::npos || at >= text.size() || text[at] != bracket)
      return StringRef::npos;
    ++at;
  }
  return at;
}

/// Where the brackets begin that close what is open before \p begin, and their
/// end: in the same statement, before the arguments. Nothing if there are none.
static std::optional<std::pair<size_t, size_t>> findClosing(StringRef text,
                                                            size_t begin) {
  for (size_t at = begin; at < text.size() && text[at] != ';'; ++at) {
    size_t end = endOfThree(text, at, '>');
    if (end == StringRef::npos)
      continue;
    size_t next = text.find_first_not_of(" \t\r\n", end);
    if (next != StringRef::npos && text[next] == '(')
      return std::pair(at, end);
  }
  return std::nullopt;
}

std::optional<std::string> auspex::withJoinedBrackets(StringRef source) {
  std::string result = source.str();
  auto join = [&](size_t begin, size_t end, StringRef brackets, bool atEnd) {
    std::string blanks(end - begin - brackets.size(), ' ');
    result.replace(begin, end - begin,
                   atEnd ? blanks + brackets.str() : brackets.str() + blanks);
  };
  constexpr size_t Together = 3;
  bool isChanged = false;
  for (size_t at = source.find('<'); at != StringRef::npos;
       at = source.find('<', at + 1)) {
    size_t opened = endOfThree(source, at, '<');
    if (opened == StringRef::npos)
      continue;
    auto closing = findClosing(source, opened);
    if (!closing)
      continue;
    auto [begin, end] = *closing;
    isChanged |= opened - at > Together || end - begin > Together;
    join(at, opened, "<<<", /*atEnd=*/false);
    join(begin, end, ">>>", /*atEnd=*/true);
    at = end - 1;
  }
  return isChanged ? std::optional(result) : std::nullopt;
}

llvm::Expected<LaunchBrackets> LaunchBrackets::join(StringRef file) {
  LaunchBrackets result;
  auto read = llvm::MemoryBuffer::getFile(file);
  auto joined = read ? withJoinedBrackets((*read)->getBuffer()) : std::nullopt;
  if (!joined)
    return result;
  auto source = TemporaryFile::create("cu");
  if (!source)
    return source.takeError();
  auto overlay = TemporaryFile::create("yaml");
  if (!overlay)
    return overlay.takeError();
  llvm::SmallString<128> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::vfs::YAMLVFSWriter writer;
  writer.setUseExternalNames(false);
  writer.addFileMapping(path, source->path());
  std::string description;
  llvm::raw_string_ostream os(description);
  writer.write(os);
  if (llvm::Error error = writeFile(source->path(), *joined))
    return std::move(error);
  if (llvm::Error error = writeFile(overlay->path(), description))
    return std::move(error);
  result.source.emplace(std::move(*source));
  result.overlay.emplace(std::move(*overlay));
  return result;
}

std::vector<std::string> LaunchBrackets::flags() const {
  if (!overlay)
    return {};
  return {"-ivfsoverlay", overlay->path()};
}
