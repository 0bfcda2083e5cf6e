// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from textures, reads and writes of surfaces, a lane at a time.
#include "Handlers.h"
#include "Launch.h"
#include "ProgramCode.h"
#include "Slots.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

namespace {
/// The textures of a warp's lanes; most often there is one.
class LaneTextures {
public:
  LaneTextures(const Operation *op, Warp &warp)
      : op(op), warp(warp),
        handles(slot<uint64_t>(
            warp, static_cast<const TextureInfo *>(op->extra)->handle)) {}

  /// Null after a fault.
  const Texture *of(unsigned lane) {
    if (texture && handles[lane] == handle)
      return texture.get();
    DeviceMemory &memory = warp.context->launch->program->memory;
    handle = handles[lane];
    texture = memory.textures.find(handle);
    if (!texture) {
      warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
                 "uses a texture or surface object that does not exist");
      return nullptr;
    }
    // What the program allocated may be gone.
    for (const Image &image : texture->levels) {
      auto begin = reinterpret_cast<uint64_t>(image.data);
      if (image.owner ||
          warp.context->findRange(warp, begin, begin + image.sizeInBytes())
                  .kind != MemoryRange::Kind::None)
        continue;
      warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
                 "uses a texture whose memory was freed");
      return nullptr;
    }
    return texture.get();
  }

private:
  const Operation *op;
  Warp &warp;
  const uint64_t *handles;
  uint64_t handle = 0;
  std::shared_ptr<const Texture> texture;
};
} // namespace

static float floatAt(const Warp &warp, SlotOffset offset, unsigned lane) {
  return slot<float>(warp, offset)[lane];
}

/// The level at which a step of one thread is one element wide.
static float levelOf(const Warp &warp, const TextureInfo &info,
                     const Image &image, unsigned lane) {
  if (info.level != NoSlot)
    return floatAt(warp, info.level, lane);
  if (info.gradients.empty())
    return 0;
  const float sizes[] = {static_cast<float>(image.width),
                         static_cast<float>(image.height),
                         static_cast<float>(image.depth)};
  float longest = 0;
  size_t axes = info.gradients.size() / 2;
  for (size_t direction = 0; direction < 2; ++direction) {
    float squares = 0;
    for (size_t axis = 0; axis < axes; ++axis) {
      float step =
          floatAt(warp, info.gradients[direction * axes + axis], lane) *
          sizes[axis];
      squares += step * step;
    }
    longest = std::max(longest, std::sqrt(squares));
  }
  return longest > 0 ? std::log2(longest) : 0;
}

/// Requests and lanes are all that is counted: how an array lies in memory is
/// not known.
static void countRequest(const Operation *op, const Warp &warp) {
  if (!warp.context->profiling)
    return;
  AccessState &state = warp.context->accesses[op->index];
  ++state.requests;
  state.lanes += llvm::popcount(warp.active);
}

static const Operation *fetchTexture(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const TextureInfo *>(op->extra);
  countRequest(op, warp);
  LaneTextures textures(op, warp);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    const Texture *texture = textures.of(lane);
    if (!texture)
      return nullptr;
    TextureRequest request = info.request;
    for (unsigned axis = 0; axis < info.coordinates.size(); ++axis) {
      if (request.isInteger)
        request.element[axis] =
            slot<int32_t>(warp, info.coordinates[axis])[lane];
      else
        request.coordinates[axis] = floatAt(warp, info.coordinates[axis], lane);
    }
    if (info.layer != NoSlot)
      request.layer = slot<uint32_t>(warp, info.layer)[lane];
    request.level = levelOf(warp, info, texture->levels[0], lane);
    Texel texel = fetch(*texture, request);
    for (unsigned i = 0; i < 4; ++i)
      slot<uint32_t>(warp, info.values[i])[lane] = texel[i];
  }
  return op + 1;
}

/// Where a lane reads or writes \p bytes of a surface; null where there is
/// nothing to do, with a fault if that is what was asked for.
static char *surfaceAt(const Operation *op, Warp &warp, const Image &image,
                       unsigned lane, unsigned bytes) {
  const auto &info = *static_cast<const TextureInfo *>(op->extra);
  int64_t place[3] = {0, 0, 0};
  for (unsigned axis = 0; axis < info.coordinates.size(); ++axis)
    place[axis] = slot<int32_t>(warp, info.coordinates[axis])[lane];
  if (info.layer != NoSlot)
    place[2] = slot<uint32_t>(warp, info.layer)[lane];
  // The first coordinate counts bytes.
  auto width = image.width * static_cast<int64_t>(image.elementInBytes());
  const int64_t most[] = {width - bytes, image.height - 1, image.depth - 1};
  bool isOutside = false;
  for (unsigned axis = 0; axis < 3; ++axis)
    isOutside |= place[axis] < 0 || place[axis] > most[axis];
  if (isOutside && info.boundary == SurfaceBoundary::Clamp)
    for (unsigned axis = 0; axis < 3; ++axis)
      place[axis] = std::clamp<int64_t>(place[axis], 0, most[axis]);
  bool isMisaligned = place[0] % bytes != 0;
  if (isMisaligned || most[0] < 0 ||
      (isOutside && info.boundary == SurfaceBoundary::Trap)) {
    warp.fault(op,
               isMisaligned ? EmulationFault::Kind::MisalignedAddress
                            : EmulationFault::Kind::IllegalAddress,
               lane,
               "uses " + std::to_string(bytes) + " bytes at (" +
                   std::to_string(place[0]) + ", " + std::to_string(place[1]) +
                   ", " + std::to_string(place[2]) + ") of a surface of " +
                   std::to_string(width) + " bytes times " +
                   std::to_string(image.height) + " times " +
                   std::to_string(image.depth));
    return nullptr;
  }
  if (isOutside && info.boundary == SurfaceBoundary::Zero)
    return nullptr;
  return image.data + place[0] + place[1] * image.rowInBytes +
         place[2] * image.sliceInBytes;
}

static const Operation *accessSurface(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const TextureInfo *>(op->extra);
  bool isWrite = op->count;
  // A byte comes in a register of 16 bits.
  unsigned inRegister = bytesPerLane(info.width);
  unsigned bytes = info.componentInBytes;
  auto components = static_cast<unsigned>(info.values.size());
  countRequest(op, warp);
  LaneTextures textures(op, warp);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    const Texture *texture = textures.of(lane);
    if (!texture)
      return nullptr;
    char *at =
        surfaceAt(op, warp, texture->levels[0], lane, bytes * components);
    if (warp.context->launch->stopped)
      return nullptr;
    for (unsigned i = 0; i < components; ++i) {
      char *value = slot<char>(warp, info.values[i]) + lane * inRegister;
      if (!isWrite)
        std::memset(value, 0, inRegister);
      if (at && isWrite)
        std::memcpy(at + i * bytes, value, bytes);
      else if (at)
        std::memcpy(value, at + i * bytes, bytes);
    }
  }
  return op + 1;
}

void emulator::addTextureHandlers(HandlerTable &table) {
  table[indexOf(Opcode::FetchTexture)] = fetchTexture;
  table[indexOf(Opcode::AccessSurface)] = accessSurface;
}
