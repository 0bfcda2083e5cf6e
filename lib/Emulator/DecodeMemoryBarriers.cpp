// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier: barriers that are words in shared memory.
#include "Decoder.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

Part Decoder::emitMemoryBarrier(MemoryBarrierKind kind, Address address,
                                SlotOffset value, SlotOffset bytes) {
  bool isTest = kind == MemoryBarrierKind::TestState ||
                kind == MemoryBarrierKind::TestParity;
  if (isTest)
    emitRaw(Opcode::Spin);
  Part result{allocate(isTest ? Width::Mask : Width::W64),
              isTest ? Width::Mask : Width::W64};
  Operation &operation = emitAccess(Opcode::MemoryBarrier, address,
                                    AccessKind::Atomic, 8, 8, NoAccess);
  operation.result = result.slot;
  operation.operands[1] = value;
  operation.operands[2] = bytes;
  operation.count = static_cast<uint32_t>(kind);
  return result;
}

std::optional<MemoryBarrierKind>
emulator::memoryBarrierKind(llvm::ArrayRef<StringRef> words) {
  using Kind = MemoryBarrierKind;
  if (words.empty())
    return std::nullopt;
  auto has = [&](StringRef word) { return llvm::is_contained(words, word); };
  bool expects = has("expect_tx") || (has("expect") && has("tx"));
  bool leavesOpen = has("noComplete") || has("nocomplete");
  if (words[0] == "init")
    return Kind::Initialize;
  if (words[0] == "test_wait" || words[0] == "try_wait" ||
      (words.size() > 1 && words[1] == "wait"))
    return has("parity") ? Kind::TestParity : Kind::TestState;
  if (words[0] == "arrive_drop" || (words[0] == "arrive" && has("drop")))
    return expects      ? Kind::DropAndExpectBytes
           : leavesOpen ? Kind::DropWithoutEnd
                        : Kind::ArriveAndDrop;
  if (words[0] == "arrive")
    return expects      ? Kind::ArriveAndExpectBytes
           : leavesOpen ? Kind::ArriveWithoutEnd
                        : Kind::Arrive;
  if (words[0] == "expect_tx" || words[0] == "expect")
    return Kind::ExpectBytes;
  if (words[0] == "complete_tx" || words[0] == "complete")
    return Kind::CompleteBytes;
  return std::nullopt;
}

bool Decoder::decodeMemoryBarrier(const llvm::IntrinsicInst &call,
                                  StringRef name) {
  using Kind = MemoryBarrierKind;
  if (name.starts_with("cp.async.mbarrier.arrive")) {
    // The copies before it are complete: it arrives, and unless it was counted
    // beforehand, is one that nobody expected.
    if (name.contains("noinc"))
      emitMemoryBarrier(Kind::Arrive, addressOf(call.getArgOperand(0)),
                        constantSlot(Width::W32, 1));
    return true;
  }
  if (!name.consume_front("mbarrier."))
    return false;
  llvm::SmallVector<StringRef, 8> words;
  name.split(words, '.');
  if (words[0] == "inval")
    return true;
  if (words[0] == "pending" || words[0] == "pending_count") {
    // The lowest bits of a state.
    SlotOffset low =
        emit(Opcode::Trunc64To32, Width::W32, {slotOf(call.getArgOperand(0))});
    define(call, {{emit(Opcode::And32, Width::W32,
                        {low, constantSlot(Width::W32, 0xfffff)}),
                   Width::W32}});
    return true;
  }
  std::optional<Kind> kind = memoryBarrierKind(words);
  if (!kind)
    return false;
  // Without a count it is one.
  SlotOffset value = call.arg_size() > 1 ? slotOf(call.getArgOperand(1))
                                         : constantSlot(Width::W32, 1);
  bool expects =
      *kind == Kind::ArriveAndExpectBytes || *kind == Kind::DropAndExpectBytes;
  Part result = emitMemoryBarrier(*kind, addressOf(call.getArgOperand(0)),
                                  expects ? constantSlot(Width::W32, 1) : value,
                                  expects ? value : NoSlot);
  if (!call.getType()->isVoidTy())
    define(call, {result});
  return true;
}
