// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompileCommands.h"

#include "CommandLine.h"
#include "NvccFlags.h"
#include "auspex/Support/Document.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <optional>
#include <tuple>

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

/// Relative paths are from \p directory, or from where we are if it is empty.
static std::string resolve(StringRef directory, StringRef file) {
  llvm::SmallString<256> path(file);
  if (directory.empty())
    llvm::sys::fs::make_absolute(path);
  else
    llvm::sys::path::make_absolute(directory, path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

static Expected<std::string> textOf(const Node &entry, StringRef key) {
  const Node *value = entry.find(key);
  if (!value)
    return entry.error("'" + key + "' is missing");
  return value->text();
}

/// The words of "arguments", or those of "command" as a shell takes it apart.
static llvm::Error readWords(const Node &entry, llvm::StringSaver &saver,
                             llvm::SmallVectorImpl<const char *> &words) {
  if (const Node *list = entry.find("arguments")) {
    if (!list->isSequence())
      return list->error("expected a list of words, found " +
                         list->description());
    for (const Node &item : list->items) {
      auto word = item.text();
      if (!word)
        return word.takeError();
      words.push_back(saver.save(*word).data());
    }
  } else {
    auto text = textOf(entry, "command");
    if (!text)
      return text.takeError();
    llvm::cl::TokenizeGNUCommandLine(*text, saver, words);
  }
  if (words.empty())
    return entry.error("the command is empty");
  return llvm::Error::success();
}

/// The compiler may stand behind others that start it: "ccache nvcc ...".
static bool isNvcc(llvm::ArrayRef<const char *> words) {
  for (StringRef word : words) {
    if (word.starts_with("-"))
      return false;
    if (llvm::sys::path::stem(word) == "nvcc")
      return true;
  }
  return false;
}

static bool compiles(const CommandLine &line, LinkItem::Kind kind,
                     StringRef directory, StringRef file) {
  return llvm::any_of(line.items, [&](const LinkItem &item) {
    return item.kind == kind && resolve(directory, item.file()) == file;
  });
}

static std::string nameOf(StringRef file, StringRef output) {
  uint64_t hash = llvm::xxh3_64bits((file + llvm::Twine('\0') + output).str());
  return (llvm::sys::path::filename(file) + "-" +
          llvm::utohexstr(hash & 0xffffffff, /*LowerCase=*/true, 8))
      .str();
}

/// Nothing if it is no source that is read.
static Expected<std::optional<CompileCommand>> readEntry(const Node &entry) {
  if (!entry.isMapping())
    return entry.error("expected a compile command, found " +
                       entry.description());
  auto directory = textOf(entry, "directory");
  if (!directory)
    return directory.takeError();
  auto file = textOf(entry, "file");
  if (!file)
    return file.takeError();
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  if (llvm::Error error = readWords(entry, saver, words))
    return std::move(error);

  CompileCommand result;
  result.directory = resolve("", *directory);
  result.file = resolve(result.directory, *file);
  bool isCuda = llvm::sys::path::extension(result.file) == ".cu";
  auto leave =
      [&](llvm::Error error) -> Expected<std::optional<CompileCommand>> {
    result.problem = llvm::toString(std::move(error));
    result.name = nameOf(result.file, "");
    // Commands of other compilers are nobody's business here.
    return isCuda ? std::optional(result) : std::nullopt;
  };
  if (llvm::Error error = expandOptionFiles(words, result.directory, allocator))
    return leave(std::move(error));
  TranslatedFlags flags =
      translateNvccFlags(llvm::ArrayRef(words).drop_front());
  auto line = parseCommandLine(flags.arguments, flags.isDeviceLink);
  if (!line)
    return leave(line.takeError());
  if (!compiles(*line, LinkItem::Kind::CudaSource, result.directory,
                result.file)) {
    bool isHost =
        isHostSource(result.file) &&
        compiles(*line, LinkItem::Kind::Source, result.directory, result.file);
    if (!isHost)
      return leave(
          entry.error("the command does not compile " + *file + " as CUDA"));
    result.kind = InputKind::Host;
  }
  // Paths are as they would be in the folder of the build.
  result.flags = {"-working-directory=" + result.directory};
  llvm::append_range(result.flags, line->compileFlags);
  if (isNvcc(words))
    result.compiler = ProgramCompiler::Nvcc;
  // nvcc's -O is about the host; and code that is not optimised is no kernel
  // whose time anybody wants to know. Warnings are the build's.
  if (result.compiler == ProgramCompiler::Nvcc || !line->isOptimized)
    result.flags.push_back("-O3");
  result.flags.push_back("-w");
  result.arch = line->arch;
  result.otherArchs = line->otherArchs;
  result.dropped = flags.dropped;
  result.name = nameOf(result.file, line->output);
  return result;
}

/// The same source may be compiled several times, to whatever.
static void separateNames(std::vector<CompileCommand> &commands) {
  std::map<std::string, unsigned> seen;
  for (CompileCommand &command : commands)
    if (unsigned before = seen[command.name]++)
      command.name += "-" + std::to_string(before + 1);
}

Expected<std::vector<CompileCommand>>
auspex::readCompileCommands(StringRef path) {
  llvm::SmallString<256> file(path);
  if (llvm::sys::fs::is_directory(path))
    llvm::sys::path::append(file, "compile_commands.json");
  auto document = loadDocument(file);
  if (!document)
    return document.takeError();
  if (!document->isSequence())
    return document->error("expected a list of compile commands, found " +
                           document->description());
  std::vector<CompileCommand> commands;
  for (const Node &entry : document->items) {
    auto command = readEntry(entry);
    if (!command)
      return command.takeError();
    if (*command)
      commands.push_back(std::move(**command));
  }
  bool hasCuda = llvm::any_of(commands, [](const CompileCommand &command) {
    return command.kind == InputKind::Cuda;
  });
  if (!hasCuda)
    return makeInputError({file.str().str(), 0, ""},
                          "none of the " + llvm::Twine(document->items.size()) +
                              " commands compiles CUDA (.cu, -x cu, -x cuda)");
  auto key = [](const CompileCommand &command) {
    return std::tie(command.kind, command.file, command.name, command.flags,
                    command.compiler);
  };
  llvm::sort(commands,
             [&](const auto &a, const auto &b) { return key(a) < key(b); });
  auto isSame = [&](const auto &a, const auto &b) { return key(a) == key(b); };
  commands.erase(llvm::unique(commands, isSame), commands.end());
  separateNames(commands);
  return commands;
}
