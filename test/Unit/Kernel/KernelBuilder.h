// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Summaries and launches put together by hand.
#ifndef AUSPEX_TEST_UNIT_KERNEL_KERNELBUILDER_H
#define AUSPEX_TEST_UNIT_KERNEL_KERNELBUILDER_H

#include "auspex/Kernel/LaunchConfig.h"

namespace auspex::test {

inline Expr parse(llvm::StringRef text) {
  return llvm::cantFail(Expr::parse(text));
}

/// A kernel with two integer arguments, n and m.
struct KernelBuilder {
  KernelSummary summary;

  KernelBuilder() {
    summary.name = summary.demangled = "k";
    summary.arch = 80;
    summary.registers = 32;
    for (const char *name : {"n", "m"})
      summary.arguments.push_back({Argument::Kind::Integer, 4, name});
  }

  unsigned block(llvm::StringRef guard, int loop = -1) {
    Block result;
    result.name = "b" + std::to_string(summary.blocks.size());
    result.guard = {parse(guard), ""};
    result.loop = loop;
    summary.blocks.push_back(result);
    return summary.blocks.size() - 1;
  }

  /// What begins a version is of unroll 0.
  void code(unsigned block, unsigned unroll, double fp32, unsigned begins = 0) {
    MachineCode version;
    version.unroll = unroll;
    version.begins = begins;
    version.mix[InstructionClass::Fp32] = fp32;
    summary.blocks[block].code.push_back(version);
  }

  int loop(llvm::StringRef trips, int parent = -1) {
    Loop result;
    result.iv = "i" + std::to_string(summary.loops.size());
    result.parent = parent;
    result.tripCount = {parse(trips), ""};
    summary.loops.push_back(result);
    return summary.loops.size() - 1;
  }

  Access &access(unsigned block, llvm::StringRef offset,
                 MemorySpace space = MemorySpace::Global) {
    Access result;
    result.block = block;
    result.space = space;
    result.base = "arg2";
    result.offset = {parse(offset), ""};
    summary.accesses.push_back(result);
    return summary.accesses.back();
  }
};

inline LaunchConfig launch(Dim3 grid, Dim3 block,
                           std::map<std::string, int64_t> arguments = {}) {
  LaunchConfig config;
  config.grid = {grid, LaunchOrigin::CommandLine};
  config.block = {block, LaunchOrigin::CommandLine};
  for (auto [name, value] : arguments)
    config.arguments[name] = {value, LaunchOrigin::CommandLine};
  return config;
}

} // namespace auspex::test

#endif
