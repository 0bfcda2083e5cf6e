// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of bytes, and what calls out: printf, assert, malloc.
#include "Handlers.h"
#include "Launch.h"
#include "Printf.h"
#include "ProgramCode.h"
#include "Slots.h"

#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

static const Operation *countAccess(const Operation *op, Warp &warp) {
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  return requestFunction()(op, warp, pointers, op->operands[3]) ? op + 1
                                                                : nullptr;
}

/// Whether every byte that the active lanes copy is theirs.
static bool checkBytes(const Operation *op, Warp &warp,
                       const uint64_t *pointers, const uint64_t *sizes,
                       llvm::StringRef verb) {
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    uint64_t begin = pointers[lane], size = sizes[lane];
    if (size == 0 || warp.context->findRange(warp, begin, begin + size).kind !=
                         MemoryRange::Kind::None)
      continue;
    warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
               (verb + " " + llvm::Twine(size) +
                " bytes that are not all in one allocation")
                   .str());
    return false;
  }
  return true;
}

static const Operation *copyBytes(const Operation *op, Warp &warp) {
  const uint64_t *to = slot<uint64_t>(warp, op->operands[0]);
  const uint64_t *from = slot<uint64_t>(warp, op->operands[1]);
  const uint64_t *sizes = slot<uint64_t>(warp, op->operands[2]);
  if (op->count && (!checkBytes(op, warp, from, sizes, "copies") ||
                    !checkBytes(op, warp, to, sizes, "copies to")))
    return nullptr;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    std::memmove(reinterpret_cast<char *>(to[lane]),
                 reinterpret_cast<const char *>(from[lane]), sizes[lane]);
  }
  return op + 1;
}

static const Operation *fillBytes(const Operation *op, Warp &warp) {
  const uint64_t *to = slot<uint64_t>(warp, op->operands[0]);
  const uint8_t *values = slot<uint8_t>(warp, op->operands[1]);
  const uint64_t *sizes = slot<uint64_t>(warp, op->operands[2]);
  if (op->count && !checkBytes(op, warp, to, sizes, "fills"))
    return nullptr;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    std::memset(reinterpret_cast<char *>(to[lane]), values[lane], sizes[lane]);
  }
  return op + 1;
}

/// A string in memory of the device, cut at what is allocated.
static std::string stringAt(Warp &warp, uint64_t address) {
  MemoryRange range = warp.context->findRange(warp, address, address + 1);
  if (range.kind == MemoryRange::Kind::None)
    return "";
  const auto *begin = reinterpret_cast<const char *>(address);
  return std::string(begin, strnlen(begin, range.end - address));
}

static const Operation *print(const Operation *op, Warp &warp) {
  const uint64_t *formats = slot<uint64_t>(warp, op->operands[0]);
  const uint64_t *arguments = slot<uint64_t>(warp, op->operands[1]);
  uint32_t *result = slot<uint32_t>(warp, op->result);
  LaunchRun &launch = *warp.context->launch;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    unsigned count = 0;
    std::string text = formatPrint(
        stringAt(warp, formats[lane]),
        reinterpret_cast<const char *>(arguments[lane]),
        [&](uint64_t address) { return stringAt(warp, address); }, count);
    result[lane] = count;
    std::lock_guard<std::mutex> lock(launch.mutex);
    if (launch.options->print)
      launch.options->print(text);
  }
  return op + 1;
}

static const Operation *assertFail(const Operation *op, Warp &warp) {
  unsigned lane = llvm::countr_zero(warp.active);
  auto text = [&](unsigned operand) {
    return stringAt(warp, slot<uint64_t>(warp, op->operands[operand])[lane]);
  };
  uint32_t line = slot<uint32_t>(warp, op->operands[2])[lane];
  return warp.fault(op, EmulationFault::Kind::Assertion, lane,
                    text(1) + ":" + std::to_string(line) + ": " + text(3) +
                        ": assertion `" + text(0) + "` failed");
}

static const Operation *allocate(const Operation *op, Warp &warp) {
  const uint64_t *sizes = slot<uint64_t>(warp, op->operands[0]);
  uint64_t *result = slot<uint64_t>(warp, op->result);
  DeviceMemory &memory = warp.context->launch->program->memory;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    result[lane] = reinterpret_cast<uint64_t>(memory.allocate(sizes[lane]));
  }
  return op + 1;
}

static const Operation *release(const Operation *op, Warp &warp) {
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  DeviceMemory &memory = warp.context->launch->program->memory;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    auto *pointer = reinterpret_cast<void *>(pointers[lane]);
    if (pointer && !memory.release(pointer))
      return warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
                        "frees what malloc did not return");
  }
  return op + 1;
}

void emulator::addCallHandlers(HandlerTable &table) {
  auto set = [&](Opcode opcode, Handler handler) {
    table[indexOf(opcode)] = handler;
  };
  set(Opcode::CountAccess, countAccess);
  set(Opcode::CopyBytes, copyBytes);
  set(Opcode::FillBytes, fillBytes);
  set(Opcode::Print, print);
  set(Opcode::AssertFail, assertFail);
  set(Opcode::Allocate, allocate);
  set(Opcode::Free, release);
}
