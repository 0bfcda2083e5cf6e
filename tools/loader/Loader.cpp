// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What clang and opt load. It needs nothing of LLVM, so that every version can
/// load it, and loads the plugin proper, which lies beside it, only if the
/// program has the LLVM that the plugin was built with. Otherwise one line says
/// which LLVM that is, where the dynamic loader would name a missing symbol.
#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

[[noreturn]] void refuse(const std::string &why) {
  std::fprintf(
      stderr,
      "error: %s.so belongs to LLVM %d.%d: %s; load it with a clang or "
      "opt of that version, clang++-%d or opt-%d\n",
      AUSPEX_PLUGIN, LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR, why.c_str(),
      LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
  constexpr int WrongInput = 2;
  _exit(WrongInput);
}

/// Refuses programs with another LLVM. The function that tells the version is
/// there since LLVM 16.
void checkProgram() {
  using Version = void (*)(unsigned *, unsigned *, unsigned *);
  auto version =
      reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!version)
    refuse("this program has none, or one before 16");
  unsigned major = 0, minor = 0;
  version(&major, &minor, nullptr);
  if (major != LLVM_VERSION_MAJOR || minor != LLVM_VERSION_MINOR)
    refuse("this program has " + std::to_string(major) + "." +
           std::to_string(minor));
}

/// The plugin proper; what it registers it does while it is loaded.
void *loadPlugin() {
  checkProgram();
  Dl_info self;
  if (!dladdr(reinterpret_cast<void *>(&checkProgram), &self))
    refuse("its own place cannot be found");
  std::string path = self.dli_fname;
  path.resize(path.size() - std::string(".so").size());
  void *plugin = dlopen((path + "Proper.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!plugin)
    refuse(dlerror());
  return plugin;
}

void *const plugin = loadPlugin();

} // namespace

extern "C"
    __attribute__((weak, visibility("default"))) llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return reinterpret_cast<decltype(&llvmGetPassPluginInfo)>(
      dlsym(plugin, "llvmGetPassPluginInfo"))();
}
