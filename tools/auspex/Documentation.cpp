// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Documentation.h"

#include "Command.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::StringRef;
namespace cl = llvm::cl;

/// The options that --help lists, by name.
static std::vector<const cl::Option *> optionsOf(const Command &command) {
  std::vector<const cl::Option *> options;
  for (const auto &entry : cl::getRegisteredOptions(command.subCommand))
    if (entry.second->getOptionHiddenFlag() == cl::NotHidden)
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

void auspex::printBashCompletion(llvm::ArrayRef<const Command *> commands,
                                 llvm::raw_ostream &os) {
  os << "# Completion of auspex for bash.\n_auspex() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
        "  if ((COMP_CWORD == 1)); then\n    words=\"";
  for (const Command *command : commands)
    os << command->subCommand.getName() << ' ';
  os << "--help --version\"\n  elif [[ $word == -* ]]; then\n"
        "    case ${COMP_WORDS[1]} in\n";
  for (const Command *command : commands) {
    std::vector<std::string> words;
    for (const cl::Option *option : optionsOf(*command))
      words.push_back(spelling(*option));
    os << "    " << command->subCommand.getName() << ") words=\""
       << llvm::join(words, " ") << "\" ;;\n";
  }
  os << "    esac\n  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "    return\n  fi\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
        "complete -o filenames -F _auspex auspex\n";
}
