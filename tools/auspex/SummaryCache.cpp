// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of the cache is a line with the hash of the command, a line "hash
// path" for every file read, an empty line, and the summary.
#include "SummaryCache.h"

#include "ClangForCuda.h"
#include "auspex/Support/Document.h"
#include "auspex/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace auspex;
using llvm::StringRef;

std::string SummaryCache::pathOf(StringRef name) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::optional<uint64_t> SummaryCache::hashOf(StringRef path) {
  {
    std::lock_guard guard(lock);
    auto known = hashes.find(path.str());
    if (known != hashes.end())
      return known->second;
  }
  std::optional<uint64_t> hash;
  if (auto buffer = llvm::MemoryBuffer::getFile(path))
    hash = llvm::xxh3_64bits((*buffer)->getBuffer());
  std::lock_guard guard(lock);
  return hashes.try_emplace(path.str(), hash).first->second;
}

std::vector<std::string> auspex::filesOfRule(StringRef text) {
  std::vector<std::string> files;
  std::string file;
  auto end = [&] {
    if (!file.empty())
      files.push_back(std::exchange(file, ""));
  };
  text = text.split(": ").second;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
    bool isEscape = (c == '\\' && (next == ' ' || next == '#')) ||
                    (c == '$' && next == '$');
    if (isEscape)
      file += text[++i];
    else if (llvm::isSpace(c) || (c == '\\' && next == '\n'))
      end();
    else
      file += c;
  }
  end();
  return files;
}

static std::string hexadecimal(uint64_t hash) {
  return llvm::utohexstr(hash, /*LowerCase=*/true, 16);
}

SummaryCache::SummaryCache(std::string folder,
                           llvm::ArrayRef<std::string> programs)
    : folder(std::move(folder)), surroundings(findToolkit().value_or("")) {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                           "CCC_OVERRIDE_OPTIONS"}) {
    const char *value = std::getenv(name);
    surroundings += '\0' + std::string(value ? value : "");
  }
  for (const std::string &program : programs)
    surroundings += '\0' + hexadecimal(hashOf(program).value_or(0));
}

std::string
SummaryCache::hashOfCommand(llvm::ArrayRef<std::string> command) const {
  return hexadecimal(llvm::xxh3_64bits(llvm::join(command, StringRef("\0", 1)) +
                                       '\0' + surroundings));
}

std::optional<SummaryDocument>
SummaryCache::find(StringRef name, llvm::ArrayRef<std::string> command) {
  std::string path = pathOf(name);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return std::nullopt;
  auto [head, summary] = (*buffer)->getBuffer().split("\n\n");
  auto [stated, files] = head.split('\n');
  if (stated != hashOfCommand(command))
    return std::nullopt;
  for (StringRef line : llvm::split(files, '\n')) {
    auto [hash, file] = line.split(' ');
    std::optional<uint64_t> now = hashOf(file);
    if (!now || hexadecimal(*now) != hash)
      return std::nullopt;
  }
  auto document = parseDocument(summary, path);
  if (document)
    if (auto summaries = readSummaries(*document))
      return std::move(*summaries);
    else
      llvm::consumeError(summaries.takeError());
  else
    llvm::consumeError(document.takeError());
  return std::nullopt;
}

/// A file that changes while it is compiled has a hash that is not that of what
/// was read.
static bool isOlder(StringRef file, llvm::sys::TimePoint<> begin) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(file, status) &&
         status.getLastModificationTime() < begin;
}

void SummaryCache::keep(StringRef name, llvm::ArrayRef<std::string> command,
                        StringRef directory, llvm::sys::TimePoint<> begin,
                        StringRef rule, const SummaryDocument &document) {
  std::string text = hashOfCommand(command) + "\n";
  for (StringRef file : filesOfRule(rule)) {
    llvm::SmallString<256> path(file);
    llvm::sys::path::make_absolute(directory, path);
    std::optional<uint64_t> hash = hashOf(path);
    if (!hash || !isOlder(path, begin))
      return;
    text += hexadecimal(*hash) + " " + path.str().str() + "\n";
  }
  text += "\n" + writeSummaries(document.kernels, document.launches,
                                document.interface);
  // The next run compiles it again, which is all that is lost.
  llvm::consumeError(writeFile(pathOf(name), text));
}
