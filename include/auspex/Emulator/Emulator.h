// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels, given as NVPTX IR, on the CPU: warps in lockstep, with all
/// that a DynamicProfile counts.
#ifndef AUSPEX_EMULATOR_EMULATOR_H
#define AUSPEX_EMULATOR_EMULATOR_H

#include "auspex/Emulator/DeviceMemory.h"
#include "auspex/Kernel/DynamicProfile.h"
#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Kernel/SnapshotMetadata.h"
#include "llvm/IR/Module.h"

#include <atomic>
#include <functional>

namespace auspex {

/// Why a launch stopped: what a GPU would have reported, and where.
class EmulationFault : public llvm::ErrorInfo<EmulationFault> {
public:
  enum class Kind {
    /// Outside every allocation, null, or beyond shared or local memory.
    IllegalAddress,
    MisalignedAddress,
    /// A barrier that some threads of the block never come to, or come to in
    /// divergent code.
    DivergentBarrier,
    Trap,
    Assertion,
    /// The limit on time, or stopped from outside.
    Stopped,
    /// The code uses what the emulator does not have.
    Unsupported,
    StackOverflow,
  };
  static char ID;

  Kind kind = Kind::Trap;
  std::string kernel;
  SourceLocation location;
  /// Of the first thread concerned.
  std::array<int64_t, 3> block{}, thread{};
  /// A full sentence part without the place: "reads 4 bytes 16 bytes after the
  /// end of an allocation of 1024 bytes".
  std::string message;
  /// Where the warps of a block were, each place once.
  struct RunningBlock {
    std::array<int64_t, 3> block{};
    std::vector<SourceLocation> locations;
  };
  /// Of a launch that was stopped, those blocks that had begun and not ended.
  std::vector<RunningBlock> running;
  /// And what it did until then.
  std::shared_ptr<const DynamicProfile> profile;

  /// "kernel 'k', x.cu:12:7, block (0,1,0), thread (3,0,0): ...", and of a
  /// launch that was stopped, the first of the blocks that ran.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

struct EmulationOptions {
  /// Threads of the host that run blocks.
  unsigned threads = 1;
  /// Blocks that are resident together; cooperative launches have to fit.
  uint64_t blocksPerWave = 1;
  /// For the counts of bank passes, lines and cycles of L1.
  MemoryGranularity granularity;
  bool isCooperative = false;
  /// Collect addresses' statistics of at most this many blocks; 0 for all.
  uint64_t sampleBlocks = 0;
  /// Count nothing but results.
  bool profile = true;
  /// Set by others to stop the launch.
  const std::atomic<bool> *stop = nullptr;
  /// 0 for none.
  double timeLimitInSeconds = 0;
  /// Takes what printf prints.
  std::function<void(llvm::StringRef)> print;
  /// Told now and then how many blocks are done, by one thread.
  std::function<void(int64_t)> progress;
};

/// A module of device code, made ready to run: its variables have memory, its
/// kernels are decoded when they are first launched.
class Program {
public:
  /// An error says what is wrong with the module (no NVPTX, broken IR) or which
  /// function it uses and does not define. \p memory outlives the program.
  static llvm::Expected<std::unique_ptr<Program>>
  create(std::unique_ptr<llvm::LLVMContext> context,
         std::unique_ptr<llvm::Module> module, DeviceMemory &memory);
  ~Program();

  /// A __device__, __constant__ or __managed__ variable by its name in the IR.
  std::optional<Allocation> variable(llvm::StringRef name) const;
  /// Where the integers of such a variable lie in it, and their sizes.
  std::map<uint64_t, uint64_t> integersOf(llvm::StringRef variable) const;

  struct KernelInfo {
    const llvm::Function *function = nullptr;
    uint64_t staticSharedInBytes = 0, localInBytes = 0;
    /// Where each parameter lies in the buffer that a launch takes.
    struct Parameter {
      uint64_t offset = 0, sizeInBytes = 0;
      /// Of a struct: where its integers lie in it, and their sizes.
      std::map<uint64_t, uint64_t> integers;
    };
    std::vector<Parameter> parameters;
    uint64_t parametersInBytes = 0;
  };
  const KernelInfo *kernel(llvm::StringRef mangledName) const;

  /// Runs a launch to its end. \p parameters is laid out as KernelInfo says.
  /// What goes wrong in the kernel is an EmulationFault.
  llvm::Expected<DynamicProfile> launch(llvm::StringRef mangledName,
                                        const LaunchShape &shape,
                                        uint64_t dynamicSharedInBytes,
                                        llvm::ArrayRef<char> parameters,
                                        const EmulationOptions &options);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
  explicit Program(std::unique_ptr<Implementation> implementation);
};

} // namespace auspex

#endif
