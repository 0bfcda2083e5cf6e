// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of all kinds.
#include "Launches.h"

#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdio>
#include <unistd.h>

using namespace auspex;
using namespace auspex::cuda;

//===----------------------------------------------------------------------===//
// What k<<<grid, block, shared, stream>>>(...) leaves for the stub
//===----------------------------------------------------------------------===//

namespace {
struct Configuration {
  cuda::Dim3 grid, block;
  size_t dynamicShared;
  void *stream;
};
} // namespace

static thread_local llvm::SmallVector<Configuration, 2> configurations;

AUSPEX_CUDA unsigned __cudaPushCallConfiguration(cuda::Dim3 grid,
                                                 cuda::Dim3 block,
                                                 size_t dynamicShared,
                                                 void *stream) {
  configurations.push_back({grid, block, dynamicShared, stream});
  return 0;
}

AUSPEX_CUDA cuda::Error __cudaPopCallConfiguration(cuda::Dim3 *grid,
                                                   cuda::Dim3 *block,
                                                   size_t *dynamicShared,
                                                   void *stream) {
  if (configurations.empty())
    return note(MissingConfiguration);
  Configuration last = configurations.pop_back_val();
  *grid = last.grid;
  *block = last.block;
  *dynamicShared = last.dynamicShared;
  *static_cast<void **>(stream) = last.stream;
  return Success;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

uint64_t cuda::dynamicSharedLimit(Runtime &runtime, const Kernel &kernel) {
  if (kernel.maxDynamicShared)
    return *kernel.maxDynamicShared;
  uint64_t perBlock = static_cast<uint64_t>(runtime.gpu()[Q::SharedPerBlock]);
  uint64_t used = kernel.info->staticSharedInBytes;
  return perBlock > used ? perBlock - used : 0;
}

/// What CUDA says of a launch that cannot be.
static cuda::Error check(Runtime &runtime, const Kernel &kernel,
                         const LaunchRequest &request) {
  auto sizes = [](const cuda::Dim3 &size) {
    return auspex::Dim3{size.x, size.y, size.z};
  };
  LaunchLimits limits = launchLimits(runtime.gpu());
  if (!gridProblem(sizes(request.grid), limits).empty() ||
      !blockProblem(sizes(request.block), limits).empty())
    return InvalidConfiguration;
  if (request.dynamicShared > dynamicSharedLimit(runtime, kernel))
    return InvalidValue;
  return Success;
}

BlockResources cuda::blockResources(Runtime &runtime, const Kernel &kernel,
                                    uint64_t threads, uint64_t dynamicShared) {
  BlockResources block;
  block.threadsPerBlock = threads;
  if (const KernelSummary *summary = kernel.summary())
    block.registersPerThread = summary->registers;
  block.staticShared = kernel.info->staticSharedInBytes;
  block.dynamicShared = dynamicShared;
  block.maxDynamicShared = dynamicSharedLimit(runtime, kernel);
  block.carveout = kernel.carveout;
  return block;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

static cuda::Error errorOf(EmulationFault::Kind kind) {
  using Kind = EmulationFault::Kind;
  switch (kind) {
  case Kind::IllegalAddress:
    return IllegalAddress;
  case Kind::MisalignedAddress:
    return MisalignedAddress;
  case Kind::DivergentBarrier:
  case Kind::Trap:
    return LaunchFailure;
  case Kind::Assertion:
    return Assert;
  case Kind::Stopped:
    return LaunchTimeout;
  case Kind::Unsupported:
    return NotSupported;
  case Kind::StackOverflow:
    return HardwareStackError;
  }
  return LaunchFailure;
}

/// The fault in the terms of the source: the kernel's name as it is written,
/// and a place that users can change.
static std::string describe(EmulationFault fault) {
  fault.kernel = llvm::demangle(fault.kernel);
  if (fault.location.isKnown())
    fault.location = fault.location.outsideSystemHeaders();
  return static_cast<const llvm::ErrorInfoBase &>(fault).message();
}

static cuda::Error report(Runtime &runtime, llvm::Error failure) {
  cuda::Error error = LaunchFailure;
  std::string text;
  llvm::handleAllErrors(
      std::move(failure),
      [&](const EmulationFault &fault) {
        error = errorOf(fault.kind);
        text = describe(fault);
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  complain(text);
  runtime.recorder.addProblem(text);
  runtime.fail(error);
  return error;
}

static EmulationOptions options(Runtime &runtime,
                                const LaunchRequest &request) {
  EmulationOptions result;
  const GPU &gpu = runtime.gpu();
  result.threads = runtime.settings.threads;
  result.granularity = granularityOf(gpu);
  result.isCooperative = request.isCooperative;
  result.sampleBlocks = runtime.settings.sampleBlocks;
  result.profile = runtime.recorder.isOn();
  result.stop = &runtime.stop;
  if (double limit = runtime.settings.timeLimitInSeconds; limit > 0)
    result.timeLimitInSeconds =
        std::max(1e-3, limit - runtime.emulatedInSeconds);
  return result;
}

/// Prints on a terminal how far a long launch is, and takes it away again.
namespace {
class ProgressLine {
public:
  ProgressLine(Runtime &runtime, llvm::StringRef kernel, uint64_t blocks)
      : runtime(runtime), kernel(kernel), blocks(blocks),
        isOn(runtime.recorder.isOn() && isatty(STDERR_FILENO)),
        next(runtime.nowInSeconds() + Patience) {}
  ~ProgressLine() { clear(); }

  void clear() {
    if (isShown)
      std::fputs("\r\033[K", stderr);
    isShown = false;
  }

  std::function<void(int64_t)> update() {
    if (!isOn)
      return nullptr;
    return [this](int64_t done) {
      double now = runtime.nowInSeconds();
      if (now < next)
        return;
      next = now + Step;
      isShown = true;
      std::fprintf(
          stderr, "\r\033[Kauspex: launch %llu, %s: %lld of %llu blocks",
          static_cast<unsigned long long>(runtime.recorder.count() + 1),
          qualifiedName(kernel).c_str(), static_cast<long long>(done),
          static_cast<unsigned long long>(blocks));
    };
  }

private:
  Runtime &runtime;
  llvm::StringRef kernel;
  uint64_t blocks;
  bool isOn, isShown = false;
  double next;
  /// Seconds before the first line, and between two.
  static constexpr double Patience = 1, Step = 0.25;
};
} // namespace

/// Blocks that the device holds at a time.
static uint64_t blocksPerWave(Runtime &runtime, const Kernel &kernel,
                              const LaunchRequest &request) {
  uint64_t threads =
      uint64_t(request.block.x) * request.block.y * request.block.z;
  BlockResources block =
      blockResources(runtime, kernel, threads, request.dynamicShared);
  uint64_t perSM = computeOccupancy(runtime.gpu(), block).activeBlocksPerSM;
  return perSM * static_cast<uint64_t>(runtime.gpu()[Q::SMCount]);
}

/// What the variables hold that enter the expressions of \p summary.
static std::vector<LaunchRecorder::Variable>
variablesOf(const KernelSummary &summary, const Kernel &kernel) {
  const Program &program = kernel.module->program();
  std::vector<LaunchRecorder::Variable> result;
  for (const Argument &variable : summary.variables)
    if (auto memory = program.variable(variable.name))
      result.push_back({variable.name,
                        {memory->begin, memory->sizeInBytes},
                        program.integersOf(variable.name)});
  return result;
}

static cuda::Error run(Runtime &runtime, const Kernel &kernel,
                       const LaunchRequest &request,
                       llvm::ArrayRef<char> parameters) {
  EmulationOptions how = options(runtime, request);
  uint64_t blocks = uint64_t(request.grid.x) * request.grid.y * request.grid.z;
  // Nobody else needs to know, and the summary need not be read then.
  if (how.profile || how.isCooperative)
    how.blocksPerWave = blocksPerWave(runtime, kernel, request);
  if (how.isCooperative && blocks > how.blocksPerWave)
    return CooperativeLaunchTooLarge;
  how.blocksPerWave = std::max<uint64_t>(1, how.blocksPerWave);
  LaunchShape shape{{request.grid.x, request.grid.y, request.grid.z},
                    {request.block.x, request.block.y, request.block.z}};
  double start = runtime.nowInSeconds();
  auto profile = [&] {
    ProgressLine progress(runtime, kernel.name, blocks);
    how.progress = progress.update();
    how.print = [&](llvm::StringRef text) {
      progress.clear();
      // In order with what the host prints.
      std::fwrite(text.data(), 1, text.size(), stdout);
    };
    return kernel.module->program().launch(
        kernel.name, shape, request.dynamicShared, parameters, how);
  }();
  runtime.emulatedInSeconds += runtime.nowInSeconds() - start;
  auto record = [&](const DynamicProfile &done) {
    if (const KernelSummary *summary = kernel.summary(); summary && how.profile)
      runtime.recorder.record(
          *summary, shape, request.dynamicShared,
          {parameters, kernel.info->parameters, variablesOf(*summary, kernel)},
          done);
  };
  if (profile) {
    record(*profile);
    return Success;
  }
  llvm::Error failure = llvm::handleErrors(
      profile.takeError(),
      [&](std::unique_ptr<EmulationFault> fault) -> llvm::Error {
        if (fault->profile)
          record(*fault->profile);
        return llvm::Error(std::move(fault));
      });
  return report(runtime, std::move(failure));
}

cuda::Error cuda::launch(Runtime &runtime, const void *shadow,
                         const LaunchRequest &request, void **arguments,
                         Stream *stream) {
  Kernel *kernel = nullptr;
  if (Error error = findKernel(runtime, shadow, kernel); error != Success)
    return error;
  if (Error error = check(runtime, *kernel, request); error != Success)
    return error;
  llvm::SmallVector<char, 256> parameters(kernel->info->parametersInBytes);
  for (auto [parameter, argument] :
       llvm::zip(kernel->info->parameters,
                 llvm::ArrayRef(arguments, kernel->info->parameters.size())))
    std::memcpy(parameters.data() + parameter.offset, argument,
                parameter.sizeInBytes);
  Stream *where = findStream(stream);
  if (!where)
    return InvalidResourceHandle;
  if (!where->capture)
    return run(runtime, *kernel, request, parameters);
  return enqueue(
      stream, [&runtime, kernel, request,
               parameters = std::string(parameters.begin(), parameters.end())] {
        return run(runtime, *kernel, request, parameters);
      });
}

AUSPEX_CUDA cuda::Error cudaLaunchKernel(const void *shadow, cuda::Dim3 grid,
                                         cuda::Dim3 block, void **arguments,
                                         size_t dynamicShared, Stream *stream) {
  return call([&](Runtime &runtime) {
    return launch(runtime, shadow, {grid, block, dynamicShared, false},
                  arguments, stream);
  });
}

AUSPEX_CUDA cuda::Error __cudaLaunchKernel(const void *shadow, cuda::Dim3 grid,
                                           cuda::Dim3 block, void **arguments,
                                           size_t dynamicShared,
                                           Stream *stream) {
  return cudaLaunchKernel(shadow, grid, block, arguments, dynamicShared,
                          stream);
}

AUSPEX_CUDA cuda::Error
cudaLaunchCooperativeKernel(const void *shadow, cuda::Dim3 grid,
                            cuda::Dim3 block, void **arguments,
                            size_t dynamicShared, Stream *stream) {
  return call([&](Runtime &runtime) {
    return launch(runtime, shadow, {grid, block, dynamicShared, true},
                  arguments, stream);
  });
}

AUSPEX_CUDA cuda::Error
cudaLaunchCooperativeKernelMultiDevice(CooperativeLaunchParameters *launches,
                                       unsigned count, unsigned) {
  return call([&](Runtime &runtime) {
    if (!launches || count != 1)
      return InvalidValue;
    return launch(
        runtime, launches->function,
        {launches->grid, launches->block, launches->dynamicSharedInBytes, true},
        launches->arguments, launches->stream);
  });
}

AUSPEX_CUDA cuda::Error
cudaLaunchKernelExC(const LaunchConfiguration *configuration,
                    const void *shadow, void **arguments) {
  return call([&](Runtime &runtime) {
    if (!configuration)
      return InvalidValue;
    LaunchRequest request{configuration->grid, configuration->block,
                          configuration->dynamicSharedInBytes, false};
    for (const LaunchAttribute &attribute : llvm::ArrayRef(
             configuration->attributes, configuration->attributeCount)) {
      if (attribute.id == LaunchAttribute::Cooperative)
        request.isCooperative = attribute.cooperative != 0;
      const cuda::Dim3 &cluster = attribute.cluster;
      if (attribute.id == LaunchAttribute::ClusterDimension &&
          (cluster.x > 1 || cluster.y > 1 || cluster.z > 1)) {
        complain("launches in clusters of blocks are not in this runtime "
                 "library");
        return NotSupported;
      }
    }
    return launch(runtime, shadow, request, arguments, configuration->stream);
  });
}
