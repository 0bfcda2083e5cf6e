// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccSource.h"

#include "auspex/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

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

namespace {
/// Texts in the place of parts of a source, in its order.
class Replacements {
public:
  explicit Replacements(StringRef source) : source(source) {}

  void replace(size_t begin, size_t end, std::string text) {
    isChanged |= source.slice(begin, end) != text;
    result += source.slice(done, begin);
    result += text;
    done = end;
  }
  std::optional<std::string> take() {
    result += source.substr(done);
    return isChanged ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  StringRef source;
  std::string result;
  size_t done = 0;
  bool isChanged = false;
};
} // namespace

/// Braces in the configuration of a launch, [begin, end), are of a dim3 where
/// an argument begins with them.
static void nameBraces(StringRef source, size_t begin, size_t end,
                       Replacements &replacements) {
  unsigned depth = 0;
  bool isAtBegin = true;
  for (size_t at = begin; at < end; ++at) {
    char c = source[at];
    if (c == '{' && isAtBegin && depth == 0)
      replacements.replace(at, at, "dim3");
    depth += llvm::StringRef("([{").contains(c);
    depth -= depth > 0 && llvm::StringRef(")]}").contains(c);
    if (!llvm::isSpace(c))
      isAtBegin = c == ',';
  }
}

/// The launches of \p source.
static std::optional<std::string> rewriteLaunches(StringRef source) {
  Replacements replacements(source);
  for (size_t at = source.find('<'); at != StringRef::npos;
       at = source.find('<', at + 1)) {
    size_t opened = endOfThree(source, at, '<');
    if (opened == StringRef::npos)
      continue;
    auto closing = findClosing(source, opened);
    if (!closing)
      continue;
    auto [begin, end] = *closing;
    // All else stays in its place.
    constexpr size_t Together = 3;
    replacements.replace(at, opened,
                         "<<<" + std::string(opened - at - Together, ' '));
    nameBraces(source, opened, begin, replacements);
    replacements.replace(begin, end,
                         std::string(end - begin - Together, ' ') + ">>>");
    at = end - 1;
  }
  return replacements.take();
}

/// The arrays of \p source whose size the launch says.
static std::optional<std::string> rewriteExternArrays(StringRef source) {
  Replacements replacements(source);
  constexpr StringRef Extern = "extern", Shared = "__shared__";
  for (size_t at = source.find(Extern); at != StringRef::npos;
       at = source.find(Extern, at + 1)) {
    size_t begin = source.find_first_not_of(" \t", at + Extern.size());
    if (begin == StringRef::npos || !source.substr(begin).starts_with(Shared))
      continue;
    StringRef declaration = source.slice(begin, source.find(';', begin));
    auto [open, close] =
        std::pair(declaration.find('['), declaration.find(']'));
    if (open < close && close != StringRef::npos)
      replacements.replace(begin + open + 1, begin + close,
                           std::string(close - open - 1, ' '));
  }
  return replacements.take();
}

/// Where the string that begins before \p begin ends; npos if it does not.
static size_t endOfString(StringRef source, size_t begin) {
  for (size_t at = begin; at < source.size(); ++at) {
    if (source[at] == '\\')
      ++at;
    else if (source[at] == '"')
      return at;
    else if (source[at] == '\n')
      break;
  }
  return StringRef::npos;
}

/// The strings from \p at on that follow each other, as parts of one; \p at is
/// what comes after them.
static std::vector<std::pair<size_t, size_t>> stringsFrom(StringRef source,
                                                          size_t &at) {
  std::vector<std::pair<size_t, size_t>> strings;
  while ((at = source.find_first_not_of(" \t\r\n", at)) != StringRef::npos &&
         source[at] == '"') {
    size_t end = endOfString(source, at + 1);
    if (end == StringRef::npos)
      break;
    strings.emplace_back(at + 1, end);
    at = end + 1;
  }
  return strings;
}

/// Registers with a name, in assembly with operands. A letter and a number, or
/// a bracket, is a way to print an operand.
static std::optional<std::string> rewriteAssembly(StringRef source) {
  Replacements replacements(source);
  auto isLetter = [&](size_t at) {
    return at < source.size() &&
           (llvm::isAlpha(source[at]) || source[at] == '_');
  };
  for (size_t at = source.find("asm"); at != StringRef::npos;
       at = source.find("asm", at)) {
    at = source.find_first_not_of("_ \t\r\n", at + 3);
    for (StringRef word : {"volatile", "__volatile__"})
      if (at != StringRef::npos && source.substr(at).starts_with(word))
        at = source.find_first_not_of(" \t\r\n", at + word.size());
    if (at == StringRef::npos || source[at] != '(')
      continue;
    auto strings = stringsFrom(source, ++at);
    if (at == StringRef::npos || source[at] != ':')
      continue;
    for (auto [begin, end] : strings)
      for (size_t place = begin; place + 1 < end; ++place) {
        if (source[place] != '%')
          continue;
        if (source[place + 1] == '%')
          ++place;
        else if (isLetter(place + 1) && isLetter(place + 2))
          replacements.replace(place, place, "%");
      }
  }
  return replacements.take();
}

std::optional<std::string> auspex::rewriteForClang(StringRef source) {
  std::optional<std::string> result;
  for (auto *rewrite : {rewriteLaunches, rewriteExternArrays, rewriteAssembly})
    if (auto changed = rewrite(result ? StringRef(*result) : source))
      result = std::move(changed);
  return result;
}

/// The folders that \p flags name for headers in quotes.
static std::vector<std::string> foldersOf(llvm::ArrayRef<std::string> flags) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < flags.size(); ++i)
    for (StringRef option : {"-I", "-iquote"}) {
      StringRef folder = flags[i];
      if (!folder.consume_front(option))
        continue;
      if (folder.empty() && i + 1 < flags.size())
        folder = flags[++i];
      folders.push_back(folder.str());
      break;
    }
  return folders;
}

/// The names in quotes that \p source includes.
static std::vector<StringRef> includedBy(StringRef source) {
  std::vector<StringRef> names;
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    source = rest;
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (line.consume_front("include") && line.ltrim().starts_with("\""))
      names.push_back(line.split('"').second.split('"').first);
  }
  return names;
}

/// Absolute, as clang's file system looks it up.
static std::string pathOf(StringRef file) {
  llvm::SmallString<128> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// The header \p name that \p includer includes: beside it, else in \p folders.
static std::optional<std::string>
findHeader(StringRef name, StringRef includer,
           llvm::ArrayRef<std::string> folders) {
  llvm::SmallVector<StringRef> places{llvm::sys::path::parent_path(includer)};
  llvm::append_range(places, folders);
  for (StringRef folder : places) {
    llvm::SmallString<128> header(folder);
    llvm::sys::path::append(header, name);
    if (llvm::sys::fs::is_regular_file(header))
      return pathOf(header);
  }
  return std::nullopt;
}

llvm::Expected<NvccSource>
NvccSource::rewrite(StringRef file, llvm::ArrayRef<std::string> flags) {
  NvccSource result;
  llvm::vfs::YAMLVFSWriter writer;
  writer.setUseExternalNames(false);
  std::vector<std::string> folders = foldersOf(flags);
  llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>>
      files;
  files.insert(pathOf(file));
  for (size_t i = 0; i < files.size(); ++i) {
    std::string path = files[i];
    auto read = llvm::MemoryBuffer::getFile(path);
    if (!read)
      continue;
    for (StringRef name : includedBy((*read)->getBuffer()))
      if (auto header = findHeader(name, path, folders))
        files.insert(std::move(*header));
    auto rewritten = rewriteForClang((*read)->getBuffer());
    if (!rewritten)
      continue;
    auto source = TemporaryFile::create("cu");
    if (!source)
      return source.takeError();
    if (llvm::Error error = writeFile(source->path(), *rewritten))
      return std::move(error);
    writer.addFileMapping(path, source->path());
    result.sources.push_back(std::move(*source));
  }
  if (result.sources.empty())
    return result;
  auto overlay = TemporaryFile::create("yaml");
  if (!overlay)
    return overlay.takeError();
  std::string description;
  llvm::raw_string_ostream os(description);
  writer.write(os);
  if (llvm::Error error = writeFile(overlay->path(), description))
    return std::move(error);
  result.overlay.emplace(std::move(*overlay));
  return result;
}

std::vector<std::string> NvccSource::flags() const {
  if (!overlay)
    return {};
  return {"-ivfsoverlay", overlay->path()};
}
