// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Emulator/DeviceMemory.h"

#include <cstdlib>

using namespace auspex;

DeviceMemory::~DeviceMemory() { releaseAll(); }

char *DeviceMemory::place(uint64_t sizeInBytes) {
  void *memory = nullptr;
  uint64_t size = std::max<uint64_t>(sizeInBytes, 1);
  return posix_memalign(&memory, PlaceAlignment, size) == 0
             ? static_cast<char *>(memory)
             : nullptr;
}

void *DeviceMemory::allocate(uint64_t sizeInBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t size =
      std::max(Alignment, (sizeInBytes + Alignment - 1) & ~(Alignment - 1));
  if (size < sizeInBytes || size > limitInBytes || used > limitInBytes - size)
    return nullptr;
  char *begin = place(size);
  if (!begin)
    return nullptr;
  Allocation allocation;
  allocation.begin = begin;
  allocation.sizeInBytes = sizeInBytes;
  byBegin[begin] = allocation;
  own[begin] = size;
  used += size;
  ++changes;
  return begin;
}

bool DeviceMemory::release(void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = own.find(static_cast<char *>(pointer));
  if (found == own.end())
    return false;
  used -= found->second;
  byBegin.erase(found->first);
  std::free(found->first);
  own.erase(found);
  ++changes;
  return true;
}

void DeviceMemory::releaseAll() {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[begin, size] : own) {
    byBegin.erase(begin);
    std::free(begin);
  }
  own.clear();
  used = 0;
  ++changes;
}

void DeviceMemory::add(const Allocation &allocation) {
  std::lock_guard<std::mutex> lock(mutex);
  byBegin[allocation.begin] = allocation;
  ++changes;
}

void DeviceMemory::remove(void *begin) {
  std::lock_guard<std::mutex> lock(mutex);
  byBegin.erase(static_cast<char *>(begin));
  ++changes;
}

std::optional<Allocation> DeviceMemory::find(const void *pointer) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto *address = static_cast<char *>(const_cast<void *>(pointer));
  auto after = byBegin.upper_bound(address);
  if (after == byBegin.begin())
    return std::nullopt;
  const Allocation &allocation = std::prev(after)->second;
  if (address >= allocation.end())
    return std::nullopt;
  return allocation;
}

uint64_t DeviceMemory::usedInBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  return used;
}

DeviceMemory::Snapshot DeviceMemory::snapshot() const {
  std::lock_guard<std::mutex> lock(mutex);
  Snapshot now;
  now.epoch = epoch();
  now.allocations.reserve(byBegin.size());
  for (const auto &[begin, allocation] : byBegin)
    now.allocations.push_back(allocation);
  return now;
}
