// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   run-mutants FILE.bc FIRST COUNT
//
// Changes device code at random and runs each of its kernels: whatever comes
// out, it is an error or an end, no crash. A mutant depends on its number
// alone, which a crash prints.

#include "auspex/Emulator/Emulator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace auspex;

namespace {

class Mutator {
public:
  Mutator(llvm::Module &module, unsigned seed)
      : module(module), layout(module.getDataLayout()), random(seed) {}

  void run() {
    for (size_t changes = 1 + below(4); changes > 0; --changes)
      change();
  }

private:
  llvm::Module &module;
  const llvm::DataLayout &layout;
  std::mt19937 random;

  size_t below(size_t count) { return random() % count; }
  template <class Range> auto &oneOf(Range &range) {
    return range[below(std::size(range))];
  }

  llvm::Instruction *anyInstruction() {
    llvm::SmallVector<llvm::Instruction *> all;
    for (llvm::Function &function : module)
      for (llvm::BasicBlock &block : function)
        for (llvm::Instruction &instruction : block)
          all.push_back(&instruction);
    return all.empty() ? nullptr : oneOf(all);
  }

  void change() {
    llvm::Instruction *instruction = anyInstruction();
    if (!instruction)
      return;
    switch (below(7)) {
    case 0:
      return drop(*instruction);
    case 1:
      return swapOperands(*instruction);
    case 2:
    case 3:
      return replaceOperand(*instruction);
    case 4:
      return changeType(*instruction);
    case 5:
      return changeOperation(*instruction);
    case 6:
      return changeText(*instruction);
    }
  }

  llvm::Value *anyConstant(llvm::Type *type) {
    if (type->isIntegerTy() && below(3)) {
      unsigned bits = type->getIntegerBitWidth();
      const llvm::APInt values[] = {
          llvm::APInt::getAllOnes(bits), llvm::APInt::getSignedMinValue(bits),
          llvm::APInt(bits, below(64), false, /*implicitTrunc=*/true),
          llvm::APInt(bits, random(), false, /*implicitTrunc=*/true)};
      return llvm::ConstantInt::get(type, oneOf(values));
    }
    if (type->isTokenTy() || type->isMetadataTy() || type->isLabelTy())
      return nullptr;
    return below(2) ? llvm::PoisonValue::get(type)
                    : llvm::Constant::getNullValue(type);
  }

  void drop(llvm::Instruction &instruction) {
    if (instruction.isTerminator() || instruction.isEHPad())
      return;
    if (!instruction.getType()->isVoidTy()) {
      llvm::Value *value = anyConstant(instruction.getType());
      if (!value)
        return;
      instruction.replaceAllUsesWith(value);
    }
    instruction.eraseFromParent();
  }

  void swapOperands(llvm::Instruction &instruction) {
    if (instruction.getNumOperands() < 2)
      return;
    llvm::Use &a =
        instruction.getOperandUse(below(instruction.getNumOperands()));
    llvm::Use &b =
        instruction.getOperandUse(below(instruction.getNumOperands()));
    if (a->getType() == b->getType() && !a->getType()->isLabelTy())
      a.swap(b);
  }

  /// By a constant, or by something of the same type that may come before it.
  void replaceOperand(llvm::Instruction &instruction) {
    if (instruction.getNumOperands() == 0)
      return;
    llvm::Use &use =
        instruction.getOperandUse(below(instruction.getNumOperands()));
    llvm::Type *type = use->getType();
    llvm::SmallVector<llvm::Value *> candidates;
    for (llvm::Argument &argument : instruction.getFunction()->args())
      candidates.push_back(&argument);
    for (llvm::BasicBlock &block : *instruction.getFunction()) {
      candidates.push_back(&block);
      for (llvm::Instruction &other : block)
        candidates.push_back(&other);
    }
    for (llvm::Function &function : module)
      candidates.push_back(&function);
    llvm::erase_if(candidates, [&](llvm::Value *value) {
      return value->getType() != type || value == use.get();
    });
    llvm::Value *value = candidates.empty() || below(3) == 0
                             ? anyConstant(type)
                             : oneOf(candidates);
    if (value)
      use.set(value);
  }

  llvm::Type *anyType() {
    llvm::LLVMContext &context = module.getContext();
    auto bits = [&](unsigned count) {
      return llvm::IntegerType::get(context, count);
    };
    llvm::Type *half = llvm::Type::getHalfTy(context);
    llvm::Type *types[] = {
        bits(1),
        bits(7),
        bits(8),
        bits(24),
        bits(32),
        bits(64),
        bits(128),
        bits(200),
        half,
        llvm::Type::getBFloatTy(context),
        llvm::Type::getFloatTy(context),
        llvm::Type::getDoubleTy(context),
        llvm::Type::getFP128Ty(context),
        llvm::FixedVectorType::get(bits(1), 8),
        llvm::FixedVectorType::get(bits(8), 3),
        llvm::FixedVectorType::get(half, 2),
        llvm::FixedVectorType::get(bits(32), 64),
        llvm::StructType::get(context, {bits(8), bits(64), half}),
        llvm::StructType::get(context, {}),
        llvm::ArrayType::get(bits(16), 3),
        llvm::ArrayType::get(bits(8), 1 << 20),
        llvm::PointerType::get(context, 0),
        llvm::PointerType::get(context, 3),
        llvm::PointerType::get(context, 5)};
    return oneOf(types);
  }

  void changeType(llvm::Instruction &instruction) {
    llvm::Type *type = anyType();
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      auto *other = new llvm::LoadInst(
          type, load->getPointerOperand(), "", load->isVolatile(),
          llvm::Align(1u << below(6)), load->getIterator());
      llvm::Value *value = anyConstant(load->getType());
      load->replaceAllUsesWith(load->getType() == type ? other : value);
      load->eraseFromParent();
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      new llvm::StoreInst(anyConstant(type), store->getPointerOperand(),
                          store->isVolatile(), llvm::Align(1u << below(6)),
                          store->getIterator());
    } else if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      slot->setAllocatedType(type);
    } else if (auto *address =
                   llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      if (address->getNumIndices() == 1 && type->isSized())
        address->setSourceElementType(type);
    } else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      if (llvm::CastInst::castIsValid(cast->getOpcode(), cast->getSrcTy(),
                                      type)) {
        llvm::CastInst::Create(cast->getOpcode(), cast->getOperand(0), type, "",
                               cast->getIterator());
      }
    }
  }

  void changeOperation(llvm::Instruction &instruction) {
    if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      bool isInteger = llvm::isa<llvm::ICmpInst>(compare);
      unsigned first = isInteger ? llvm::CmpInst::FIRST_ICMP_PREDICATE
                                 : llvm::CmpInst::FIRST_FCMP_PREDICATE;
      unsigned last = isInteger ? llvm::CmpInst::LAST_ICMP_PREDICATE
                                : llvm::CmpInst::LAST_FCMP_PREDICATE;
      compare->setPredicate(static_cast<llvm::CmpInst::Predicate>(
          first + below(last - first + 1)));
    } else if (auto *atomic =
                   llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      atomic->setOperation(static_cast<llvm::AtomicRMWInst::BinOp>(
          below(llvm::AtomicRMWInst::LAST_BINOP + 1)));
    } else if (auto *binary =
                   llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      using llvm::Instruction;
      const Instruction::BinaryOps integers[] = {
          Instruction::Add,  Instruction::Sub,  Instruction::Mul,
          Instruction::UDiv, Instruction::SDiv, Instruction::URem,
          Instruction::SRem, Instruction::Shl,  Instruction::LShr,
          Instruction::AShr, Instruction::And,  Instruction::Xor};
      const Instruction::BinaryOps floats[] = {
          Instruction::FAdd, Instruction::FMul, Instruction::FDiv,
          Instruction::FRem};
      auto opcode = binary->getType()->isFPOrFPVectorTy() ? oneOf(floats)
                                                          : oneOf(integers);
      auto *other = llvm::BinaryOperator::Create(opcode, binary->getOperand(0),
                                                 binary->getOperand(1), "",
                                                 binary->getIterator());
      binary->replaceAllUsesWith(other);
      binary->eraseFromParent();
    } else if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      llvm::SmallVector<llvm::Function *> others;
      for (llvm::Function &function : module)
        if (function.getFunctionType() == call->getFunctionType())
          others.push_back(&function);
      if (!others.empty())
        call->setCalledFunction(oneOf(others));
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      load->setAlignment(llvm::Align(1u << below(10)));
    } else if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      slot->setAlignment(llvm::Align(1u << below(16)));
    }
  }

  /// Of an inline assembly: its text with a character, a word or an operand
  /// that is another one.
  void changeText(llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto *assembly =
        call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
             : nullptr;
    if (!assembly)
      return;
    std::string text = assembly->getAsmString().str();
    const char *const pieces[] = {
        "",          "{",       "}",
        "[",         "]",       "$9",
        ".u64",      ".b8",     ".s4",
        ".v4",       ";",       "@p ",
        "_",         "-1",      "0f",
        "{a,b}",     "m16n8k8", "%tid.x",
        "L: bra L;", ".f16x2",  "x99999999999999999999"};
    size_t from = below(text.size() + 1);
    text.replace(from, std::min(text.size() - from, below(6)), oneOf(pieces));
    call->setCalledOperand(llvm::InlineAsm::get(
        assembly->getFunctionType(), text, assembly->getConstraintString(),
        assembly->hasSideEffects()));
  }
};

/// How mutants ended.
struct Ends {
  unsigned refused = 0, faults = 0, ended = 0;
};

void runKernels(Program &program, const std::vector<std::string> &kernels,
                DeviceMemory &memory, Ends &ends) {
  constexpr unsigned BufferInBytes = 1 << 14;
  for (const std::string &name : kernels) {
    const Program::KernelInfo *info = program.kernel(name);
    if (!info)
      continue;
    // Pointers point to something, integers are small.
    std::vector<char> parameters(info->parametersInBytes);
    for (const auto &parameter : info->parameters)
      for (uint64_t at = 0; at + 4 <= parameter.sizeInBytes; at += 8) {
        uint64_t word = 16;
        if (at + 8 <= parameter.sizeInBytes) {
          void *buffer = memory.allocate(BufferInBytes);
          std::memset(buffer, 0, BufferInBytes);
          word = reinterpret_cast<uint64_t>(buffer);
        }
        std::memcpy(&parameters[parameter.offset + at], &word,
                    std::min<uint64_t>(8, parameter.sizeInBytes - at));
      }
    EmulationOptions options;
    options.timeLimitInSeconds = 0.2;
    options.print = [](llvm::StringRef) {};
    auto profile = program.launch(name, {{2, 1, 1}, {48, 2, 1}}, 1024,
                                  parameters, options);
    if (profile) {
      ++ends.ended;
    } else {
      ++ends.faults;
      llvm::consumeError(profile.takeError());
    }
  }
}

bool runMutant(const llvm::MemoryBuffer &file, unsigned seed, Ends &ends) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIR(file, diagnostic, *context);
  if (!module) {
    diagnostic.print("run-mutants", llvm::errs());
    return false;
  }
  Mutator(*module, seed).run();
  std::vector<std::string> kernels;
  for (const llvm::Function &function : *module)
    kernels.push_back(function.getName().str());
  DeviceMemory memory;
  auto program = Program::create(std::move(context), std::move(module), memory);
  if (!program) {
    ++ends.refused;
    llvm::consumeError(program.takeError());
    return true;
  }
  runKernels(**program, kernels, memory, ends);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  unsigned first = 0, count = 0;
  if (argc != 4 || llvm::StringRef(argv[2]).getAsInteger(10, first) ||
      llvm::StringRef(argv[3]).getAsInteger(10, count)) {
    llvm::errs() << "run-mutants FILE.bc FIRST COUNT\n";
    return 2;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 2;
  }
  Ends ends;
  for (unsigned seed = first; seed < first + count; ++seed) {
    llvm::PrettyStackTraceFormat place("mutant %u of %s", seed, argv[1]);
    if (!runMutant(**file, seed, ends))
      return 2;
  }
  llvm::outs() << llvm::formatv(
      "{0} mutants: {1} refused; {2} launches failed, {3} came to their end\n",
      count, ends.refused, ends.faults, ends.ended);
  return 0;
}
