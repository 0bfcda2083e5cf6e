// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the commands of auspex share. A command is one file XCommand.cpp: its
/// options in a cl::SubCommand of its own, and a run function that calls the
/// rooms and prints. It registers itself with a static Command.
#ifndef AUSPEX_TOOLS_COMMAND_H
#define AUSPEX_TOOLS_COMMAND_H

#include "auspex/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <limits>
#include <string>
#include <vector>

namespace auspex {

/// Exit codes (DESIGN): never a count.
enum ExitCode { ExitFine = 0, ExitGateTripped = 1, ExitBadInput = 2 };

/// One command of the program.
class Command {
public:
  /// Results go to stdout; an error is printed to stderr and exits with 2.
  using Run = llvm::Expected<ExitCode> (*)();

  Command(llvm::cl::SubCommand &subCommand, Run run);

  static const std::vector<Command *> &all();

  llvm::cl::SubCommand &subCommand;
  Run run;
};

/// Parses the options of the command that arguments[1] names.
llvm::Error parseOptions(llvm::ArrayRef<const char *> arguments);

/// Adds to what stood after "--" on the command line.
void addTrailingArgument(std::string argument);
/// What stood there.
const std::vector<std::string> &trailingArguments();

/// Makes the parser of \p option fail with a message that says what was
/// \p expected instead of \p value.
bool refuseValue(const llvm::cl::Option &option, llvm::StringRef value,
                 const llvm::Twine &expected);
/// One of \p words.
bool refuseWord(const llvm::cl::Option &option, llvm::StringRef value,
                llvm::ArrayRef<llvm::StringRef> words);

/// The words that \p option takes, and what they mean; null if it is no
/// ChoiceOption.
const llvm::cl::generic_parser_base *choicesOf(const llvm::cl::Option &option);
void rememberChoices(const llvm::cl::Option &option,
                     const llvm::cl::generic_parser_base &choices);

/// Reads one of the words given by cl::values.
template <typename T> class ChoiceParser : public llvm::cl::parser<T> {
public:
  explicit ChoiceParser(llvm::cl::Option &option)
      : llvm::cl::parser<T>(option) {
    rememberChoices(option, *this);
  }

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef value,
             T &result) {
    std::vector<llvm::StringRef> words;
    for (const auto &choice : this->Values) {
      if (choice.Name == value) {
        result = choice.V.getValue();
        return false;
      }
      words.push_back(choice.Name);
    }
    return refuseWord(option, value, words);
  }
};

/// An option that takes one of a few words.
template <typename T>
using ChoiceOption = llvm::cl::opt<T, false, ChoiceParser<T>>;

/// Reads a number.
template <typename T> class NumberParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef value,
             T &result) {
    if constexpr (std::is_integral_v<T>)
      return value.getAsInteger(10, result) &&
             refuseValue(option, value,
                         "a whole number up to " +
                             llvm::Twine(std::numeric_limits<T>::max()));
    else if (std::optional<double> number = parseNumber(value))
      return result = *number, false;
    else
      return refuseValue(option, value, "a number");
  }
};

/// An option that takes a number.
template <typename T>
using NumberOption = llvm::cl::opt<T, false, NumberParser<T>>;

/// --format of commands that print for people or as one JSON document.
class FormatOption {
public:
  explicit FormatOption(llvm::cl::SubCommand &subCommand);
  bool isJson() const { return format == Format::Json; }

private:
  enum class Format { Text, Json };
  ChoiceOption<Format> format;
};

/// Prints "note: <text>" to stderr.
void note(const llvm::Twine &text);

} // namespace auspex

#endif
