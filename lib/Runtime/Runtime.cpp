// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime.h"

#include "Signals.h"

#include "auspex/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace auspex;
using namespace auspex::cuda;
using llvm::StringRef;

void cuda::complain(const llvm::Twine &message) {
  std::fflush(stdout);
  std::string text = ("auspex: " + message + "\n").str();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// The program has not started; there is nobody to return an error to.
[[noreturn]] static void refuse(const llvm::Twine &message) {
  complain(message);
  constexpr int BadInput = 2;
  std::_Exit(BadInput);
}

template <class T>
static void readNumber(const char *variable, T &value, StringRef what) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return;
  std::optional<double> number = parseNumber(text);
  if (!number || !std::isfinite(*number) || *number < 0)
    refuse(llvm::Twine(variable) + "=" + text + ": expected " + what);
  value = static_cast<T>(*number);
}

Settings Settings::fromEnvironment() {
  Settings settings;
  for (auto [variable, value] : {std::pair("AUSPEX_GPU", &settings.gpu),
                                 {"AUSPEX_RUN_RECORD", &settings.runRecord}})
    if (const char *text = std::getenv(variable))
      *value = text;
  readNumber("AUSPEX_THREADS", settings.threads, "a number of threads");
  readNumber("AUSPEX_TIME_LIMIT", settings.timeLimitInSeconds,
             "a number of seconds");
  readNumber("AUSPEX_SAMPLE_BLOCKS", settings.sampleBlocks,
             "a number of blocks");
  settings.threads = std::max(1u, settings.threads);
  // The emulator reads it.
  if (const char *text = std::getenv("AUSPEX_EMULATOR_ISA"))
    if (StringRef isa = text; isa != "sse2" && isa != "avx2" && !isa.empty())
      refuse("AUSPEX_EMULATOR_ISA=" + isa + ": expected sse2 or avx2");
  return settings;
}

/// Runs after what the program itself does at its end.
static void writeRecordAtExit() {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  if (runtime.recorder.isOn())
    runtime.recorder.setGpu(runtime.gpu().name);
  runtime.recorder.write();
}

Runtime::Runtime()
    : settings(Settings::fromEnvironment()), recorder(settings.runRecord) {
  if (!recorder.isOn())
    return;
  std::atexit(writeRecordAtExit);
  writeRecordOnSignals(*this);
}

Runtime &Runtime::get() {
  static Runtime *runtime = new Runtime;
  return *runtime;
}

const GPU &Runtime::gpu() {
  if (description)
    return *description;
  constexpr unsigned DefaultArch = 80;
  std::string name = settings.gpu;
  if (name.empty())
    name = "sm_" + std::to_string(codeArch ? codeArch : DefaultArch);
  llvm::Expected<GPU> found = findGPU(name);
  if (!found)
    refuse((settings.gpu.empty() ? "" : "AUSPEX_GPU: ") +
           llvm::toString(found.takeError()));
  description = std::move(*found);
  recorder.setGpu(description->name);
  constexpr double BytesPerGB = 1e9, UnknownInGB = 16;
  memory.limitInBytes = static_cast<uint64_t>(
      description->valueOr(Q::DramSize, UnknownInGB) * BytesPerGB);
  return *description;
}

void Runtime::fail(Error error) {
  sticky = error;
  // Programs that check errors end now, and not always by exit().
  recorder.write();
}

std::optional<MemoryKind> Runtime::kindOf(const void *pointer) const {
  std::optional<Allocation> allocation = memory.find(pointer);
  if (!allocation)
    return std::nullopt;
  auto found = kinds.find(allocation->begin);
  return found == kinds.end() ? MemoryKind::Device : found->second;
}

double Runtime::nowInSeconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

Error cuda::notThere(const char *function) {
  complain(llvm::Twine(function) + " is not in this runtime library");
  return note(NotSupported);
}
