// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX of matrices and of barriers in shared memory.
#include "AssemblyDecoder.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

bool AssemblyDecoder::hasSharedAddress(const Statement &statement) {
  return llvm::any_of(statement.words, [](StringRef word) {
    return word.starts_with("shared");
  });
}

/// Width of the registers of a fragment.
static Width registerWidth(MatrixElement type) {
  return type == MatrixElement::F64 ? Width::W64 : Width::W32;
}

bool AssemblyDecoder::translateMatrix(const Statement &statement) {
  const auto &operands = statement.operands;
  auto partsOf = [&](StringRef operand, Width width) {
    Parts parts;
    for (StringRef element : ptxElements(operand))
      parts.push_back({read(element, width), width});
    return parts;
  };
  auto writeAll = [&](StringRef operand, const Parts &parts) {
    auto elements = ptxElements(operand);
    if (elements.size() != parts.size())
      return false;
    for (auto [element, part] : llvm::zip(elements, parts))
      write(element, part);
    return true;
  };
  bool isShared = hasSharedAddress(statement);
  StringRef name = statement.name;
  if (auto rows = MatrixRows::parse(name, statement.words)) {
    if (operands.size() != 2)
      return false;
    if (rows->isStore) {
      decoder.emitStoreRows(addressIn(operands[0], true),
                            partsOf(operands[1], Width::W32),
                            rows->isTransposed);
      ++decoder.accessOffset;
      return true;
    }
    Parts parts = decoder.emitLoadRows(addressIn(operands[1], true),
                                       rows->matrices, rows->isTransposed);
    ++decoder.accessOffset;
    return writeAll(operands[0], parts);
  }
  bool isWmma = name == "wmma";
  if (!isWmma && name != "mma")
    return false;
  auto transfer =
      isWmma ? MatrixTransfer::parse(statement.words) : std::nullopt;
  if (!transfer) {
    auto words = MatrixWords::parse(statement.words, std::nullopt);
    if (!words || operands.size() != 4)
      return false;
    Parts parts = partsOf(operands[1], registerWidth(words->a));
    llvm::append_range(parts, partsOf(operands[2], registerWidth(words->b)));
    llvm::append_range(parts, partsOf(operands[3], registerWidth(words->c)));
    return writeAll(operands[0],
                    decoder.emitMatrixProduct(*words, isWmma, parts,
                                              registerWidth(words->d)));
  }
  if (operands.size() < 2)
    return false;
  SlotOffset stride =
      operands.size() > 2
          ? read(operands[2], Width::W32)
          : decoder.constantSlot(Width::W32, transfer->denseStride());
  Width width = registerWidth(transfer->element());
  if (transfer->isStore) {
    decoder.emitMatrixStore(*transfer, addressIn(operands[0], isShared), stride,
                            partsOf(operands[1], width), NoAccess);
    return true;
  }
  return writeAll(operands[0], decoder.emitMatrixLoad(
                                   *transfer, addressIn(operands[1], isShared),
                                   stride, width, NoAccess));
}

bool AssemblyDecoder::translateMemoryBarrier(const Statement &statement) {
  using Kind = MemoryBarrierKind;
  if (statement.name != "mbarrier")
    return false;
  const auto &operands = statement.operands;
  if (statement.has("inval"))
    return true;
  if (statement.has("pending_count") && operands.size() == 2) {
    // The lowest bits of a state.
    write(operands[0],
          {decoder.emit(Opcode::And32, Width::W32,
                        {read(operands[1], Width::W32),
                         decoder.constantSlot(Width::W32, 0xfffff)}),
           Width::W32});
    return true;
  }
  std::optional<Kind> kind = memoryBarrierKind(statement.words);
  const auto *address = llvm::find_if(
      operands, [](StringRef operand) { return operand.starts_with("["); });
  if (!kind || address == operands.end())
    return false;
  const auto *more = std::next(address);
  SlotOffset one = decoder.constantSlot(Width::W32, 1);
  SlotOffset value =
      more == operands.end()
          ? one
          : read(*more, *kind == Kind::TestState ? Width::W64 : Width::W32);
  bool expects =
      *kind == Kind::ArriveAndExpectBytes || *kind == Kind::DropAndExpectBytes;
  Part result = decoder.emitMemoryBarrier(
      *kind, addressIn(*address, hasSharedAddress(statement)),
      expects ? one : value, expects ? value : NoSlot);
  if (address != operands.begin())
    write(operands[0], result);
  return true;
}
