// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of the emulated device. A device pointer is a host pointer, so
/// that casts between address spaces and copies between host and device cost
/// nothing; what is known beside that is where allocations begin and end.
#ifndef AUSPEX_EMULATOR_DEVICEMEMORY_H
#define AUSPEX_EMULATOR_DEVICEMEMORY_H

#include "auspex/Emulator/Textures.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

struct Allocation {
  char *begin = nullptr;
  uint64_t sizeInBytes = 0;
  /// The name of a device variable; empty for what the program allocated.
  std::string name;
  /// Memory of the host that the device may use.
  bool isHost = false;

  char *end() const { return begin + sizeInBytes; }
};

/// Safe to use from several threads of the host.
class DeviceMemory {
public:
  /// cudaMalloc aligns to this; what is counted may depend on an address modulo
  /// the other, which is as large as a model that knows no addresses takes it
  /// to be.
  static constexpr uint64_t Alignment = 256, PlaceAlignment = 1024;
  /// Memory that begins at such a place, for std::free; null if there is none.
  static char *place(uint64_t sizeInBytes);

  ~DeviceMemory();

  /// \p limitInBytes is the memory of the device; null if it does not suffice.
  void *allocate(uint64_t sizeInBytes);
  /// False if \p pointer is not the beginning of an allocation.
  bool release(void *pointer);
  /// Releases all that allocate() gave; what somebody else owns stays.
  void releaseAll();
  /// Memory that somebody else owns (variables, pinned and managed memory).
  void add(const Allocation &allocation);
  void remove(void *begin);

  /// The allocation that \p pointer points into.
  std::optional<Allocation> find(const void *pointer) const;

  TextureTable textures;

  uint64_t limitInBytes = ~uint64_t(0);
  uint64_t usedInBytes() const;

  /// Grows with every change.
  uint64_t epoch() const { return changes.load(std::memory_order_acquire); }
  /// All allocations at a time, in order of address.
  struct Snapshot {
    uint64_t epoch = ~uint64_t(0);
    std::vector<Allocation> allocations;
  };
  Snapshot snapshot() const;

private:
  mutable std::mutex mutex;
  std::map<char *, Allocation> byBegin;
  /// Beginnings of what was allocated here.
  std::map<char *, uint64_t> own;
  uint64_t used = 0;
  std::atomic<uint64_t> changes{0};
};

} // namespace auspex

#endif
