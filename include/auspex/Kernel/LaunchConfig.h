// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launch of a kernel, each part with its origin.
#ifndef AUSPEX_KERNEL_LAUNCHCONFIG_H
#define AUSPEX_KERNEL_LAUNCHCONFIG_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/HW/Occupancy.h"
#include "auspex/Kernel/KernelSummary.h"

#include <map>
#include <set>

namespace auspex {

/// Who stated a part of a launch, least to most certain.
/// Defaults: what the source says if the program is run without arguments.
enum class LaunchOrigin {
  Assumed,
  Defaults,
  Source,
  Pragma,
  File,
  CommandLine,
  Profile
};
/// "assumed", "defaults", "source", "pragma", "file", "command-line",
/// "profile".
llvm::StringRef toString(LaunchOrigin origin);

/// A value with its origin.
template <typename T> struct Stated {
  T value{};
  LaunchOrigin origin = LaunchOrigin::Assumed;

  bool operator==(const Stated &) const = default;
};

/// A block of one dimension that the program has the runtime library choose, by
/// cudaOccupancyMaxPotentialBlockSize: which it is hangs on the GPU and on the
/// kernel's registers.
struct ChosenBlock {
  /// The most threads; 0 for as many as the kernel can have.
  unsigned limit = 0;
  /// Dynamic shared memory of a block, in bytes, as the library is told.
  uint64_t shared = 0;
  /// The grid has just enough blocks for so many threads, or for 0 just those
  /// that fill the GPU; not set if it has another size, or one that nobody
  /// knows.
  std::optional<int64_t> threads{};

  bool operator==(const ChosenBlock &) const = default;
};

/// The symbols of what a program asks of its GPU.
inline constexpr char SMCountSymbol[] = "gpu.sm_count";
inline constexpr char MaxThreadsPerSMSymbol[] = "gpu.max_threads_per_sm";
/// How many blocks of the launch an SM has room for.
inline constexpr char BlocksPerSMSymbol[] = "gpu.blocks_per_sm";
bool isOfGPU(llvm::StringRef symbol);

struct LaunchConfig {
  /// The kernel as the user or the compiler names it: mangled, or qualified
  /// with or without parameter types ("ns::saxpy", "saxpy<float>(int,
  /// float*)").
  std::string kernel;
  std::optional<Stated<Dim3>> grid, block;
  /// The same grid by the symbols of integer arguments and of the GPU, axis by
  /// axis. Counts where no grid is stated, or where somebody states these
  /// arguments who is more certain than the source.
  std::optional<Stated<std::array<Expr, 3>>> gridOfArguments;
  /// Counts where no block is stated.
  std::optional<Stated<ChosenBlock>> chosenBlock;
  std::optional<Stated<uint64_t>> dynamicShared;
  /// Integer arguments: by symbol ("arg0", "arg2.8") or, before resolve(), by
  /// the parameter's name. Booleans are 0 and 1.
  std::map<std::string, Stated<int64_t>> arguments;
  /// Floating-point arguments, likewise. Before resolve() those stated as an
  /// integer are among the integers, and integers stated with a point are here.
  std::map<std::string, Stated<double>> floatArguments;
  /// How large what pointer arguments point to is, by symbol: what the program
  /// allocates. As in Access::objectInBytes.
  std::map<std::string, Stated<uint64_t>> objectsInBytes;
  /// The pointer arguments that point to memory of the host, likewise.
  std::set<std::string> inHostMemory;
  /// Registers a thread, where the user knows better.
  std::optional<Stated<unsigned>> registers;
  /// Resident blocks an SM at most, where something outside the kernel limits
  /// them.
  std::optional<Stated<unsigned>> maxBlocksPerSM;
  /// L2 holds what an equal launch has left there just before, as where a
  /// kernel is launched again and again; nothing of use otherwise.
  std::optional<Stated<bool>> warmL2;
  /// At most what other launches and copies use of the GPU's memory between
  /// this one and the equal one before, besides what these use.
  uint64_t bytesBetween = 0;
  /// The integer arguments, by symbol, that each of these launches has another
  /// one of: L2 is as warm if no address hangs on them.
  std::set<std::string> variesByRound;
  /// What the source does not say that its grid or block hangs on, and where:
  /// "atoi(argv[1]) at line 12"; empty if that is not known.
  std::string hangsOn;
  /// The place of the launch or of the line that states it.
  SourceLocation location;

  /// The least certain origin of grid and block.
  LaunchOrigin origin() const;
  bool isL2Warm() const { return warmL2 && warmL2->value; }
  /// The sizes, who states them, and where: "grid 80x1x1 and block 256x1x1 from
  /// the source (x.cu:9)"; "grid 216x1x1 assumed and block 256x1x1 from a
  /// pragma (x.cu:3)"; "grid not known and block ..., arguments from the
  /// command line"; ", L2 warm" at the end if it is.
  std::string originText() const;
  bool operator==(const LaunchConfig &) const = default;
};

/// The origin that the parts of a launch share which one source states.
LaunchOrigin statedOrigin(const LaunchConfig &launch);

/// Notes \p node as the number that argument \p name has, with a point as one
/// in floating point: that may be a member of a struct. False if it is none.
bool readArgument(const Node &node, const std::string &name,
                  LaunchOrigin origin, LaunchConfig &config);

/// Reads a launches file (YAML):
///
///   launches:
///     - kernel: saxpy
///       grid: [4096]            # or 4096, or "4096x1x1"
///       gridOfArguments: ["min(floordiv(arg0, 256), gpu.sm_count)", 1, 1]
///       block: 256
///       shared: 0               # dynamic, in bytes
///       args: {n: 1048576}      # by parameter name, argK or position
///       objectsInBytes: {x: 4194304}
///       inHostMemory: [x]
///       registers: 32           # a thread
///       maxBlocksPerSM: 2
///       warmL2: true
///       variesByRound: [step]
///       chosenBlock: {limit: 256, shared: 0, threads: 1048576}
///
/// All but the kernel is optional. args may be a list, null where an argument
/// is no integer. Sizes that no GPU has are errors here; those that one GPU
/// does not have, in checkLaunch.
llvm::Expected<std::vector<LaunchConfig>> loadLaunchFile(llvm::StringRef path);
llvm::Expected<std::vector<LaunchConfig>> parseLaunchFile(const Node &document);
/// Reads one member of "launches". Sizes may be any: checkLaunch says what no
/// GPU takes.
llvm::Expected<LaunchConfig> parseLaunchOfAnySize(const Node &launch);

/// Reads the text of --launch and of `#pragma auspex launch(...)`:
/// "saxpy=grid:4096x1x1,block:256,shared:0,n=1048576". The name may be missing
/// (a pragma stands before its kernel); it may hold commas inside brackets
/// ("ns::k<float, 3>"). What a launches file calls KEY is KEY:value here, and
/// an argument is name=value. The key of \p place ("--launch") stands before
/// the keys in messages.
llvm::Expected<LaunchConfig>
parseLaunchText(llvm::StringRef text, LaunchOrigin origin, Place place = {});

/// The same for the command line, where the name has to be there.
llvm::Expected<LaunchConfig> parseNamedLaunchText(llvm::StringRef text,
                                                  Place place);

/// Whether \p name is meant for the kernel: it is its mangled name, its
/// demangled name, or that without parameter list, without template arguments
/// ("ns::saxpy") and without namespaces ("saxpy", "saxpy<float>"). Spaces do
/// not count, nor does the type of a number ("k<256>" is k<256u>). Enumerators
/// may be the source's, where the summary has them ("k<Order::Same>"), or
/// numbers ("k<(Order)0>"). So one name may be meant for several kernels: all
/// instances of a template.
bool isCalled(llvm::StringRef name, const KernelSummary &summary);
/// The same for the kernel of this mangled name, with the summary's spelling.
bool isCalled(llvm::StringRef name, llvm::StringRef mangled,
              llvm::StringRef spelling = "");

/// The launches to predict for a kernel: those of \p stated that are meant for
/// it (launches files, command line); else those of pragmas; else those that
/// the source makes. What a stated launch or a pragma leaves out comes from the
/// source's launches, where they all agree. Empty if nobody says anything.
std::vector<LaunchConfig>
chooseLaunches(const KernelSummary &summary,
               llvm::ArrayRef<LaunchConfig> stated,
               llvm::ArrayRef<LaunchConfig> fromSource);

/// Puts symbols in the place of parameter names and positions ("n", "0" ->
/// "arg0"); symbols stay. An error names a parameter the kernel does not have,
/// one that is no integer, one that is given twice, or a value that does not
/// fit.
llvm::Expected<LaunchConfig> resolveArguments(const LaunchConfig &config,
                                              const KernelSummary &summary);

/// Fills what nobody stated: the block as the library chooses it, where the
/// launch says so, and then a grid for its threads; else the block as the
/// kernel requires it, from __launch_bounds__, or 256 threads; no dynamic
/// shared memory; the grid as one full wave of the GPU. The origin of what it
/// fills is Assumed, but for what is chosen.
LaunchConfig completeLaunch(const LaunchConfig &config,
                            const KernelSummary &summary, const GPU &gpu);

/// The same threads in blocks of another size: along each axis the grid has as
/// few blocks as cover what grid and block of \p launch, which are there, had.
/// Both become \p origin's.
LaunchConfig inBlocksOf(const LaunchConfig &launch, const Dim3 &block,
                        LaunchOrigin origin);

/// What one block of a complete launch asks of an SM: registers as stated, else
/// the summary's; the kernel opts in to the shared memory it uses.
BlockResources blockResources(const LaunchConfig &config,
                              const KernelSummary &summary);

/// Why a launch cannot be: the part ("grid", "block", "shared", "registers"),
/// and what is wrong with it.
struct LaunchProblem {
  llvm::StringRef part;
  std::string message;
};

/// What keeps \p gpu from taking a complete launch; none if nothing does.
std::optional<LaunchProblem> launchProblem(const LaunchConfig &config,
                                           const KernelSummary &summary,
                                           const GPU &gpu);

/// An error for a launch the GPU does not accept: a size of 0 or beyond the
/// limits of \p gpu (grid, block, shared memory, registers), or against the
/// kernel's own bounds. Registers that are an estimate are no reason. The
/// launch has to be complete.
llvm::Error checkLaunch(const LaunchConfig &config,
                        const KernelSummary &summary, const GPU &gpu);

} // namespace auspex

#endif
