// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX of textures and surfaces, which is what CUDA's headers make of
// tex2D, surf2Dread and the like.
#include "AssemblyDecoder.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

/// "1d", "a2d", "cube" ...; false if there is no such thing.
static bool parseGeometry(StringRef word, TextureRequest &request) {
  if (word == "cube" || word == "acube") {
    request.dimensions = 3;
    request.isCube = true;
    request.isLayered = word == "acube";
    return true;
  }
  request.isLayered = word.consume_front("a");
  return word.size() == 2 && word[1] == 'd' &&
         !word.take_front(1).getAsInteger(10, request.dimensions) &&
         request.dimensions >= 1 && request.dimensions <= 3;
}

/// "[handle, {x, y}]": the handle and the coordinates, the layer apart.
bool AssemblyDecoder::readPlace(StringRef operand, Width width,
                                TextureInfo &info) {
  operand.consume_front("[");
  operand.consume_back("]");
  auto parts = ptxOperands(operand);
  if (parts.size() != 2)
    return false;
  auto coordinates = ptxElements(parts[1]);
  unsigned first = info.request.isLayered;
  if (coordinates.size() < first + info.request.dimensions)
    return false;
  info.handle = read(parts[0], Width::W64);
  if (info.request.isLayered)
    info.layer = read(coordinates[0], Width::W32);
  for (unsigned axis = 0; axis < info.request.dimensions; ++axis)
    info.coordinates.push_back(read(coordinates[first + axis], width));
  return true;
}

void AssemblyDecoder::emitTexture(Opcode opcode, AccessKind kind,
                                  TextureInfo info) {
  auto components = static_cast<unsigned>(info.values.size());
  uint32_t access = decoder.addAccess(kind, components * info.componentInBytes,
                                      decoder.accessNumber());
  decoder.code.accesses[access].isTexture = true;
  ++decoder.accessOffset;
  Operation &operation = decoder.emitRaw(opcode);
  operation.isAccess = true;
  operation.index = access;
  operation.count = kind == AccessKind::Store;
  operation.extra = &decoder.code.textures.emplace_back(std::move(info));
}

bool AssemblyDecoder::translateTexture(const Statement &statement) {
  bool isGather = statement.name == "tld4";
  const auto &operands = statement.operands;
  if ((!isGather && statement.name != "tex") || operands.size() < 2)
    return false;
  TextureInfo info;
  const auto *geometry = llvm::find_if(statement.words, [&](StringRef word) {
    return parseGeometry(word, info.request);
  });
  auto results = ptxElements(operands[0]);
  if (geometry == statement.words.end() || results.size() != 4)
    return false;
  info.request.isInteger = statement.type() == "s32";
  if (isGather)
    info.request.gathered = statement.has("r")   ? 0
                            : statement.has("g") ? 1
                            : statement.has("b") ? 2
                                                 : 3;
  // A second result says that the texture is there.
  bool hasPresence = !operands[1].starts_with("[");
  llvm::ArrayRef<StringRef> rest =
      llvm::ArrayRef(operands).drop_front(1 + hasPresence);
  if (rest.empty() || !readPlace(rest[0], Width::W32, info))
    return false;
  if (statement.has("level") && rest.size() > 1)
    info.level = read(rest[1], Width::W32);
  if (statement.has("grad") && rest.size() > 2)
    for (StringRef direction : rest.slice(1, 2))
      for (StringRef step : llvm::ArrayRef(ptxElements(direction))
                                .take_front(info.request.dimensions))
        info.gradients.push_back(read(step, Width::W32));
  for (StringRef result : results) {
    info.values.push_back(decoder.allocate(Width::W32));
    write(result, {info.values.back(), Width::W32});
  }
  if (hasPresence)
    write(operands[1], {decoder.constantSlot(Width::Mask, 1), Width::Mask});
  emitTexture(Opcode::FetchTexture, AccessKind::Load, std::move(info));
  return true;
}

bool AssemblyDecoder::translateSurface(const Statement &statement) {
  bool isWrite = statement.name == "sust";
  const auto &operands = statement.operands;
  if ((!isWrite && statement.name != "suld") || !statement.has("b") ||
      operands.size() != 2)
    return false;
  TextureInfo info;
  const auto *geometry = llvm::find_if(statement.words, [&](StringRef word) {
    return parseGeometry(word, info.request);
  });
  const auto *typeName = llvm::find_if(statement.words, [](StringRef word) {
    return word.size() > 1 && word[0] == 'b';
  });
  if (geometry == statement.words.end() || typeName == statement.words.end())
    return false;
  std::optional<Kind> kind = kindOf(*typeName);
  if (!kind)
    return false;
  info.componentInBytes = bytesPerLane(kind->width);
  info.width = std::max(kind->width, Width::W16);
  info.boundary = statement.has("clamp")  ? SurfaceBoundary::Clamp
                  : statement.has("zero") ? SurfaceBoundary::Zero
                                          : SurfaceBoundary::Trap;
  if (!readPlace(operands[isWrite ? 0 : 1], Width::W32, info))
    return false;
  for (StringRef value : ptxElements(operands[isWrite ? 1 : 0])) {
    info.values.push_back(isWrite ? read(value, info.width)
                                  : decoder.allocate(info.width));
    if (!isWrite)
      write(value, {info.values.back(), info.width});
  }
  emitTexture(Opcode::AccessSurface, loadOrStore(isWrite), std::move(info));
  return true;
}
