// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/InstructionMix.h"

#include <numeric>

using namespace auspex;

namespace {
// Lets the table say None where a class has no such number.
struct NoQuantity {};
constexpr NoQuantity None;

constexpr std::optional<Q> maybe(Q id) { return id; }
constexpr std::optional<Q> maybe(NoQuantity) { return std::nullopt; }
} // namespace

llvm::ArrayRef<InstructionClassInfo> auspex::instructionClassInfos() {
  using enum Q;
  static const InstructionClassInfo infos[] = {
#define AUSPEX_CLASS(ID, NAME, PIPE, THROUGHPUT, LATENCY, DOC)                 \
  {InstructionClass::ID, NAME,           Pipe::PIPE,                           \
   maybe(THROUGHPUT),    maybe(LATENCY), DOC},
#include "auspex/Kernel/InstructionClasses.def"
  };
  return infos;
}

const InstructionClassInfo &auspex::info(InstructionClass id) {
  return instructionClassInfos()[static_cast<unsigned>(id)];
}

std::optional<InstructionClass> auspex::instructionClass(llvm::StringRef name) {
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (info.name == name)
      return info.id;
  return std::nullopt;
}

llvm::StringRef auspex::toString(Pipe pipe) {
  switch (pipe) {
  case Pipe::Fp32:
    return "fp32";
  case Pipe::Fp64:
    return "fp64";
  case Pipe::Fp16:
    return "fp16";
  case Pipe::Int:
    return "int";
  case Pipe::IntMul:
    return "int_mul";
  case Pipe::Sfu:
    return "sfu";
  case Pipe::Tensor:
    return "tensor";
  case Pipe::Memory:
    return "memory";
  case Pipe::Control:
    return "control";
  }
  llvm_unreachable("covered switch");
}

bool auspex::isGlobalMemory(InstructionClass id) {
  switch (id) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::StoreGlobal:
  case InstructionClass::AtomicGlobal:
  case InstructionClass::LoadLocal:
  case InstructionClass::StoreLocal:
  case InstructionClass::CopyAsync:
  case InstructionClass::Texture:
    return true;
  default:
    return false;
  }
}

bool auspex::isSharedMemory(InstructionClass id) {
  return id == InstructionClass::LoadShared ||
         id == InstructionClass::StoreShared ||
         id == InstructionClass::AtomicShared;
}

bool auspex::isMemory(InstructionClass id) {
  return isGlobalMemory(id) || isSharedMemory(id) ||
         id == InstructionClass::LoadConstant;
}

bool auspex::isLoad(InstructionClass id) {
  switch (id) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::LoadShared:
  case InstructionClass::LoadLocal:
  case InstructionClass::LoadConstant:
  case InstructionClass::AtomicGlobal:
  case InstructionClass::AtomicShared:
  case InstructionClass::Texture:
    return true;
  default:
    return false;
  }
}

double InstructionMix::total() const {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}
