// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLink.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

using namespace auspex;
using llvm::StringRef;

using Words = std::vector<std::string>;

/// The words that a source that calls a function has: its name, and that of its
/// class or namespace, if there is one.
static Words wordsOf(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()))
    return {mangled}; // C has no other names
  Words words;
  auto add = [&](char *name) {
    StringRef text = name ? name : "";
    text = text.take_front(text.find('<'));
    if (size_t colons = text.rfind("::"); colons != StringRef::npos)
      text = text.drop_front(colons + 2);
    if (!text.empty())
      words.push_back(text.str());
    std::free(name);
  };
  size_t size = 0;
  add(demangler.getFunctionBaseName(nullptr, &size));
  add(demangler.getFunctionDeclContextName(nullptr, &size));
  return words;
}

static bool hasWord(StringRef text, StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    bool begins = at == 0 || !isPart(text[at - 1]);
    if (begins && (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

/// Appends what \p file says, and the headers beside it that it includes in
/// quotes.
static void appendWithHeaders(StringRef file, llvm::StringSet<> &seen,
                              std::string &text) {
  constexpr size_t MostFiles = 64;
  if (seen.size() == MostFiles || !seen.insert(file).second)
    return;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return;
  StringRef own = (*buffer)->getBuffer();
  text += own;
  for (StringRef line : llvm::split(own, '\n')) {
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("include"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("\""))
      continue;
    llvm::SmallString<128> header = llvm::sys::path::parent_path(file);
    llvm::sys::path::append(
        header, line.take_until([](char c) { return c == '"' || c == '\r'; }));
    appendWithHeaders(header, seen, text);
  }
}

void SoleDefinitions::add(StringRef name, size_t source) {
  auto [entry, isNew] = sources.try_emplace(name, source);
  if (!isNew)
    entry->second.reset();
}

std::optional<size_t> SoleDefinitions::find(StringRef name) const {
  return sources.lookup(name);
}

namespace {

class HostLinker {
public:
  HostLinker(std::vector<HostSource> &sources, ReadHost read)
      : sources(sources), read(read), texts(sources.size()) {}

  void run() {
    // Each goes one file further, up to main() and back to the launches; more
    // than there are files are between functions that call each other.
    size_t mostRounds = 2 * sources.size() + 2;
    for (size_t round = 0; round < mostRounds && goFurther(); ++round)
      ;
  }

private:
  std::vector<HostSource> &sources;
  ReadHost read;
  std::vector<std::optional<std::string>> texts;

  bool goFurther();
  bool mentionsAny(size_t number, llvm::ArrayRef<Words> functions);
};

} // namespace

bool HostLinker::mentionsAny(size_t number, llvm::ArrayRef<Words> functions) {
  std::optional<std::string> &text = texts[number];
  const HostSource &source = sources[number];
  if (!text) {
    text.emplace();
    llvm::StringSet<> seen;
    if (source.isNamed)
      appendWithHeaders(source.file, seen, *text);
    else if (auto buffer = llvm::MemoryBuffer::getFile(source.file))
      *text = (*buffer)->getBuffer();
  }
  return llvm::any_of(functions, [&](const Words &words) {
    return !words.empty() && llvm::all_of(words, [&](const std::string &word) {
      return hasWord(*text, word);
    });
  });
}

/// Reads what has become worth reading. False if nothing has.
bool HostLinker::goFurther() {
  SoleDefinitions definedIn;
  std::vector<Words> entries;
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i].host)
      for (const std::string &entry : sources[i].host->interface.entries) {
        definedIn.add(entry, i);
        entries.push_back(wordsOf(entry));
      }
  std::vector<std::vector<HostCall>> calls(sources.size());
  for (const HostSource &source : sources)
    if (source.host)
      for (const HostCall &call : source.host->interface.calls)
        if (auto source = definedIn.find(call.function))
          calls[*source].push_back(call);

  llvm::DefaultThreadPool pool;
  bool isAnyRead = false;
  for (size_t i = 0; i < sources.size(); ++i) {
    HostSource &source = sources[i];
    bool isNew =
        source.host ? calls[i] != source.callers : mentionsAny(i, entries);
    if (!isNew || !source.problem.empty())
      continue;
    isAnyRead = true;
    source.callers = std::move(calls[i]);
    pool.async([this, &source, i] {
      auto document = read(i, source.callers);
      if (document)
        source.host = std::move(*document);
      else
        source.problem = llvm::toString(document.takeError());
    });
  }
  pool.wait();
  return isAnyRead;
}

SummaryDocument auspex::hostCodeOf(const SummaryDocument &document) {
  return {{}, document.launches, document.interface};
}

void auspex::linkHostCode(std::vector<HostSource> &sources, ReadHost read) {
  HostLinker(sources, read).run();
}
