// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the driver's management library says while a program runs, where there
/// is one. It is loaded at run time, so that programs build without a driver.
#ifndef AUSPEX_MEASURE_NVML_H
#define AUSPEX_MEASURE_NVML_H

#include <optional>
#include <string>

namespace measure {

/// In MHz, as nvidia-smi states them.
struct ClocksInMHz {
  unsigned core, memory;
};

class Nvml {
public:
  /// Of the GPU at this place of the PCI bus: "0000:3b:00.0".
  explicit Nvml(const std::string &busId);

  /// At this moment; nothing without the library.
  std::optional<ClocksInMHz> clocks() const;
  /// The highest there are.
  std::optional<ClocksInMHz> highestClocks() const;
  /// The version of the driver; empty without the library.
  std::string driver() const;

private:
  void *library = nullptr;
  void *device = nullptr;

  template <class F> F find(const char *name) const;
  std::optional<ClocksInMHz> clocksBy(const char *function) const;
};

} // namespace measure

#endif
