// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Documentation.h"

#include "Command.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;
namespace cl = llvm::cl;

static llvm::DenseMap<const cl::Option *, const cl::generic_parser_base *> &
allChoices() {
  static llvm::DenseMap<const cl::Option *, const cl::generic_parser_base *>
      choices;
  return choices;
}

void auspex::rememberChoices(const cl::Option &option,
                             const cl::generic_parser_base &choices) {
  allChoices()[&option] = &choices;
}

const cl::generic_parser_base *auspex::choicesOf(const cl::Option &option) {
  return allChoices().lookup(&option);
}

/// The options that --help lists, by name, and not --help.
static std::vector<const cl::Option *> optionsOf(const Command &command) {
  std::vector<const cl::Option *> options;
  for (const auto &entry : cl::getRegisteredOptions(command.subCommand))
    if (entry.second->getOptionHiddenFlag() == cl::NotHidden &&
        entry.first != "help")
      options.push_back(entry.second);
  llvm::sort(options, [](const cl::Option *a, const cl::Option *b) {
    return a->ArgStr < b->ArgStr;
  });
  return options;
}

static std::string spelling(const cl::Option &option) {
  return (option.ArgStr.size() > 1 ? "--" : "-") + option.ArgStr.str();
}

//===----------------------------------------------------------------------===//
// The manual page
//===----------------------------------------------------------------------===//

/// Text as troff takes it.
static std::string escaped(StringRef text) {
  std::string result;
  if (text.starts_with(".") || text.starts_with("'"))
    result = "\\&";
  for (char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

static void printChoices(const cl::generic_parser_base &choices,
                         llvm::raw_ostream &os) {
  os << ".RS\n.PD 0\n";
  for (unsigned i = 0; i < choices.getNumOptions(); ++i)
    os << ".TP\n\\fB" << escaped(choices.getOption(i)) << "\\fR\n"
       << escaped(choices.getDescription(i)) << '\n';
  os << ".PD\n.RE\n";
}

static void printManualOf(const Command &command, llvm::raw_ostream &os) {
  os << ".SS auspex " << command.subCommand.getName();
  for (const cl::Option *argument : command.subCommand.PositionalOpts)
    os << ' ' << escaped(argument->HelpStr);
  os << '\n' << escaped(command.subCommand.getDescription()) << ".\n";
  for (const cl::Option *option : optionsOf(command)) {
    os << ".TP\n\\fB" << escaped(spelling(*option)) << "\\fR";
    if (!option->ValueStr.empty())
      os << " \\fI" << escaped(option->ValueStr) << "\\fR";
    os << '\n' << escaped(option->HelpStr) << '\n';
    if (const cl::generic_parser_base *choices = choicesOf(*option))
      printChoices(*choices, os);
  }
}

void auspex::printManual(llvm::ArrayRef<const Command *> commands,
                         llvm::raw_ostream &os) {
  os << ".TH AUSPEX 1 \"\" \"auspex " AUSPEX_VERSION "\"\n"
        ".SH NAME\nauspex \\- predicts how fast CUDA kernels run, without a "
        "GPU\n.SH SYNOPSIS\n.B auspex\n\\fIcommand\\fR [\\fIoptions\\fR]\n"
        ".SH COMMANDS\n";
  for (const Command *command : commands)
    printManualOf(*command, os);
  os << ".SH EXIT STATUS\n0 if all is well, 1 if a gate trips, 2 for wrong "
        "usage or input.\n";
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

/// A case of the script, with the words to complete from.
static void printCase(const llvm::Twine &pattern,
                      llvm::ArrayRef<std::string> words,
                      llvm::raw_ostream &os) {
  os << "  " << pattern << ") words=\"" << llvm::join(words, " ") << "\" ;;\n";
}

static void printCasesOf(const Command &command, llvm::raw_ostream &os) {
  StringRef name = command.subCommand.getName();
  std::vector<std::string> options{"--help"};
  for (const cl::Option *option : optionsOf(command)) {
    options.push_back(spelling(*option));
    std::vector<std::string> words;
    if (const cl::generic_parser_base *choices = choicesOf(*option))
      for (unsigned i = 0; i < choices->getNumOptions(); ++i)
        words.push_back(choices->getOption(i).str());
    if (!words.empty())
      printCase("\"" + name + " " + spelling(*option) + " \"*", words, os);
  }
  printCase("\"" + name + " \"*\" -\"*", options, os);
}

/// Bash takes "--format=json" for three words.
static constexpr StringRef BashHead = R"(# Completion of auspex for bash.
_auspex() {
  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} words=
  if [[ $word == = ]]; then
    word=
  elif [[ $last == = ]]; then
    last=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "${COMP_WORDS[*]:1:COMP_CWORD>1} $last $word" in
)";
static constexpr StringRef BashTail = R"(  *)
    COMPREPLY=($(compgen -f -- "$word"))
    return
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _auspex auspex
)";

void auspex::printBashCompletion(llvm::ArrayRef<const Command *> commands,
                                 llvm::raw_ostream &os) {
  std::vector<std::string> names{"--help", "--version"};
  os << BashHead;
  for (const Command *command : commands) {
    names.push_back(command->subCommand.getName().str());
    printCasesOf(*command, os);
  }
  printCase("\" \"*", names, os);
  os << BashTail;
}
