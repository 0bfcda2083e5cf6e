// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's parser of options complains to stderr in its own way, in several lines
// and with an exclamation mark. Here its complaints become errors like all
// others.
#include "Command.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace auspex;
namespace cl = llvm::cl;

static std::string &valueComplaint() {
  static std::string text;
  return text;
}

bool auspex::refuseValue(const cl::Option &option, llvm::StringRef value,
                         const llvm::Twine &expected) {
  valueComplaint() = ("--" + option.ArgStr + ": expected " + expected +
                      ", found '" + value + "'")
                         .str();
  return true;
}

bool auspex::refuseWord(const cl::Option &option, llvm::StringRef value,
                        llvm::ArrayRef<llvm::StringRef> words) {
  return refuseValue(option, value,
                     llvm::join(words.drop_back(), ", ") + " or " +
                         words.back());
}

/// LLVM's parser prints to stderr what it thinks of an option without its
/// value; this says it first.
static llvm::Error checkLastArgument(llvm::ArrayRef<const char *> arguments) {
  llvm::StringRef last = arguments.back();
  if (!last.consume_front("-"))
    return llvm::Error::success();
  last.consume_front("-");
  for (const Command *command : Command::all()) {
    if (command->subCommand.getName() != arguments[1])
      continue;
    const auto &options = cl::getRegisteredOptions(command->subCommand);
    auto found = options.find(last);
    if (found != options.end() &&
        found->second->getValueExpectedFlag() == cl::ValueRequired)
      return makeInputError({"", 0, arguments.back()}, "the value is missing");
  }
  return llvm::Error::success();
}

/// "; did you mean --gpu?" for "--gqu" among the options of \p command.
static std::string nearOptions(llvm::StringRef name, llvm::StringRef command) {
  std::vector<std::string> known;
  for (const Command *candidate : Command::all())
    if (candidate->subCommand.getName() == command)
      for (const auto &option : cl::getRegisteredOptions(candidate->subCommand))
        known.push_back(option.first.str());
  llvm::sort(known);
  std::vector<std::string> near = nearestNames(name, known, /*limit=*/1);
  return near.empty() ? "" : "; did you mean --" + near.front() + "?";
}

/// The complaint of LLVM's parser as one line like all other errors. What it
/// writes is "auspex: Unknown command line argument '--gqu'.  Try: ..." and, in
/// a second line, what may be meant.
static llvm::Error parserError(llvm::StringRef complaint,
                               llvm::StringRef command) {
  std::string help = ("; 'auspex " + command + " --help' lists ").str();
  llvm::StringRef line = complaint.split('\n').first;
  line.consume_front("auspex: ");
  if (line.consume_front("Unknown command line argument '")) {
    llvm::StringRef name = line.split('\'').first;
    if (!name.starts_with("-"))
      return makeInputError({}, "one argument too many: '" + name + "'");
    std::string near = nearOptions(name.ltrim('-').split('=').first, command);
    return makeInputError({}, "unknown option '" + name + "'" +
                                  (near.empty() ? help + "the options" : near));
  }
  if (line.starts_with("Too many positional arguments"))
    return makeInputError({}, "too many arguments" + help + "what is expected");
  return makeInputError({}, line);
}

/// No file that the command line names is written over, such as the sources of
/// `predict -o *.cu`.
static llvm::Error checkOutputs(llvm::ArrayRef<const char *> arguments) {
  constexpr llvm::StringLiteral Outputs[] = {"o", "record", "record-launches",
                                             "write-baseline"};
  std::vector<llvm::StringRef> outputs,
      others(trailingArguments().begin(), trailingArguments().end());
  bool isOutput = false;
  for (llvm::StringRef argument : arguments) {
    llvm::StringRef name = argument.ltrim('-'), value = argument;
    bool isOption = name.size() < argument.size();
    if (isOption)
      std::tie(name, value) = name.split('=');
    isOutput |= isOption && llvm::is_contained(Outputs, name);
    if (!value.empty())
      (isOutput ? outputs : others).push_back(value);
    isOutput &= value.empty();
  }
  for (llvm::StringRef output : outputs)
    if (llvm::sys::fs::is_regular_file(output) &&
        llvm::any_of(others, [&](llvm::StringRef other) {
          return llvm::sys::fs::equivalent(output, other);
        }))
      return makeInputError({output.str(), 0, ""},
                            "is not written over, as the command line names it "
                            "twice");
  return llvm::Error::success();
}

llvm::Error auspex::parseOptions(llvm::ArrayRef<const char *> arguments) {
  if (llvm::Error error = checkLastArgument(arguments))
    return error;
  if (llvm::Error error = checkOutputs(arguments))
    return error;
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  if (cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "", &os))
    return llvm::Error::success();
  return valueComplaint().empty() ? parserError(complaint, arguments[1])
                                  : makeInputError({}, valueComplaint());
}
