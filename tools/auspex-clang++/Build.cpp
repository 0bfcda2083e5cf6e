// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Build.h"

#include "ClangForCuda.h"
#include "DeviceLink.h"
#include "NvccOptimizer.h"
#include "NvccSource.h"
#include "auspex/Support/Error.h"
#include "auspex/Support/File.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

using namespace auspex;
using llvm::StringRef;

using Command = std::vector<std::string>;

namespace {
enum class CompilationSide { Device, Host };

/// A step that fails ends the build with its exit code.
class Builder {
public:
  Builder(const CommandLine &line, std::string clang)
      : line(line), clang(std::move(clang)), toolkit(findToolkit()) {}

  llvm::Expected<int> run() {
    if (line.goal == CommandLine::Goal::Compile)
      return compileAll();
    if (line.goal == CommandLine::Goal::DeviceLink)
      return linkDeviceAlone();
    return linkAll();
  }

private:
  const CommandLine &line;
  std::string clang;
  std::optional<std::string> toolkit;
  std::vector<TemporaryFile> temporaries;

  llvm::Expected<std::string> temporary(StringRef suffix) {
    auto file = TemporaryFile::create(suffix);
    if (!file)
      return file.takeError();
    temporaries.push_back(std::move(*file));
    return temporaries.back().path();
  }

  llvm::Expected<int> execute(const Command &command) const {
    if (line.isDryRun || line.isVerbose) {
      for (const std::string &word : command) {
        llvm::sys::printArg(llvm::errs(), word, line.isDryRun);
        llvm::errs() << (&word == &command.back() ? '\n' : ' ');
      }
    }
    if (line.isDryRun)
      return 0;
    return runCommand(command);
  }

  static void append(Command &command, llvm::ArrayRef<std::string> words) {
    command.insert(command.end(), words.begin(), words.end());
  }

  /// What both steps of a CUDA source have in common.
  Command cudaCommand(const LinkItem &source, CompilationSide side) const {
    Command command{clang};
    bool isDevice = side == CompilationSide::Device;
    append(command, cudaFlags(toolkit, line.compileFlags));
    append(command, line.compileFlags);
    // Not every flag means something to every step.
    append(command, {"-Wno-unused-command-line-argument",
                     "-Wno-unknown-cuda-version", "--no-cuda-version-check"});
    command.push_back("--offload-arch=" + line.arch);
    command.push_back(isDevice ? "--cuda-device-only" : "--cuda-host-only");
    if (line.isRelocatable) {
      // Both sides name what is static by it.
      llvm::SmallString<256> path(source.file());
      llvm::sys::fs::make_absolute(path);
      append(command, {"-fgpu-rdc", "--offload-new-driver",
                       "-cuid=" + llvm::utohexstr(llvm::xxh3_64bits(path))});
    }
    append(command, {"-c", "-x", "cuda", source.file()});
    return command;
  }

  /// The device's code of \p source as an offload binary in a file.
  llvm::Expected<int> compileDevice(const LinkItem &source,
                                    const std::string &binary,
                                    llvm::ArrayRef<std::string> readFlags) {
    auto bitcode = temporary("bc"), snapshot = temporary("bc");
    if (!bitcode || !snapshot)
      return llvm::joinErrors(bitcode.takeError(), snapshot.takeError());
    Command command = cudaCommand(source, CompilationSide::Device);
    append(command, readFlags);
    append(command, {"-emit-llvm", "-o", *bitcode});
    // Whatever the host's level is, as nvcc does.
    command.push_back("-O3");
    if (line.isRelocatable) {
      append(command,
             {"-gline-tables-only", "-Xclang", "-disable-llvm-passes"});
    } else {
      append(command, {"-fplugin=" + besideProgram("lib/AuspexClang.so"),
                       "-fplugin-arg-auspex-snapshot=" + *snapshot});
      append(command, flagsToOptimizeAsNvcc(line.compileFlags));
    }
    llvm::Expected<int> code = execute(command);
    if (!code || *code != 0 || line.isDryRun)
      return code;
    const std::string &result = line.isRelocatable ? *bitcode : *snapshot;
    auto buffer = llvm::MemoryBuffer::getFile(result);
    if (!buffer || (*buffer)->getBufferSize() == 0)
      return makeInputError({source.file(), 0, ""},
                            "clang wrote no device code; is " +
                                besideProgram("lib/AuspexClang.so") +
                                " in its place?");
    if (llvm::Error error = writeFile(
            binary, packDeviceCode((*buffer)->getBuffer(), line.arch)))
      return std::move(error);
    return 0;
  }

  llvm::Expected<int> compileCuda(const LinkItem &source,
                                  const std::string &object) {
    auto binary = temporary("ob");
    if (!binary)
      return binary.takeError();
    auto rewritten = NvccSource::rewrite(source.file(), line.compileFlags);
    if (!rewritten)
      return rewritten.takeError();
    llvm::Expected<int> code =
        compileDevice(source, *binary, rewritten->flags());
    if (!code || *code != 0)
      return code;
    Command command = cudaCommand(source, CompilationSide::Host);
    append(command, rewritten->flags());
    append(command, line.hostFlags);
    if (line.isRelocatable)
      append(command, {"-Xclang", "-fembed-offload-object=" + *binary});
    else
      append(command,
             {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", *binary});
    append(command, {"-o", object});
    return execute(command);
  }

  /// Sources of other languages may call the runtime too.
  std::vector<std::string> includeFlags() const {
    if (toolkit)
      return {"-isystem", *toolkit + "/include"};
    return {"-idirafter", besideProgram("share/auspex/cuda")};
  }

  llvm::Expected<int> compileOther(const LinkItem &source,
                                   const std::string &object) {
    Command command{clang};
    append(command, line.compileFlags);
    append(command, line.hostFlags);
    append(command, includeFlags());
    command.push_back("-c");
    if (!source.language.empty())
      append(command, {"-x", source.language});
    append(command, {source.file(), "-o", object});
    return execute(command);
  }

  llvm::Expected<int> compileAll() {
    std::vector<const LinkItem *> sources;
    for (const LinkItem &item : line.items)
      if (item.kind == LinkItem::Kind::CudaSource ||
          item.kind == LinkItem::Kind::Source)
        sources.push_back(&item);
    if (sources.empty())
      return makeInputError({}, "no source to compile");
    if (!line.output.empty() && sources.size() > 1)
      return makeInputError({"", 0, "-o"},
                            "one output for several sources; leave it out");
    for (const LinkItem *source : sources) {
      std::string object = line.output;
      if (object.empty())
        object = (llvm::sys::path::stem(source->file()) + ".o").str();
      llvm::Expected<int> code = source->kind == LinkItem::Kind::CudaSource
                                     ? compileCuda(*source, object)
                                     : compileOther(*source, object);
      if (!code || *code != 0)
        return code;
    }
    return 0;
  }

  /// Where -L says that libraries are.
  std::vector<std::string> libraryFolders() const {
    std::vector<std::string> folders;
    for (size_t i = 0; i < line.linkFlags.size(); ++i) {
      StringRef flag = line.linkFlags[i];
      if (!flag.consume_front("-L"))
        continue;
      if (flag.empty() && i + 1 < line.linkFlags.size())
        flag = line.linkFlags[++i];
      folders.push_back(flag.str());
    }
    return folders;
  }

  /// The archive that "-lname" stands for; none if it is a shared library or
  /// the system's.
  std::optional<std::string> archiveOf(const LinkItem &flag) const {
    std::string text = llvm::join(flag.words, "");
    StringRef name = text;
    if (!name.consume_front("-l"))
      return std::nullopt;
    for (const std::string &folder : libraryFolders()) {
      if (StringRef file = name; file.consume_front(":")) {
        if (std::string path = folder + "/" + file.str();
            llvm::sys::fs::exists(path))
          return path;
        continue;
      }
      std::string stem = folder + "/lib" + name.str();
      if (llvm::sys::fs::exists(stem + ".so"))
        return std::nullopt;
      if (llvm::sys::fs::exists(stem + ".a"))
        return stem + ".a";
    }
    return std::nullopt;
  }

  /// Notes \p file as one whose device code is linked, once.
  static void addObject(const std::string &file,
                        std::vector<std::string> &objects) {
    if (!llvm::is_contained(objects, file))
      objects.push_back(file);
  }

  /// The words that put \p item into the link; a CUDA source is compiled.
  llvm::Expected<int> addToLink(const LinkItem &item, Command &command,
                                std::vector<std::string> &objects) {
    switch (item.kind) {
    case LinkItem::Kind::Flag:
      append(command, item.words);
      if (auto archive = archiveOf(item))
        addObject(*archive, objects);
      return 0;
    case LinkItem::Kind::Object:
      command.push_back(item.file());
      addObject(item.file(), objects);
      return 0;
    case LinkItem::Kind::Source:
      if (item.language.empty()) {
        command.push_back(item.file());
        return 0;
      }
      append(command, {"-x", item.language, item.file(), "-x", "none"});
      return 0;
    case LinkItem::Kind::CudaSource: {
      auto object = temporary("o");
      if (!object)
        return object.takeError();
      llvm::Expected<int> code = compileCuda(item, *object);
      command.push_back(*object);
      objects.push_back(*object);
      return code;
    }
    }
    llvm_unreachable("covered switch");
  }

  /// Adds the object with the device's code of all others, if there is any.
  llvm::Expected<int> linkDevice(const std::vector<std::string> &objects,
                                 Command &command) {
    auto module = linkDeviceCode(objects);
    if (!module)
      return module.takeError();
    if (module->empty())
      return 0;
    auto object = temporary("o");
    if (!object)
      return object.takeError();
    command.push_back(*object);
    return compileModule(*module, *object);
  }

  llvm::Expected<int> compileModule(StringRef module,
                                    const std::string &object) {
    auto bitcode = temporary("bc");
    if (!bitcode)
      return bitcode.takeError();
    if (llvm::Error error = writeFile(*bitcode, module))
      return std::move(error);
    return execute({clang, "-c", "-fPIC", "-x", "ir", *bitcode, "-o", object});
  }

  /// An object in any case, for the build counts on it.
  llvm::Expected<int> linkDeviceAlone() {
    std::vector<std::string> objects;
    for (const LinkItem &item : line.items) {
      if (item.kind == LinkItem::Kind::Object)
        addObject(item.file(), objects);
      else if (auto archive = archiveOf(item))
        addObject(*archive, objects);
    }
    std::string output = line.output.empty() ? "a_dlink.o" : line.output;
    auto module = linkDeviceCode(objects);
    if (!module)
      return module.takeError();
    if (module->empty())
      return execute({clang, "-c", "-x", "c++", "/dev/null", "-o", output});
    return compileModule(*module, output);
  }

  llvm::Expected<int> linkAll() {
    Command command{clang, "-Qunused-arguments"};
    append(command, line.compileFlags);
    append(command, line.hostFlags);
    append(command, includeFlags());
    append(command, line.linkFlags);
    std::vector<std::string> objects;
    for (const LinkItem &item : line.items) {
      llvm::Expected<int> code = addToLink(item, command, objects);
      if (!code || *code != 0)
        return code;
    }
    if (!line.isDryRun) {
      llvm::Expected<int> code = linkDevice(objects, command);
      if (!code || *code != 0)
        return code;
    }
    std::string runtime = besideProgram("lib");
    append(command, {"-L" + runtime, "-lauspexrt", "-Wl,-rpath," + runtime});
    if (!line.output.empty())
      append(command, {"-o", line.output});
    return execute(command);
  }
};

} // namespace

llvm::Expected<int> auspex::build(const CommandLine &line) {
  auto clang = findClang();
  if (!clang)
    return clang.takeError();
  return Builder(line, std::move(*clang)).run();
}

llvm::Expected<int>
auspex::passThrough(const CommandLine &line,
                    const std::vector<std::string> &arguments) {
  auto clang = findClang();
  if (!clang)
    return clang.takeError();
  Command command{*clang};
  if (line.hasCuda()) {
    auto flags = cudaFlags(findToolkit(), line.compileFlags);
    command.insert(command.end(), flags.begin(), flags.end());
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  return runCommand(command);
}
