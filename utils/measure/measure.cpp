// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the launches of the files in kernels/ and writes a record of each, a
// line of JSON: what `auspex validate` reads (docs/validate.md).
#include "measure.h"

#include "Nvml.h"
#include "Stopwatch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

using namespace measure;

static constexpr const char *Usage =
    "usage: measure [--once | --list] [-o FILE] [SET]...\n"
    "\n"
    "Measures kernels on the GPU and writes a record of each launch, one JSON\n"
    "object a line. A SET is a file of kernels without its ending; all are\n"
    "measured if none is named.\n"
    "\n"
    "  --once    launch each kernel once and take no times: for profilers\n"
    "  --list    launch nothing\n"
    "  -o FILE   write the records there and not to stdout\n"
    "\n"
    "Under a runtime library that emulates the GPU no times are taken "
    "either.\n";

// What Makefile says of how the kernels were compiled.
#ifndef MEASURE_COMPILER
#define MEASURE_COMPILER ""
#endif

void measure::check(cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  cudaGetLastError();
  throw Failure{std::string(call) + ": " + cudaGetErrorString(error)};
}

static std::vector<Set> &allSets() {
  static std::vector<Set> sets;
  return sets;
}

Set::Set(const char *file, void (*run)(Session &)) : run(run) {
  name = std::strrchr(file, '/') ? std::strrchr(file, '/') + 1 : file;
  source = "utils/measure/kernels/" + name;
  name = name.substr(0, name.rfind('.'));
  allSets().push_back(*this);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {

/// An object, member after member.
class Json {
public:
  Json &text(const std::string &key, const std::string &value) {
    std::string quoted = "\"";
    for (char c : value) {
      if (c == '"' || c == '\\')
        quoted += '\\';
      quoted += c;
    }
    return raw(key, quoted + '"');
  }
  Json &number(const std::string &key, double value) {
    std::ostringstream out;
    out.precision(9);
    out << value;
    return raw(key, out.str());
  }
  Json &sizes(const std::string &key, dim3 value) {
    std::ostringstream out;
    out << '[' << value.x << ", " << value.y << ", " << value.z << ']';
    return raw(key, out.str());
  }
  Json &object(const std::string &key, const Json &value) {
    return raw(key, value.str());
  }
  std::string str() const { return '{' + members + '}'; }

private:
  std::string members;

  Json &raw(const std::string &key, const std::string &value) {
    members += (members.empty() ? "\"" : ", \"") + key + "\": " + value;
    return *this;
  }
};

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Measures launches and writes their records.
class Recorder final : public Session {
public:
  /// Of the current device. Throws a Failure where there is none.
  Recorder(bool once, bool list, std::string command, std::ostream &out);
  ~Recorder() { cudaFree(cycles); }

  void run(const Set &set);

private:
  std::ostream &out;
  const Set *current = nullptr;
  bool isEmulated = false;
  std::unique_ptr<Nvml> nvml;
  std::unique_ptr<Stopwatch> stopwatch;
  std::optional<ClocksInMHz> highest;
  Json device, provenance;

  void describe(const std::string &command);
  void measure(const Job &job) override;
  void launch(const Job &job) const;
  void addTimes(const Job &job, Json &record);
};

} // namespace

Recorder::Recorder(bool once, bool list, std::string command, std::ostream &out)
    : out(out) {
  mode = list ? Mode::List : once ? Mode::Once : Mode::Measure;
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0)
    throw Failure{"there is no CUDA device"};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  constexpr char Emulator[16] = "Auspex emulator";
  isEmulated = !std::memcmp(&properties.uuid, Emulator, sizeof(Emulator));
  if (isEmulated && mode == Mode::Measure)
    mode = Mode::Once;
  char id[32];
  std::snprintf(id, sizeof(id), "%04x:%02x:%02x.0",
                static_cast<unsigned>(properties.pciDomainID),
                static_cast<unsigned>(properties.pciBusID),
                static_cast<unsigned>(properties.pciDeviceID));
  nvml = std::make_unique<Nvml>(id);
  if (launches())
    check(cudaMalloc(reinterpret_cast<void **>(&cycles), sizeof(*cycles)),
          "cudaMalloc");
  if (mode == Mode::Measure)
    stopwatch = std::make_unique<Stopwatch>(*this, *nvml);
  describe(command);
}

void Recorder::describe(const std::string &command) {
  device.number("sm_count", properties.multiProcessorCount)
      .number("l2_bytes", properties.l2CacheSize)
      .number("arch", 10 * properties.major + properties.minor);
  highest = nvml->highestClocks();
  if (highest)
    device.number("highest_mem_MHz", highest->memory);
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  char date[32];
  std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  provenance.text("command", command)
      .text("compiler", MEASURE_COMPILER)
      .number("runtime", runtime)
      .text("driver", nvml->driver())
      .text("date", date);
}

void Recorder::run(const Set &set) {
  current = &set;
  std::fprintf(stderr, "%s\n", set.name.c_str());
  try {
    set.run(*this);
  } catch (const Failure &failure) {
    std::fprintf(stderr, "%s: the rest is left out: %s\n", set.name.c_str(),
                 failure.message.c_str());
  }
}

void Recorder::launch(const Job &job) const {
  const Launch &launch = job.launch;
  check(cudaLaunchKernel(job.function, launch.grid, launch.block,
                         const_cast<void **>(job.arguments.data()),
                         launch.shared, nullptr),
        job.kernel.c_str());
}

void Recorder::addTimes(const Job &job, Json &record) {
  std::vector<long long> counts;
  Timing timing = stopwatch->time([&] { launch(job); }, job.launch.inARow,
                                  [&] {
                                    if (!job.countsCycles)
                                      return;
                                    check(cudaMemcpy(&counts.emplace_back(),
                                                     cycles, sizeof(*cycles),
                                                     cudaMemcpyDeviceToHost),
                                          "cudaMemcpy");
                                  });
  record.number("measured_ms", timing.median);
  if (timing.clocks) {
    record.number("core_MHz", timing.clocks->core);
    // At the highest one it is what descriptions are for, whether or not they
    // say which that is.
    if (!highest || timing.clocks->memory != highest->memory)
      record.number("mem_MHz", timing.clocks->memory);
  }
  if (!counts.empty()) {
    std::nth_element(counts.begin(), counts.begin() + counts.size() / 2,
                     counts.end());
    record.number("cycles", counts[counts.size() / 2]);
  }
  Json how;
  how.text("method", job.launch.inARow ? "CUDA events around launches in a row"
                                       : "CUDA events around a launch, L2 cold")
      .number("launches", std::max(job.launch.inARow, 1))
      .number("samples", timing.samples)
      .number("low_ms", timing.low)
      .number("high_ms", timing.high);
  record.object("timing", how);
}

void Recorder::measure(const Job &job) {
  const Launch &sizes = job.launch;
  Json problem, compiled, record;
  for (const auto &[name, value] : job.integers)
    problem.number(name, value);
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, job.function),
        "cudaFuncGetAttributes");
  compiled.number("regs", attributes.numRegs)
      .number("static_smem_bytes", attributes.sharedSizeBytes)
      .number("local_bytes", attributes.localSizeBytes);
  if (sizes.shared + attributes.sharedSizeBytes > properties.sharedMemPerBlock)
    check(cudaFuncSetAttribute(job.function,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(sizes.shared)),
          "cudaFuncSetAttribute");

  record.text("gpu", properties.name)
      .text("kernel", job.kernel)
      .text("source_path", current->source)
      .object("problem", problem)
      .sizes("grid", sizes.grid)
      .sizes("block", sizes.block)
      .number("dyn_smem", sizes.shared);
  if (mode == Mode::Once) {
    launch(job);
    check(cudaDeviceSynchronize(), job.kernel.c_str());
  }
  record.text("status", mode == Mode::Measure ? "ok"
                        : mode == Mode::List  ? "listed"
                        : isEmulated          ? "emulated"
                                              : "launched");
  if (mode == Mode::Measure)
    addTimes(job, record);
  record.object("compiled", compiled)
      .object("device", device)
      .object("provenance", provenance);
  out << record.str() << std::endl;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

int main(int argc, char **argv) {
  std::vector<Set> &sets = allSets();
  std::sort(sets.begin(), sets.end(),
            [](const Set &a, const Set &b) { return a.name < b.name; });
  bool once = false, list = false;
  std::string command = "measure", path;
  std::vector<const Set *> chosen;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    command += ' ' + word;
    auto set = std::find_if(sets.begin(), sets.end(),
                            [&](const Set &s) { return s.name == word; });
    if (word == "--help") {
      std::fputs(Usage, stdout);
      std::printf("\nsets:");
      for (const Set &known : sets)
        std::printf(" %s", known.name.c_str());
      std::printf("\n");
      return 0;
    }
    if (word == "--once")
      once = true;
    else if (word == "--list")
      list = true;
    else if (word == "-o" && i + 1 < argc)
      command += ' ' + (path = argv[++i]);
    else if (set != sets.end())
      chosen.push_back(&*set);
    else
      return fail("'" + word + "' is no option and no set; see --help");
  }
  if (chosen.empty())
    for (const Set &set : sets)
      chosen.push_back(&set);
  std::ofstream file;
  if (!path.empty()) {
    file.open(path);
    if (!file)
      return fail(path + " cannot be written");
  }
  try {
    Recorder recorder(once, list, command, path.empty() ? std::cout : file);
    for (const Set *set : chosen)
      recorder.run(*set);
  } catch (const Failure &failure) {
    return fail(failure.message);
  }
  return 0;
}
