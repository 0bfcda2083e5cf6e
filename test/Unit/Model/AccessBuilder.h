// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels of accesses to global memory, and what a launch of them moves.
#ifndef AUSPEX_TEST_UNIT_MODEL_ACCESSBUILDER_H
#define AUSPEX_TEST_UNIT_MODEL_ACCESSBUILDER_H

#include "../Kernel/KernelBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <string>

namespace auspex::test {

inline GPU gpu(llvm::StringRef name) { return llvm::cantFail(findGPU(name)); }

/// A kernel of accesses to global memory.
struct AccessBuilder : KernelBuilder {
  unsigned place = block("1");

  AccessBuilder &load(llvm::StringRef offset, unsigned bytes = 4,
                      llvm::StringRef base = "arg2") {
    return add(AccessKind::Load, offset, bytes, base);
  }
  AccessBuilder &store(llvm::StringRef offset, unsigned bytes = 4,
                       llvm::StringRef base = "arg3") {
    return add(AccessKind::Store, offset, bytes, base);
  }
  AccessBuilder &atomic(llvm::StringRef offset, unsigned bytes = 4,
                        llvm::StringRef base = "arg2") {
    return add(AccessKind::Atomic, offset, bytes, base);
  }
  /// What follows is in a loop.
  AccessBuilder &inLoop(llvm::StringRef trips) {
    place = block("1", loop(trips, summary.blocks[place].loop));
    return *this;
  }
  AccessBuilder &guarded(llvm::StringRef guard) {
    place = block(guard, summary.blocks[place].loop);
    return *this;
  }

private:
  AccessBuilder &add(AccessKind kind, llvm::StringRef offset, unsigned bytes,
                     llvm::StringRef base) {
    Access &added = access(place, offset);
    added.kind = kind;
    added.bytesPerLane = bytes;
    added.base = base.str();
    return *this;
  }
};

inline MemoryTraffic trafficOf(const AccessBuilder &kernel, Dim3 grid,
                               Dim3 block, const GPU &on) {
  return computeTraffic(
      bind(kernel.summary, launch(grid, block), on, Scenario::High), on);
}

inline MemoryTraffic onA100(const AccessBuilder &kernel, Dim3 grid,
                            Dim3 block) {
  return trafficOf(kernel, grid, block, gpu("A100-40GB"));
}

inline const ObjectTraffic &object(const MemoryTraffic &traffic,
                                   llvm::StringRef name) {
  return *llvm::find_if(traffic.objects, [&](const ObjectTraffic &object) {
    return object.name == name;
  });
}

/// \p actual is \p expected, or up to \p share more.
inline void expectUpTo(double actual, double expected, double share) {
  EXPECT_GE(actual, expected * (1 - 1e-9));
  EXPECT_LE(actual, expected * (1 + share));
}

/// The word of each thread.
inline constexpr const char *Thread = "4*ntid.x*ctaid.x + 4*tid.x";

/// c[row][column] += a[row][k] * b[k][column], an element a thread.
inline AccessBuilder matrixProduct(int n) {
  AccessBuilder kernel;
  std::string row = "(16*ctaid.y + tid.y)", column = "(16*ctaid.x + tid.x)";
  auto at = [&](const std::string &i, const std::string &j) {
    return llvm::formatv("4*{0}*{1} + 4*{2}", n, i, j).str();
  };
  kernel.store(at(row, column), 4, "c");
  kernel.inLoop(std::to_string(n));
  kernel.load(at(row, "i0"), 4, "a").load(at("i0", column), 4, "b");
  return kernel;
}

/// A cell and its four neighbours; rows of 4096 cells have a margin of 8.
inline AccessBuilder stencil() {
  AccessBuilder kernel;
  std::string cell = "4*(4112*(8*ctaid.y + tid.y + 1) + 32*ctaid.x + tid.x + "
                     "8)";
  for (const char *to : {"", " - 4", " + 4", " - 4*4112", " + 4*4112"})
    kernel.load(cell + to);
  kernel.store(cell);
  return kernel;
}

} // namespace auspex::test

#endif
