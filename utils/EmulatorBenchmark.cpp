// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the emulator runs with all statistics on one core and on two:
// million thread instructions a second, beside the instructions that were
// executed; and how much memory it took beside what the program allocated, of
// which it should be at most half as much and 100 MB more.
//
//   ninja -C build emulator-benchmark && build/bin/emulator-benchmark [kernel]
//
// The kernels are utils/EmulatorKernels/kernels.cu as IR. Each rate is the best
// of several launches. Nothing is judged by the exit status: it is no test.

#include "auspex/Emulator/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>
#include <random>
#include <sys/resource.h>

using namespace auspex;

namespace {

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Benchmark {
public:
  explicit Benchmark(const char *file) {
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyFile(file, diagnostic, *context);
    if (!module) {
      diagnostic.print("emulator-benchmark", llvm::errs());
      std::exit(2);
    }
    program = llvm::cantFail(
        Program::create(std::move(context), std::move(module), memory));
    options.blocksPerWave = 108 * 4;
  }

  template <class T> T *upload(const std::vector<T> &values) {
    auto *begin = static_cast<T *>(memory.allocate(values.size() * sizeof(T)));
    std::copy(values.begin(), values.end(), begin);
    return begin;
  }

  template <class... Arguments>
  void run(llvm::StringRef kernel, Dim3 grid, Dim3 block,
           Arguments... arguments) {
    if (!only.empty() && kernel != only)
      return;
    std::vector<char> buffer;
    [[maybe_unused]] auto add = [&](auto argument) {
      size_t at = (buffer.size() + sizeof(argument) - 1) / sizeof(argument) *
                  sizeof(argument);
      buffer.resize(at + sizeof(argument));
      std::memcpy(buffer.data() + at, &argument, sizeof(argument));
    };
    (add(arguments), ...);
    double first = 0, best[2] = {1e30, 1e30};
    DynamicProfile profile;
    constexpr double LongEnough = 1;
    for (unsigned threads : {1, 2}) {
      options.threads = threads;
      double begin = now();
      for (unsigned round = 0; round < 3 || now() - begin < LongEnough;
           ++round) {
        double start = now();
        profile = llvm::cantFail(
            program->launch(kernel, {grid, block}, 0, buffer, options));
        double spent = now() - start;
        if (threads == 1 && round == 0)
          first = spent;
        best[threads - 1] = std::min(best[threads - 1], spent);
      }
    }
    double instructions = static_cast<double>(profile.threadInstructions);
    double lanes =
        instructions /
        static_cast<double>(std::max<uint64_t>(1, profile.warpInstructions));
    llvm::outs() << llvm::formatv(
        "{0,-12} {1,15:N0} {2,6:F1} {3,11:F1} {4,11:F1} {5,9:F0} {6,10:F0}\n",
        kernel, profile.threadInstructions, lanes, first * 1e6, best[0] * 1e6,
        instructions / best[0] / 1e6, instructions / best[1] / 1e6);
  }

  void printMemory() const {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    constexpr double MB = 1 << 20;
    double allocated = static_cast<double>(memory.usedInBytes()) / MB;
    llvm::outs() << llvm::formatv(
        "memory: {0:F0} MB at most, of which {1:F0} MB are the program's; the "
        "aim is at most {2:F0} MB\n",
        static_cast<double>(usage.ru_maxrss) * 1024 / MB, allocated,
        1.5 * allocated + 100);
  }

  /// The kernel to run; all if empty.
  llvm::StringRef only;

private:
  DeviceMemory memory;
  EmulationOptions options;
  std::unique_ptr<Program> program;
};

/// Rows whose lengths follow a power law: most are short, a few are long.
struct SparseMatrix {
  std::vector<int> begins{0}, columns;

  explicit SparseMatrix(int rows) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int row = 0; row < rows; ++row) {
      double length = 2 / std::pow(1 - uniform(random), 0.7);
      for (int i = 0; i < std::min(length, 2000.0); ++i)
        columns.push_back(static_cast<int>(random() % rows));
      begins.push_back(static_cast<int>(columns.size()));
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  Benchmark benchmark(AUSPEX_KERNELS);
  if (argc > 1)
    benchmark.only = argv[1];
  llvm::outs() << "kernel          instructions  lanes    first us     best us"
                  "  million/s  2 threads\n";
  constexpr int n = 1 << 20;
  float *x = benchmark.upload(std::vector<float>(n, 1));
  float *y = benchmark.upload(std::vector<float>(n, 2));
  benchmark.run("saxpy", {n / 256, 1, 1}, {256, 1, 1}, x, y, 0.5f, n);

  constexpr int size = 512;
  float *a = benchmark.upload(std::vector<float>(size * size, 1));
  float *b = benchmark.upload(std::vector<float>(size * size, 2));
  float *c = benchmark.upload(std::vector<float>(size * size, 0));
  benchmark.run("tiled16", {size / 16, size / 16, 1}, {16, 16, 1}, a, b, c,
                size);
  benchmark.run("tiled32", {size / 32, size / 32, 1}, {32, 32, 1}, a, b, c,
                size);

  std::mt19937 random(2);
  std::vector<int> steps(n);
  for (int &step : steps)
    step = static_cast<int>(random() % 100);
  int *deviceSteps = benchmark.upload(steps);
  int *results = benchmark.upload(std::vector<int>(n));
  benchmark.run("divergent", {n / 4 / 256, 1, 1}, {256, 1, 1}, deviceSteps,
                results, n / 4);

  std::vector<unsigned> pixels(n);
  for (unsigned &pixel : pixels)
    pixel = static_cast<unsigned>(random());
  unsigned *devicePixels = benchmark.upload(pixels);
  unsigned *counts = benchmark.upload(std::vector<unsigned>(1024));
  benchmark.run("histogram", {128, 1, 1}, {256, 1, 1}, devicePixels, n, counts);

  constexpr int rows = 1 << 16;
  SparseMatrix matrix(rows);
  int *begins = benchmark.upload(matrix.begins);
  int *columns = benchmark.upload(matrix.columns);
  float *values =
      benchmark.upload(std::vector<float>(matrix.columns.size(), 1));
  benchmark.run("spmv", {rows / 256, 1, 1}, {256, 1, 1}, begins, columns,
                values, x, y, rows);
  benchmark.run("spmvWarp", {rows / 8, 1, 1}, {256, 1, 1}, begins, columns,
                values, x, y, rows);

  // What a launch costs beside its work.
  benchmark.run("empty", {1, 1, 1}, {32, 1, 1});
  benchmark.run("saxpy", {1, 1, 1}, {256, 1, 1}, x, y, 0.5f, 256);
  benchmark.printMemory();
}
