// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryFaults.h"

#include "Launch.h"
#include "ProgramCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

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

namespace {
/// A piece of memory that an address is near to.
struct Neighbour {
  uint64_t begin = 0, end = 0;
  std::string name;

  uint64_t distanceTo(uint64_t address) const {
    return address >= end    ? address - end
           : address < begin ? begin - address
                             : 0;
  }
  std::string place(uint64_t address, unsigned bytes) const {
    if (address >= end)
      return std::to_string(address - end) + " bytes after the end of " + name;
    if (address < begin)
      return std::to_string(begin - address) + " bytes before " + name;
    return std::to_string(address + bytes - end) + " bytes past the end of " +
           name;
  }
};
} // namespace

/// The address space that the code names; 0 if it may be any.
static unsigned spaceOf(const Operation *op, const Warp &warp) {
  const llvm::Instruction *instruction = warp.top->code->origin(op);
  const llvm::Value *pointer = llvm::getPointerOperand(instruction);
  return pointer ? pointer->getType()->getPointerAddressSpace() : 0;
}

/// What is near an address that is nowhere.
static std::string describePlace(const Operation *op, const Warp &warp,
                                 uint64_t address, unsigned bytes) {
  constexpr uint64_t NullPage = 4096;
  if (address == 0)
    return "at a null pointer";
  if (address < NullPage)
    return std::to_string(address) + " bytes after a null pointer";
  const LaunchRun &launch = *warp.context->launch;
  std::vector<Neighbour> neighbours;
  unsigned space = spaceOf(op, warp);
  bool mayBeShared = space == llvm::NVPTXAS::ADDRESS_SPACE_GENERIC ||
                     space == llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
  if (launch.sharedInBytes != 0 && mayBeShared) {
    auto begin = reinterpret_cast<uint64_t>(warp.block->shared);
    neighbours.push_back({begin, begin + launch.sharedInBytes,
                          "the block's shared memory of " +
                              std::to_string(launch.sharedInBytes) + " bytes"});
  }
  if (neighbours.empty() || space == llvm::NVPTXAS::ADDRESS_SPACE_GENERIC)
    for (const Allocation &allocation :
         launch.program->memory.snapshot().allocations) {
      auto begin = reinterpret_cast<uint64_t>(allocation.begin);
      neighbours.push_back(
          {begin, begin + allocation.sizeInBytes, describe(allocation)});
    }
  if (neighbours.empty())
    return "outside of all memory: nothing is allocated";
  return llvm::min_element(neighbours,
                           [&](const Neighbour &a, const Neighbour &b) {
                             return a.distanceTo(address) <
                                    b.distanceTo(address);
                           })
      ->place(address, bytes);
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
                describePlace(op, warp, address, bytes))
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
