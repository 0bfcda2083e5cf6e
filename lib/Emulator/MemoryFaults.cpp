// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryFaults.h"

#include "Launch.h"
#include "ProgramCode.h"

using namespace auspex;
using namespace auspex::emulator;

static llvm::StringRef verbOf(const Operation *op, const Warp &warp) {
  const Code &code = *warp.top->code;
  switch (code.accesses[op->index - code.firstAccess].kind) {
  case AccessKind::Load:
    return "reads";
  case AccessKind::Store:
    return "writes";
  case AccessKind::Atomic:
    return "does an atomic operation on";
  }
  return "accesses";
}

static std::string describe(const Allocation &allocation) {
  std::string size = std::to_string(allocation.sizeInBytes) + " bytes";
  if (!allocation.name.empty())
    return "the variable '" + allocation.name + "' of " + size;
  return (allocation.isHost ? "host memory of " : "an allocation of ") + size;
}

/// What is near an address that is nowhere.
static std::string describePlace(const Warp &warp, uint64_t address,
                                 unsigned bytes) {
  constexpr uint64_t NullPage = 4096;
  if (address == 0)
    return "at a null pointer";
  if (address < NullPage)
    return std::to_string(address) + " bytes after a null pointer";
  const LaunchRun &launch = *warp.context->launch;
  auto beyond = [&](uint64_t begin, uint64_t size, const std::string &what) {
    uint64_t end = begin + size;
    if (address >= end)
      return std::to_string(address - end) + " bytes after the end of " + what;
    if (address < begin)
      return std::to_string(begin - address) + " bytes before " + what;
    return std::to_string(address + bytes - end) + " bytes past the end of " +
           what;
  };
  auto isNear = [&](uint64_t begin, uint64_t size) {
    constexpr uint64_t Near = uint64_t(1) << 20;
    return address + Near >= begin && address <= begin + size + Near;
  };
  auto shared = reinterpret_cast<uint64_t>(warp.block->shared);
  if (launch.sharedInBytes != 0 && isNear(shared, launch.sharedInBytes))
    return beyond(shared, launch.sharedInBytes,
                  "the block's shared memory of " +
                      std::to_string(launch.sharedInBytes) + " bytes");
  // The allocation before it, or after it if that is nearer.
  const Allocation *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  std::vector<Allocation> all = launch.program->memory.snapshot().allocations;
  for (const Allocation &allocation : all) {
    auto begin = reinterpret_cast<uint64_t>(allocation.begin);
    uint64_t end = begin + allocation.sizeInBytes;
    uint64_t away = address >= end    ? address - end
                    : address < begin ? begin - address
                                      : 0;
    if (away < distance) {
      distance = away;
      nearest = &allocation;
    }
  }
  if (!nearest)
    return "outside of all memory: nothing is allocated";
  return beyond(reinterpret_cast<uint64_t>(nearest->begin),
                nearest->sizeInBytes, describe(*nearest));
}

void emulator::misalignedFault(const Operation *op, Warp &warp,
                               const uint64_t *pointers, unsigned bytes) {
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    uint64_t address = pointers[lane] + static_cast<uint64_t>(op->immediate);
    if ((address & (op->second - 1)) == 0)
      continue;
    warp.fault(op, EmulationFault::Kind::MisalignedAddress, lane,
               (verbOf(op, warp) + " " + llvm::Twine(bytes) +
                " bytes at an address that is " +
                llvm::Twine(address % op->second) + " past a multiple of " +
                llvm::Twine(op->second))
                   .str());
    return;
  }
}

bool emulator::spansRanges(const Operation *op, Warp &warp,
                           const uint64_t *pointers, unsigned bytes) {
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    uint64_t address = pointers[lane] + static_cast<uint64_t>(op->immediate);
    MemoryRange range = warp.context->findRange(warp, address, address + bytes);
    if (range.kind != MemoryRange::Kind::None)
      continue;
    warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
               (verbOf(op, warp) + " " + llvm::Twine(bytes) + " bytes " +
                describePlace(warp, address, bytes))
                   .str());
    return false;
  }
  return true;
}

void emulator::countSpanning(const Operation *op, Warp &warp,
                             AccessState &state, const uint64_t *pointers,
                             unsigned bytes) {
  const MemoryGranularity &granularity =
      warp.context->launch->options->granularity;
  unsigned shift = llvm::countr_zero(granularity.sectorInBytes);
  uint64_t addresses[Lanes];
  for (unsigned lane = 0; lane < Lanes; ++lane)
    addresses[lane] = pointers[lane] + static_cast<uint64_t>(op->immediate);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    uint64_t address = addresses[llvm::countr_zero(lanes)];
    MemoryRange range = warp.context->findRange(warp, address, address + bytes);
    if (range.sectors)
      for (uint64_t sector = address >> shift;
           sector <= (address + bytes - 1) >> shift; ++sector)
        state.newSectors +=
            range.sectors->touch(sector - (range.begin >> shift), 1);
  }
  state.count(countSlowly(addresses, warp.active, bytes, granularity), 1);
}
