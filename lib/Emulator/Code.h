// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A function made ready to run.
#ifndef AUSPEX_LIB_EMULATOR_CODE_H
#define AUSPEX_LIB_EMULATOR_CODE_H

#include "Matrices.h"
#include "Operation.h"
#include "auspex/Emulator/Emulator.h"
#include "auspex/Emulator/Textures.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"

#include <deque>
#include <vector>

namespace auspex::emulator {

struct Code;

/// What a memory access is in the eyes of the program, the same for all
/// launches.
struct AccessInfo {
  AccessKind kind = AccessKind::Load;
  unsigned bytesPerLane = 0;
  /// Of the summary; NoAccess for what is not counted.
  uint32_t number = NoAccess;
  /// The counted block it is in.
  uint32_t block = 0;
  const llvm::Instruction *origin = nullptr;
  /// It has requests, but no addresses.
  bool isTexture = false;
};

/// What the Call operation needs.
struct CallInfo {
  /// Null for a call through a pointer.
  Code *callee = nullptr;
  /// Where the values are, parameter by parameter, and their widths.
  llvm::SmallVector<std::pair<SlotOffset, Width>, 8> arguments;
  llvm::SmallVector<std::pair<SlotOffset, Width>, 2> results;
};

enum class SurfaceBoundary : uint8_t { Trap, Clamp, Zero };

/// What operations on textures and surfaces need.
struct TextureInfo {
  /// But for the coordinates.
  TextureRequest request;
  SlotOffset handle = NoSlot, layer = NoSlot, level = NoSlot;
  llvm::SmallVector<SlotOffset, 3> coordinates;
  /// Along x for each axis, then along y.
  llvm::SmallVector<SlotOffset, 6> gradients;
  /// Results, or what is written.
  llvm::SmallVector<SlotOffset, 4> values;
  /// Of a surface's values, and of what is in memory.
  Width width = Width::W32;
  unsigned componentInBytes = 4;
  SurfaceBoundary boundary = SurfaceBoundary::Trap;
};

/// What the Switch operation needs: blocks by value, sorted.
struct SwitchInfo {
  Width width;
  std::vector<std::pair<uint64_t, uint32_t>> targets;
  uint32_t defaultTarget = 0;
};

/// A fault that is known when the code is decoded, if it is reached.
struct FaultInfo {
  EmulationFault::Kind kind;
  std::string message;
};

struct Code {
  const llvm::Function *function = nullptr;
  bool isKernel = false;
  std::vector<Operation> operations;
  /// The instruction each operation is of; null for what has none.
  std::vector<const llvm::Instruction *> origins;
  /// Where the blocks begin, in the order in which they are preferred, and the
  /// counted block that each is part of.
  std::vector<uint32_t> starts;
  /// The block that is run first.
  uint32_t entry = 0;
  /// Instructions of each counted block, and which of those is a basic block
  /// whose end may diverge.
  std::vector<uint32_t> instructions;
  uint32_t frameInBytes = 0;
  /// Of the slots in the frame, so that single lanes of it can be restored.
  std::vector<std::pair<SlotOffset, Width>> slots;
  /// The values of all constants; the parameters of a kernel lie at its start.
  std::vector<char> pool;
  std::vector<AccessInfo> accesses;
  /// Of the first access's state, among those of all functions.
  uint32_t firstAccess = 0;
  /// Memory of a lane's own.
  uint64_t localInBytes = 0;
  /// And more, which is known when it runs.
  bool hasDynamicLocal = false;
  /// Parameters and results, component by component.
  llvm::SmallVector<std::pair<SlotOffset, Width>, 8> parameters;
  llvm::SmallVector<std::pair<SlotOffset, Width>, 2> results;
  /// For kernels: where each component of a parameter lies in the buffer.
  struct KernelParameter {
    uint64_t offset = 0;
    unsigned bytes = 0;
    SlotOffset slot = NoSlot;
    Width width = Width::W32;
    /// The value is the address in the buffer.
    bool isAddress = false;
  };
  std::vector<KernelParameter> kernelParameters;

  // What operations point to.
  std::deque<CallInfo> calls;
  std::deque<SwitchInfo> switches;
  std::deque<FaultInfo> faults;
  std::deque<MatrixInfo> matrices;
  std::deque<TextureInfo> textures;

  const Operation *start(uint32_t block) const {
    return &operations[starts[block]];
  }
  const llvm::Instruction *origin(const Operation *operation) const {
    return origins[operation - operations.data()];
  }
};

} // namespace auspex::emulator

#endif
