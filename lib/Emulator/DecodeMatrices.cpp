// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma, wmma, ldmatrix, stmatrix.
#include "Decoder.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

void Decoder::emitGatherAll() {
  emitGather(constantSlot(Width::W32, FullMask));
}

Fragment Decoder::takeFragment(MatrixRole role, MatrixElement type,
                               const MatrixWords &words, bool isWmma,
                               llvm::ArrayRef<Part> &parts) {
  Fragment fragment(role, type, words.shape);
  size_t count = 0;
  if (!parts.empty()) {
    fragment.width = parts[0].width;
    // Operands of halves have 16 elements a lane in wmma, whatever the shape.
    bool isWide = isWmma && type == MatrixElement::F16 && role != MatrixRole::C;
    count = (isWide ? 16 : fragment.numElements) / fragment.elementsPerSlot();
  }
  if (count == 0 || parts.size() < count) {
    unsupported("a product of matrices with other operands");
    return fragment;
  }
  for (const Part &part : parts.take_front(count))
    fragment.slots.push_back(part.slot);
  parts = parts.drop_front(count);
  return fragment;
}

Parts Decoder::emitMatrixProduct(const MatrixWords &words, bool isWmma,
                                 llvm::ArrayRef<Part> operands,
                                 Width resultWidth) {
  emitGatherAll();
  MatrixInfo info;
  info.shape = words.shape;
  info.isSaturating = words.isSaturating;
  info.isXor = words.isXor;
  info.a = takeFragment(MatrixRole::A, words.a, words, isWmma, operands);
  info.b = takeFragment(MatrixRole::B, words.b, words, isWmma, operands);
  info.c = takeFragment(MatrixRole::C, words.c, words, isWmma, operands);
  info.d = Fragment(MatrixRole::C, words.d, words.shape);
  info.d.width = resultWidth;
  Parts results;
  for (unsigned i = 0; i < info.d.numElements; i += info.d.elementsPerSlot()) {
    results.push_back({allocate(resultWidth), resultWidth});
    info.d.slots.push_back(results.back().slot);
  }
  emitRaw(Opcode::MultiplyMatrices).extra =
      &code.matrices.emplace_back(std::move(info));
  return results;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Decoder::emitMatrixMove(Opcode opcode, const MatrixMove &move,
                             MatrixInfo info, Address address,
                             SlotOffset stride, uint32_t number) {
  info.isTransposed = move.isTransposed;
  const MatrixInfo &moved = code.matrices.emplace_back(std::move(info));
  auto kind = loadOrStore(opcode == Opcode::StoreMatrix);
  for (unsigned i = 0; i < move.count; ++i) {
    Operation &operation =
        emitAccess(opcode, address, kind, move.bytes, move.bytes,
                   number == NoAccess ? NoAccess : number + i);
    operation.operands[1] = stride;
    operation.count = i * move.elements;
    operation.extra = &moved;
  }
}

Parts Decoder::emitMatrixLoad(const MatrixTransfer &transfer, Address address,
                              SlotOffset stride, Width resultWidth,
                              uint32_t number) {
  emitGatherAll();
  MatrixInfo info;
  info.shape = transfer.words.shape;
  info.isColumnMajor = transfer.isColumnMajor();
  info.c = Fragment(transfer.role, transfer.element(), info.shape);
  info.c.width = resultWidth;
  bool isWide = transfer.element() == MatrixElement::F16 &&
                transfer.role != MatrixRole::C;
  unsigned elements = isWide ? 16 : info.c.numElements;
  Parts results;
  for (unsigned i = 0; i < elements; i += info.c.elementsPerSlot()) {
    results.push_back({allocate(resultWidth), resultWidth});
    info.c.slots.push_back(results.back().slot);
  }
  emitMatrixMove(Opcode::LoadMatrix, transfer.move(), std::move(info), address,
                 stride, number);
  return results;
}

void Decoder::emitMatrixStore(const MatrixTransfer &transfer, Address address,
                              SlotOffset stride, llvm::ArrayRef<Part> parts,
                              uint32_t number) {
  emitGatherAll();
  MatrixInfo info;
  info.shape = transfer.words.shape;
  info.isColumnMajor = transfer.isColumnMajor();
  info.c = takeFragment(MatrixRole::C, transfer.element(), transfer.words, true,
                        parts);
  emitMatrixMove(Opcode::StoreMatrix, transfer.move(), std::move(info), address,
                 stride, number);
}

Parts Decoder::emitLoadRows(Address address, unsigned count,
                            bool isTransposed) {
  emitGatherAll();
  MatrixInfo info;
  info.isColumnMajor = isTransposed;
  Parts results;
  for (unsigned i = 0; i < count; ++i) {
    results.push_back({allocate(Width::W32), Width::W32});
    info.c.slots.push_back(results.back().slot);
  }
  emitAccess(Opcode::LoadRows, address, AccessKind::Load,
             MatrixRows::BytesPerRow, MatrixRows::BytesPerRow, accessNumber())
      .extra = &code.matrices.emplace_back(std::move(info));
  return results;
}

void Decoder::emitStoreRows(Address address, llvm::ArrayRef<Part> parts,
                            bool isTransposed) {
  emitGatherAll();
  MatrixInfo info;
  info.isColumnMajor = isTransposed;
  for (const Part &part : parts)
    info.c.slots.push_back(part.slot);
  emitAccess(Opcode::StoreRows, address, AccessKind::Store,
             MatrixRows::BytesPerRow, MatrixRows::BytesPerRow, accessNumber())
      .extra = &code.matrices.emplace_back(std::move(info));
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

bool Decoder::decodeMatrix(const llvm::IntrinsicInst &call, StringRef name) {
  llvm::SmallVector<StringRef, 12> all;
  name.split(all, '.');
  llvm::ArrayRef<StringRef> words = llvm::ArrayRef(all).drop_front();
  auto partsFrom = [&](unsigned first, unsigned past) {
    llvm::SmallVector<Part, 32> parts;
    for (unsigned i = first; i < past; ++i)
      llvm::append_range(parts, partsOf(call.getArgOperand(i)));
    return parts;
  };
  if (auto rows = MatrixRows::parse(all[0], words)) {
    Address address = addressOf(call.getArgOperand(0));
    if (rows->isStore)
      emitStoreRows(address, partsFrom(1, call.arg_size()), rows->isTransposed);
    else
      define(call, emitLoadRows(address, rows->matrices, rows->isTransposed));
    return true;
  }
  bool isWmma = all[0] == "wmma";
  if (!isWmma && all[0] != "mma")
    return false;
  if (auto transfer = isWmma ? MatrixTransfer::parse(words) : std::nullopt) {
    unsigned last = call.arg_size() - 1;
    SlotOffset stride = transfer->hasStride
                            ? slotOf(call.getArgOperand(last))
                            : constantSlot(Width::W32, transfer->denseStride());
    Address address = addressOf(call.getArgOperand(0));
    if (transfer->isStore)
      emitMatrixStore(*transfer, address, stride,
                      partsFrom(1, call.arg_size() - transfer->hasStride),
                      accessNumber());
    else
      define(call,
             emitMatrixLoad(*transfer, address, stride,
                            leavesOf(call.getType())[0].width, accessNumber()));
    return true;
  }
  std::optional<MatrixWords> parsed = MatrixWords::parse(words, std::nullopt);
  if (!parsed)
    return false;
  define(call, emitMatrixProduct(*parsed, isWmma, partsFrom(0, call.arg_size()),
                                 leavesOf(call.getType())[0].width));
  return true;
}
