// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels given as text.
#ifndef AUSPEX_TEST_UNIT_EMULATOR_RUNIR_H
#define AUSPEX_TEST_UNIT_EMULATOR_RUNIR_H

#include "auspex/Emulator/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>

namespace auspex::test {

/// Special registers, so that texts need not declare them.
inline const char *const Declarations = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";

/// A program, its memory, and what a launch's parameters are.
class Runner {
public:
  DeviceMemory memory;
  EmulationOptions options;
  std::unique_ptr<Program> program;
  std::string printed;

  explicit Runner(llvm::StringRef text) {
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString((Declarations + text).str(),
                                            diagnostic, *context);
    if (!module) {
      diagnostic.print("test", llvm::errs());
      ADD_FAILURE() << "the test's IR does not parse";
      return;
    }
    auto created =
        Program::create(std::move(context), std::move(module), memory);
    if (!created) {
      error = llvm::toString(created.takeError());
      return;
    }
    program = std::move(*created);
    options.print = [this](llvm::StringRef text) { printed += text; };
    options.timeLimitInSeconds = 20;
  }

  /// What the program or the last launch failed with.
  std::string error;
  EmulationFault::Kind kind = EmulationFault::Kind::Trap;

  template <class T> T *allocate(size_t count, T value = T()) {
    auto *begin = static_cast<T *>(memory.allocate(count * sizeof(T)));
    std::fill_n(begin, count, value);
    return begin;
  }

  template <class... Arguments>
  DynamicProfile launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                        Arguments... arguments) {
    return launchShared(kernel, grid, block, 0, arguments...);
  }

  template <class... Arguments>
  DynamicProfile launchShared(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                              uint64_t sharedInBytes, Arguments... arguments) {
    error.clear();
    std::vector<char> buffer;
    auto add = [&](auto argument) {
      size_t at = (buffer.size() + sizeof(argument) - 1) / sizeof(argument) *
                  sizeof(argument);
      buffer.resize(at + sizeof(argument));
      std::memcpy(buffer.data() + at, &argument, sizeof(argument));
    };
    (void)add;
    (add(arguments), ...);
    auto profile =
        program->launch(kernel, {grid, block}, sharedInBytes, buffer, options);
    if (profile)
      return std::move(*profile);
    llvm::handleAllErrors(
        profile.takeError(),
        [&](const EmulationFault &fault) {
          error = fault.message;
          kind = fault.kind;
          last = fault;
        },
        [&](const llvm::ErrorInfoBase &other) { error = other.message(); });
    return {};
  }

  std::optional<EmulationFault> last;
};

} // namespace auspex::test

#endif
