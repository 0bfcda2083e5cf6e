// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nvml.h"

#include <dlfcn.h>

using namespace measure;

// From nvml.h: nvmlReturn_t is 0 for success, nvmlClockType_t is 1 for the SMs
// and 2 for the memory.
static constexpr int Success = 0, SMClock = 1, MemoryClock = 2;

template <class F> F Nvml::find(const char *name) const {
  return library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
}

Nvml::Nvml(const std::string &busId) {
  library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  auto init = find<int (*)()>("nvmlInit_v2");
  auto byBusId =
      find<int (*)(const char *, void **)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (!init || !byBusId || init() != Success ||
      byBusId(busId.c_str(), &device) != Success)
    device = nullptr;
}

std::optional<ClocksInMHz> Nvml::clocksBy(const char *function) const {
  auto get = find<int (*)(void *, int, unsigned *)>(function);
  ClocksInMHz clocks;
  if (!device || !get || get(device, SMClock, &clocks.core) != Success ||
      get(device, MemoryClock, &clocks.memory) != Success)
    return std::nullopt;
  return clocks;
}

std::optional<ClocksInMHz> Nvml::clocks() const {
  return clocksBy("nvmlDeviceGetClockInfo");
}

std::optional<ClocksInMHz> Nvml::highestClocks() const {
  return clocksBy("nvmlDeviceGetMaxClockInfo");
}

std::string Nvml::driver() const {
  auto get = find<int (*)(char *, unsigned)>("nvmlSystemGetDriverVersion");
  char version[80];
  if (!device || !get || get(version, sizeof(version)) != Success)
    return "";
  return version;
}
