// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many instructions of which class.
#ifndef AUSPEX_KERNEL_INSTRUCTIONMIX_H
#define AUSPEX_KERNEL_INSTRUCTIONMIX_H

#include "auspex/HW/GPU.h"

#include <array>
#include <optional>

namespace auspex {

enum class InstructionClass : unsigned {
#define AUSPEX_CLASS(ID, NAME, PIPE, THROUGHPUT, LATENCY, DOC) ID,
#include "auspex/Kernel/InstructionClasses.def"
};

/// The execution pipes of an SM.
enum class Pipe { Fp32, Fp64, Fp16, Int, IntMul, Sfu, Tensor, Memory, Control };

llvm::StringRef toString(Pipe pipe);

struct InstructionClassInfo {
  InstructionClass id;
  llvm::StringRef name;
  Pipe pipe;
  std::optional<Q> throughput, latency;
  llvm::StringRef doc;
};

llvm::ArrayRef<InstructionClassInfo> instructionClassInfos();
const InstructionClassInfo &info(InstructionClass id);
std::optional<InstructionClass> instructionClass(llvm::StringRef name);

/// Memory instructions of any space; what GPUPerf and MWP-CWP count as such is
/// isGlobalMemory: what can go to DRAM.
bool isMemory(InstructionClass id);
bool isGlobalMemory(InstructionClass id);
bool isSharedMemory(InstructionClass id);
/// A load of any space: something later waits for it.
bool isLoad(InstructionClass id);

/// A count for every class; fractions arise from averages.
class InstructionMix {
public:
  double &operator[](InstructionClass id) {
    return counts[static_cast<unsigned>(id)];
  }
  double operator[](InstructionClass id) const {
    return counts[static_cast<unsigned>(id)];
  }
  void add(const InstructionMix &other, double times = 1) {
    for (unsigned i = 0; i < Count; ++i)
      counts[i] += times * other.counts[i];
  }
  InstructionMix scaled(double factor) const {
    InstructionMix result;
    result.add(*this, factor);
    return result;
  }
  double total() const;
  bool operator==(const InstructionMix &) const = default;

private:
  static constexpr unsigned Count = 0
#define AUSPEX_CLASS(ID, NAME, PIPE, THROUGHPUT, LATENCY, DOC) +1
#include "auspex/Kernel/InstructionClasses.def"
      ;
  std::array<double, Count> counts{};
};

} // namespace auspex

#endif
