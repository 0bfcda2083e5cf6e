// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLink.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

using namespace auspex;
using llvm::StringRef;

/// The word that sources call a function by.
static std::string identifierOf(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()))
    return mangled; // C has no other names
  size_t size = 0;
  char *name = demangler.getFunctionBaseName(nullptr, &size);
  std::string result = name ? name : "";
  std::free(name);
  return result.substr(0, result.find('<'));
}

namespace {

class HostLinker {
public:
  HostLinker(std::vector<HostSource> &sources, ReadHost read)
      : sources(sources), read(read), texts(sources.size()) {}

  void run() {
    // Each goes one file further from the launches.
    constexpr unsigned MostRounds = 8;
    for (unsigned round = 0; round < MostRounds && goFurther(); ++round)
      ;
  }

private:
  std::vector<HostSource> &sources;
  ReadHost read;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> texts;

  bool goFurther();
  bool mentions(size_t number, const llvm::StringSet<> &identifiers);
};

} // namespace

bool HostLinker::mentions(size_t number, const llvm::StringSet<> &identifiers) {
  std::unique_ptr<llvm::MemoryBuffer> &text = texts[number];
  if (!text) {
    auto buffer = llvm::MemoryBuffer::getFile(sources[number].file);
    if (!buffer)
      return false;
    text = std::move(*buffer);
  }
  return llvm::any_of(identifiers, [&](const auto &entry) {
    return text->getBuffer().contains(entry.first());
  });
}

/// Reads what has become worth reading. False if nothing has.
bool HostLinker::goFurther() {
  constexpr size_t Several = SIZE_MAX;
  llvm::StringMap<size_t> definedIn;
  llvm::StringSet<> identifiers;
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i].host)
      for (const std::string &entry : sources[i].host->interface.entries) {
        if (!definedIn.try_emplace(entry, i).second)
          definedIn[entry] = Several;
        identifiers.insert(identifierOf(entry));
      }
  identifiers.erase("");
  std::vector<std::vector<HostCall>> calls(sources.size());
  for (const HostSource &source : sources)
    if (source.host)
      for (const HostCall &call : source.host->interface.calls)
        if (auto found = definedIn.find(call.function);
            found != definedIn.end() && found->second != Several)
          calls[found->second].push_back(call);

  llvm::DefaultThreadPool pool;
  bool isAnyRead = false;
  for (size_t i = 0; i < sources.size(); ++i) {
    HostSource &source = sources[i];
    bool isNew =
        source.host ? calls[i] != source.callers : mentions(i, identifiers);
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

void auspex::linkHostCode(std::vector<HostSource> &sources, ReadHost read) {
  HostLinker(sources, read).run();
}
