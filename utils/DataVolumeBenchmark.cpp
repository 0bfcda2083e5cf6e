// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the data-volume model costs: microseconds a configuration, as a sweep
// over block sizes would pay them, and how they grow with the threads.
//
//   ninja -C build data-volume-benchmark && build/bin/data-volume-benchmark
//
// "read" is the model's input document parsed and checked, "evaluate" all
// volumes and the rate. Each is the least of several rounds over many block
// sizes on one core. The paper's tool takes 1 s of CPU for a configuration of
// 3D25pt and 0.06 s for one of 2D5pt. Nothing is judged by the exit status: it
// is no test.

#include "auspex/Model/DataVolume.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <set>

using namespace auspex;
using Triple = std::array<int64_t, 3>;

namespace {
struct Kernel {
  llvm::StringRef name;
  Triple domain, extents;
  int64_t radius;
  unsigned dimensions;
  Triple fold;
  double paperInUs; ///< 0: not known
};

const Kernel kernels[] = {
    {"3D25pt", {640, 512, 512}, {640, 512, 512}, 4, 3, {1, 1, 1}, 1e6},
    {"3D25pt, 2y", {640, 512, 512}, {640, 512, 512}, 4, 3, {1, 2, 1}, 1e6},
    {"3D25pt, odd", {633, 505, 505}, {641, 513, 513}, 4, 3, {1, 1, 1}, 1e6},
    {"3D7pt", {640, 512, 512}, {640, 512, 512}, 1, 3, {1, 1, 1}, 0},
    {"2D5pt", {15000, 15000, 1}, {15002, 15002, 1}, 1, 2, {1, 1, 1}, 6e4},
    {"1D copy", {1 << 21, 1, 1}, {1 << 21, 1, 1}, 0, 1, {1, 1, 1}, 0}};

std::string subscript(llvm::StringRef name, int64_t factor, int64_t offset) {
  return llvm::formatv("\"{0}*{1}+({2})\"", name, factor, offset);
}

std::string access(const Kernel &kernel, const Triple &offset) {
  return "[" + subscript("tidx", kernel.fold[0], offset[0]) + ", " +
         subscript("tidy", kernel.fold[1], offset[1]) + ", " +
         subscript("tidz", kernel.fold[2], offset[2]) + "]";
}

/// The accesses of a star around each cell of the fold; a fold in one direction
/// is enough here.
std::string star(const Kernel &kernel, int64_t radius) {
  std::set<Triple> offsets;
  for (int64_t x = 0; x < kernel.fold[0]; ++x)
    for (int64_t y = 0; y < kernel.fold[1]; ++y)
      for (int64_t z = 0; z < kernel.fold[2]; ++z)
        for (unsigned axis = 0; axis < kernel.dimensions; ++axis)
          for (int64_t r = -radius; r <= radius; ++r) {
            Triple offset{x, y, z};
            offset[axis] += r;
            offsets.insert(offset);
          }
  std::string text;
  for (const Triple &offset : offsets)
    text += (text.empty() ? "" : ", ") + access(kernel, offset);
  return text;
}

std::string list(const Triple &values) {
  return llvm::formatv("[{0}, {1}, {2}]", values[0], values[1], values[2]);
}

std::string documentText(const Kernel &kernel, const Triple &block) {
  std::string field = "\"extents\": " + list(kernel.extents) +
                      ", \"alignment\": " + std::to_string(kernel.radius);
  return "{\"device\": \"V100\", \"domain\": " + list(kernel.domain) +
         ", \"block\": " + list(block) + ", \"fold\": " + list(kernel.fold) +
         ", \"registers\": 32, \"elementBytes\": 8, \"fields\": [" +
         "{\"name\": \"A\", " + field + ", \"loads\": [" +
         star(kernel, kernel.radius) + "]}, {\"name\": \"B\", " + field +
         ", \"stores\": [" + star(kernel, 0) + "]}]}";
}

DataVolumeInput read(llvm::StringRef text) {
  Node document = llvm::cantFail(parseDocument(text, "benchmark"));
  return llvm::cantFail(readDataVolumeInput(document));
}

/// Blocks of 64 to 1024 threads.
std::vector<Triple> blocksFor(const Kernel &kernel) {
  std::vector<Triple> blocks;
  for (int64_t x = 1; x <= 1024; x *= 2)
    for (int64_t y = 1; y <= (kernel.dimensions > 1 ? 1024 : 1); y *= 2)
      for (int64_t z = 1; z <= (kernel.dimensions > 2 ? 64 : 1); z *= 2)
        if (x * y * z >= 64 && x * y * z <= 1024)
          blocks.push_back({x, y, z});
  return blocks;
}

double sink = 0;

void evaluate(const DataVolumeInput &input) {
  auto output = llvm::cantFail(evaluateDataVolume(input));
  sink += output.prediction ? output.prediction->glups() : 0;
}

/// The least of some rounds, in microseconds.
template <typename Work> double timeInUs(Work work, unsigned repeats = 1) {
  double least = INFINITY;
  for (unsigned round = 0; round < 9; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < repeats; ++i)
      work();
    std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count() / repeats);
  }
  return least;
}

void measureKernel(const Kernel &kernel) {
  std::vector<DataVolumeInput> inputs;
  std::vector<std::string> texts;
  for (const Triple &block : blocksFor(kernel)) {
    texts.push_back(documentText(kernel, block));
    inputs.push_back(read(texts.back()));
  }
  auto count = static_cast<double>(inputs.size());
  double mean = timeInUs([&] {
                  for (const DataVolumeInput &input : inputs)
                    evaluate(input);
                }) /
                count;
  double reading = timeInUs([&] {
                     for (const std::string &text : texts)
                       sink += static_cast<double>(read(text).registers);
                   }) /
                   count;
  double worst = 0;
  for (const DataVolumeInput &input : inputs)
    worst = std::max(worst, timeInUs([&] { evaluate(input); }, 20));
  std::string ratio =
      kernel.paperInUs ? llvm::formatv("{0:f0}", kernel.paperInUs / mean).str()
                       : std::string("-");
  llvm::outs() << llvm::formatv(
      "{0,-13}{1,8}{2,14:f1}{3,12:f1}{4,10:f1}{5,14}\n", kernel.name,
      inputs.size(), mean, worst, reading, ratio);
}

/// The same block over larger and larger cubes whose rows begin at lines; in
/// those of odd width, whose blocks differ, it takes up to twice the time.
void measureGrowth() {
  llvm::outs() << "\n3D25pt, block 32 x 4 x 4\nthreads        evaluate, us\n";
  for (double threads = 1e5; threads < 2e9; threads *= 10) {
    int64_t side = std::lround(std::cbrt(threads) / 16) * 16;
    Kernel kernel = kernels[0];
    kernel.domain = kernel.extents = {side, side, side};
    DataVolumeInput input = read(documentText(kernel, {32, 4, 4}));
    double cells = std::pow(static_cast<double>(side), 3);
    llvm::outs() << llvm::formatv("{0,-15:e1}{1,12:f1}\n", cells,
                                  timeInUs([&] { evaluate(input); }, 200));
  }
}
} // namespace

int main() {
  llvm::outs() << llvm::formatv("{0,-13}{1,8}{2,14}{3,12}{4,10}{5,14}\n",
                                "kernel", "blocks", "evaluate, us", "worst, us",
                                "read, us", "paper / mean");
  for (const Kernel &kernel : kernels)
    measureKernel(kernel);
  measureGrowth();
  return sink == 0;
}
