// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccFlags.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace auspex;
using llvm::StringRef;

namespace {

enum class Value { None, Needed, Joined };
enum class Action {
  Is,
  IsWith,
  Split,
  Arch,
  IfTrue,
  IfFalse,
  DeviceLink,
  Ignore,
  Drop
};

struct Flag {
  StringRef name;
  Value value;
  Action action;
  StringRef clangs;
};

constexpr Flag Flags[] = {
#define AUSPEX_NVCC_FLAG(NAME, VALUE, ACTION, CLANGS)                          \
  {NAME, Value::VALUE, Action::ACTION, CLANGS},
#include "NvccFlags.def"
};

/// A flag of nvcc as it stands in the arguments.
struct Match {
  const Flag *flag;
  std::string value;
  /// Arguments it takes up: itself, and its value.
  unsigned length;
};

class Translator {
public:
  explicit Translator(llvm::ArrayRef<const char *> arguments)
      : arguments(arguments) {}

  TranslatedFlags run() {
    for (unsigned i = 0; i < arguments.size();) {
      std::optional<Match> match = findFlag(i);
      if (match) {
        apply(*match);
        i += match->length;
        continue;
      }
      StringRef argument = arguments[i++];
      // nvcc's name of the language.
      bool isLanguage = i > 1 && StringRef(arguments[i - 2]) == "-x";
      if ((isLanguage && argument == "cu") || argument == "-xcu")
        argument = isLanguage ? "cuda" : "-xcuda";
      result.arguments.push_back(argument.str());
    }
    return std::move(result);
  }

private:
  llvm::ArrayRef<const char *> arguments;
  TranslatedFlags result;

  std::optional<Match> findFlag(unsigned i) const {
    StringRef name = arguments[i];
    if (!name.consume_front("-"))
      return std::nullopt;
    name.consume_front("-");
    auto [key, value] = name.split('=');
    bool isJoined = name.contains('=');
    for (const Flag &flag : Flags) {
      if (flag.name != key)
        continue;
      if (isJoined)
        return flag.value == Value::None
                   ? std::nullopt
                   : std::optional(Match{&flag, value.str(), 1});
      if (flag.value == Value::None)
        return Match{&flag, "", 1};
      if (flag.value == Value::Needed && i + 1 < arguments.size())
        return Match{&flag, arguments[i + 1], 2};
    }
    return std::nullopt;
  }

  void append(StringRef words) {
    llvm::SmallVector<StringRef> parts;
    words.split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (size_t i = 0; i < parts.size(); ++i) {
      // LLVM takes an option of its own once.
      if (parts[i] == "-mllvm" && i + 1 < parts.size() &&
          isGiven(parts[i + 1].split('=').first)) {
        ++i;
        continue;
      }
      result.arguments.push_back(parts[i].str());
    }
  }

  bool isGiven(StringRef option) const {
    return llvm::any_of(result.arguments, [&](StringRef argument) {
      return argument.split('=').first == option;
    });
  }

  /// Architectures in "sm_80", "compute_80", "arch=compute_80,code=[sm_80]".
  void addArchs(StringRef text) {
    size_t before = result.arguments.size();
    for (StringRef prefix : {"sm_", "compute_"}) {
      for (size_t at = text.find(prefix); at != StringRef::npos;
           at = text.find(prefix, at + 1)) {
        StringRef number =
            text.drop_front(at + prefix.size()).take_while(llvm::isAlnum);
        result.arguments.push_back("--offload-arch=sm_" + number.str());
      }
      if (result.arguments.size() > before)
        return;
    }
  }

  void apply(const Match &match) {
    StringRef value = match.value;
    switch (match.flag->action) {
    case Action::Is:
      return append(match.flag->clangs);
    case Action::IsWith:
      return result.arguments.push_back(match.flag->clangs.str() + match.value);
    case Action::Split: {
      llvm::SmallVector<StringRef> parts;
      value.trim("\"'").split(parts, ',', -1, /*KeepEmpty=*/false);
      for (StringRef part : parts)
        append(part);
      return;
    }
    case Action::Arch:
      return addArchs(value);
    case Action::IfTrue:
      return value == "true" ? append(match.flag->clangs) : void();
    case Action::IfFalse:
      return value == "false" ? append(match.flag->clangs) : void();
    case Action::DeviceLink:
      result.isDeviceLink = true;
      return;
    case Action::Ignore:
      return;
    case Action::Drop:
      return result.dropped.push_back("--" + match.flag->name.str() +
                                      (value.empty() ? "" : "=") + match.value);
    }
  }
};

} // namespace

TranslatedFlags
auspex::translateNvccFlags(llvm::ArrayRef<const char *> arguments) {
  return Translator(arguments).run();
}

/// The file that "--options-file=FILE" or "--options-file", "FILE" at the
/// front names, and how many words that is.
static std::pair<StringRef, unsigned>
optionFile(llvm::ArrayRef<const char *> words) {
  StringRef name = words.front();
  if (!name.consume_front("-"))
    return {};
  name.consume_front("-");
  auto [key, value] = name.split('=');
  if (key != "options-file" && key != "optf")
    return {};
  if (name.contains('='))
    return {value, 1};
  return words.size() > 1 ? std::pair<StringRef, unsigned>(words[1], 2)
                          : std::pair<StringRef, unsigned>();
}

llvm::Error
auspex::expandOptionFiles(llvm::SmallVectorImpl<const char *> &words,
                          StringRef directory,
                          llvm::BumpPtrAllocator &allocator) {
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> clangs;
  for (unsigned i = 0; i < words.size();) {
    auto [file, length] = optionFile(llvm::ArrayRef(words).drop_front(i));
    if (length)
      clangs.push_back(saver.save("@" + file).data());
    else
      clangs.push_back(words[i]);
    i += std::max(length, 1u);
  }
  words.assign(clangs.begin(), clangs.end());
  llvm::cl::ExpansionContext context(allocator,
                                     llvm::cl::TokenizeGNUCommandLine);
  context.setCurrentDir(directory);
  if (llvm::Error error = context.expandResponseFiles(words))
    return error;
  for (StringRef word : words)
    if (word.consume_front("@"))
      return makeInputError({word.str(), 0, ""},
                            "the file with options cannot be read");
  return llvm::Error::success();
}
