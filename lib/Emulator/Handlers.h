// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the handlers come from. Those that compute or move much are compiled
/// for several instruction sets.
#ifndef AUSPEX_LIB_EMULATOR_HANDLERS_H
#define AUSPEX_LIB_EMULATOR_HANDLERS_H

#include "Operation.h"

namespace auspex::emulator {

constexpr size_t indexOf(Opcode opcode) { return static_cast<size_t>(opcode); }

/// Checks and counts the request of the active lanes at \p pointers plus the
/// operation's immediate. False if it is a fault.
using RequestFunction = bool (*)(const Operation *, Warp &,
                                 const uint64_t *pointers, unsigned bytes);

#define AUSPEX_DECLARE_HANDLERS(isa)                                           \
  namespace isa {                                                              \
  void addArithmeticHandlers(HandlerTable &);                                  \
  void addDataHandlers(HandlerTable &);                                        \
  void addMemoryHandlers(HandlerTable &);                                      \
  void addMatrixHandlers(HandlerTable &);                                      \
  extern const RequestFunction request;                                        \
  }
AUSPEX_DECLARE_HANDLERS(baseline)
AUSPEX_DECLARE_HANDLERS(avx2)
AUSPEX_DECLARE_HANDLERS(avx512)
#undef AUSPEX_DECLARE_HANDLERS

void addControlHandlers(HandlerTable &);
void addWarpHandlers(HandlerTable &);
void addBarrierHandlers(HandlerTable &);
void addMemoryBarrierHandlers(HandlerTable &);
void addAtomicHandlers(HandlerTable &);
void addTextureHandlers(HandlerTable &);
void addCallHandlers(HandlerTable &);

/// The one of the instruction set in use.
RequestFunction requestFunction();

} // namespace auspex::emulator

#endif
