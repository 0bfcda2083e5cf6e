// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CommandLine.h"

#include "auspex/Support/Error.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"

using namespace auspex;
using namespace clang::options;
using llvm::StringRef;
using llvm::opt::Arg;

bool CommandLine::hasCuda() const {
  return llvm::any_of(items, [](const LinkItem &item) {
    return item.kind == LinkItem::Kind::CudaSource;
  });
}

static LinkItem::Kind kindOf(StringRef file, StringRef language) {
  if (!language.empty() && language != "none")
    return language.starts_with("cuda") ? LinkItem::Kind::CudaSource
                                        : LinkItem::Kind::Source;
  StringRef extension = llvm::sys::path::extension(file);
  if (extension == ".cu")
    return LinkItem::Kind::CudaSource;
  bool isSource = llvm::StringSwitch<bool>(extension)
                      .Cases({".c", ".cc", ".cp", ".cxx", ".cpp", ".CPP",
                              ".c++", ".C", ".s", ".S", ".ll", ".bc"},
                             true)
                      .Default(false);
  return isSource ? LinkItem::Kind::Source : LinkItem::Kind::Object;
}

/// The runtime that is replaced, in whatever form the build names it.
static bool isCudaRuntime(StringRef file) {
  StringRef name = llvm::sys::path::filename(file);
  return name.starts_with("libcudart") || name.starts_with("libcudadevrt");
}

static bool isCudaLibrary(StringRef name) {
  return llvm::is_contained(
      {"cudart", "cudart_static", "cudadevrt", "cudart-static"}, name);
}

namespace {

class Parser {
public:
  explicit Parser(const std::vector<std::string> &arguments) {
    for (const std::string &argument : arguments)
      pointers.push_back(argument.c_str());
  }

  llvm::Expected<CommandLine> run() {
    unsigned missing = 0, missingCount = 0;
    llvm::opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
        pointers, missing, missingCount,
        llvm::opt::Visibility(clang::options::ClangOption));
    if (missingCount)
      return makeInputError({pointers[missing], 0, ""}, "the value is missing");
    for (const Arg *argument : parsed)
      take(*argument, parsed);
    if (result.arch.empty())
      result.arch = "sm_80";
    return std::move(result);
  }

private:
  std::vector<const char *> pointers;
  CommandLine result;
  std::string language;

  static std::vector<std::string> render(const Arg &argument,
                                         const llvm::opt::ArgList &all) {
    llvm::opt::ArgStringList words;
    argument.render(all, words);
    return {words.begin(), words.end()};
  }

  void addArchs(const Arg &argument) {
    for (StringRef arch : argument.getValues()) {
      if (arch.starts_with("sm_") && result.arch.empty())
        result.arch = arch.str();
      else if (arch.starts_with("sm_") && arch != result.arch)
        result.otherArchs.push_back(arch.str());
    }
  }

  void addInput(const Arg &argument) {
    StringRef file = argument.getValue();
    if (isCudaRuntime(file))
      return;
    result.items.push_back({kindOf(file, language), {file.str()}, language});
  }

  /// Flags that decide what is made, not how. True if \p argument is one.
  bool takeGoal(const Arg &argument) {
    switch (argument.getOption().getID()) {
    case OPT_c:
      if (result.goal == CommandLine::Goal::Link)
        result.goal = CommandLine::Goal::Compile;
      return true;
    case OPT_E:
    case OPT_S:
    case OPT_M:
    case OPT_MM:
    case OPT_emit_llvm:
    case OPT_emit_ast:
    case OPT_fsyntax_only:
    case OPT__version:
    case OPT_help:
    case OPT_dumpversion:
    case OPT_dumpmachine:
    case OPT_print_search_dirs:
    case OPT_print_file_name_EQ:
    case OPT_print_prog_name_EQ:
    case OPT_print_resource_dir:
    case OPT_print_target_triple:
    case OPT_offload_device_only:
    case OPT_offload_host_only:
      result.goal = CommandLine::Goal::Other;
      return false;
    default:
      return false;
    }
  }

  void take(const Arg &argument, const llvm::opt::ArgList &all) {
    if (takeGoal(argument))
      return;
    std::vector<std::string> words = render(argument, all);
    const llvm::opt::Option &option = argument.getOption();
    auto addItem = [&] {
      result.items.push_back({LinkItem::Kind::Flag, words, ""});
    };
    switch (option.getID()) {
    case OPT_INPUT:
      return addInput(argument);
    case OPT_x:
      language = argument.getValue();
      return;
    case OPT_o:
      result.output = argument.getValue();
      return;
    case OPT_offload_arch_EQ:
      return addArchs(argument);
    case OPT_no_offload_arch_EQ:
      return;
    case OPT_fgpu_rdc:
    case OPT_fno_gpu_rdc:
      result.isRelocatable = option.matches(OPT_fgpu_rdc);
      return;
    case OPT__HASH_HASH_HASH:
      result.isDryRun = true;
      return;
    case OPT_v:
      result.isVerbose = true;
      llvm::append_range(result.linkFlags, words);
      return;
    case OPT_l:
      return isCudaLibrary(argument.getValue()) ? void() : addItem();
    default:
      break;
    }
    if (option.hasFlag(LinkerInput))
      return addItem();
    if (option.matches(OPT_Link_Group) || option.matches(OPT_L))
      return llvm::append_range(result.linkFlags, words);
    if (option.matches(OPT_M_Group) || option.matches(OPT_g_Group) ||
        option.matches(OPT_Wp_COMMA)) {
      llvm::append_range(result.hostFlags, words);
      return;
    }
    if (option.matches(OPT_O_Group))
      result.isOptimized = !option.matches(OPT_O0) &&
                           argument.getNumValues() != 0 &&
                           StringRef(argument.getValue()) != "0";
    if (option.matches(OPT_O4) || option.matches(OPT_Ofast))
      result.isOptimized = true;
    llvm::append_range(result.compileFlags, words);
  }
};

} // namespace

llvm::Expected<CommandLine>
auspex::parseCommandLine(const std::vector<std::string> &arguments,
                         bool isDeviceLink) {
  auto line = Parser(arguments).run();
  if (line && isDeviceLink)
    line->goal = CommandLine::Goal::DeviceLink;
  return line;
}
