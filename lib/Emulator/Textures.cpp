// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Emulator/Textures.h"

#define AUSPEX_ISA baseline
#include "Arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
using Floats = std::array<float, 4>;

/// A coordinate's element: none outside, where the border is.
std::optional<int64_t> resolve(int64_t i, int64_t size, Texture::Address mode) {
  switch (mode) {
  case Texture::Address::Wrap:
    return ((i % size) + size) % size;
  case Texture::Address::Mirror: {
    int64_t at = ((i % (2 * size)) + 2 * size) % (2 * size);
    return at < size ? at : 2 * size - 1 - at;
  }
  case Texture::Address::Clamp:
    return std::clamp<int64_t>(i, 0, size - 1);
  case Texture::Address::Border:
    break;
  }
  return i >= 0 && i < size ? std::optional(i) : std::nullopt;
}

/// A component's bits, signed ones extended.
uint32_t readComponent(const char *element, unsigned bits, bool isSigned) {
  uint32_t word = 0;
  std::memcpy(&word, element, bits / 8);
  unsigned left = 32 - bits;
  return isSigned
             ? static_cast<uint32_t>(static_cast<int32_t>(word << left) >> left)
             : word;
}

float fromSRGB(float value) {
  return value <= 0.04045f ? value / 12.92f
                           : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/// What a fetch looks at: a level of a texture.
struct Level {
  const Texture &texture;
  const Image &image;

  bool isFloat() const {
    return image.kind == Image::Kind::Float || texture.isNormalized;
  }
  Texture::Address address(unsigned axis) const {
    Texture::Address mode = texture.address[axis];
    // The others need coordinates between 0 and 1.
    return texture.hasNormalizedCoordinates || mode == Texture::Address::Border
               ? mode
               : Texture::Address::Clamp;
  }
  std::optional<std::array<int64_t, 3>> place(const std::array<int64_t, 3> &at,
                                              unsigned dimensions) const {
    const int64_t sizes[] = {image.width, image.height, image.depth};
    std::array<int64_t, 3> place = at;
    for (unsigned axis = 0; axis < dimensions; ++axis) {
      auto inside = resolve(at[axis], sizes[axis], address(axis));
      if (!inside)
        return std::nullopt;
      place[axis] = *inside;
    }
    return place;
  }
  const char *element(const std::array<int64_t, 3> &place) const {
    return image.at(place[0], place[1], place[2]);
  }

  Texel bitsAt(const char *element) const {
    Texel texel{};
    for (unsigned i = 0; i < 4 && image.bits[i]; ++i) {
      texel[i] = readComponent(element, image.bits[i],
                               image.kind == Image::Kind::Signed);
      element += image.bits[i] / 8;
    }
    return texel;
  }
  Floats floatsAt(const std::optional<std::array<int64_t, 3>> &place) const {
    if (!place)
      return texture.border;
    Texel bits = bitsAt(element(*place));
    Floats floats{};
    for (unsigned i = 0; i < 4 && image.bits[i]; ++i) {
      unsigned width = image.bits[i];
      if (image.kind == Image::Kind::Float) {
        floats[i] = width == 16
                        ? baseline::halfToFloat(static_cast<uint16_t>(bits[i]))
                        : baseline::bitCast<float>(bits[i]);
      } else if (image.kind == Image::Kind::Signed) {
        auto most = static_cast<float>((uint32_t(1) << (width - 1)) - 1);
        floats[i] = std::max(
            -1.0f, static_cast<float>(static_cast<int32_t>(bits[i])) / most);
      } else {
        auto most = static_cast<float>((uint64_t(1) << width) - 1);
        floats[i] = static_cast<float>(bits[i]) / most;
        if (texture.isSRGB && i < 3)
          floats[i] = fromSRGB(floats[i]);
      }
    }
    return floats;
  }
  Texel texelAt(const std::optional<std::array<int64_t, 3>> &place) const {
    if (isFloat())
      return bitsOfFloats(floatsAt(place));
    return place ? bitsAt(element(*place)) : Texel{};
  }
  static Texel bitsOfFloats(const Floats &floats) {
    Texel texel;
    for (unsigned i = 0; i < 4; ++i)
      texel[i] = baseline::bitCast<uint32_t>(floats[i]);
    return texel;
  }

  Floats linear(const TextureRequest &request, int64_t slice) const;
  Texel gather(const TextureRequest &request, int64_t slice) const;
  std::array<int64_t, 3> nearest(const TextureRequest &request,
                                 int64_t slice) const;
  double coordinate(const TextureRequest &request, unsigned axis) const;
  int64_t sliceOf(const TextureRequest &request) const;
};
} // namespace

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// In elements.
double Level::coordinate(const TextureRequest &request, unsigned axis) const {
  double at = request.coordinates[axis];
  const int64_t sizes[] = {image.width, image.height, image.depth};
  if (texture.hasNormalizedCoordinates || request.isCube)
    at *= static_cast<double>(sizes[axis]);
  // Neither NaN nor infinity is anywhere.
  constexpr double Far = 1 << 30;
  return at == at ? std::clamp(at, -Far, Far) : 0;
}

int64_t Level::sliceOf(const TextureRequest &request) const {
  return std::clamp<int64_t>(request.layer, 0, image.depth - 1);
}

std::array<int64_t, 3> Level::nearest(const TextureRequest &request,
                                      int64_t slice) const {
  std::array<int64_t, 3> at{0, 0, slice};
  for (unsigned axis = 0; axis < request.dimensions; ++axis)
    at[axis] = static_cast<int64_t>(std::floor(coordinate(request, axis)));
  return at;
}

Floats Level::linear(const TextureRequest &request, int64_t slice) const {
  std::array<int64_t, 3> first{0, 0, slice};
  float weights[3] = {};
  for (unsigned axis = 0; axis < request.dimensions; ++axis) {
    double at = coordinate(request, axis) - 0.5;
    double low = std::floor(at);
    first[axis] = static_cast<int64_t>(low);
    // 9 bits of fixed point, 8 of them behind the point.
    weights[axis] =
        static_cast<float>(std::floor((at - low) * 256 + 0.5) / 256);
  }
  Floats sum{};
  for (unsigned corner = 0; corner < 1u << request.dimensions; ++corner) {
    std::array<int64_t, 3> at = first;
    float weight = 1;
    for (unsigned axis = 0; axis < request.dimensions; ++axis) {
      bool isNext = corner >> axis & 1;
      at[axis] += isNext;
      weight *= isNext ? weights[axis] : 1 - weights[axis];
    }
    if (weight == 0) // whatever is there, infinite or not
      continue;
    Floats floats = floatsAt(place(at, request.dimensions));
    for (unsigned i = 0; i < 4; ++i)
      sum[i] += weight * floats[i];
  }
  return sum;
}

/// One component of the four elements that linear filtering would look at,
/// against the clock from the lower left.
Texel Level::gather(const TextureRequest &request, int64_t slice) const {
  auto low = [&](unsigned axis) {
    return static_cast<int64_t>(std::floor(coordinate(request, axis) - 0.5));
  };
  static constexpr int Corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Texel result{};
  for (unsigned i = 0; i < 4; ++i)
    result[i] =
        texelAt(place({low(0) + Corners[i][0], low(1) + Corners[i][1], slice},
                      2))[*request.gathered];
  return result;
}

/// The face that a direction goes through and the point on it, between 0 and
/// 1; faces are +x, -x, +y, -y, +z, -z.
static TextureRequest onFace(TextureRequest request) {
  auto [x, y, z] = request.coordinates;
  float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int64_t face;
  float s, t, length;
  if (ax >= ay && ax >= az) {
    face = x < 0;
    s = x < 0 ? z : -z;
    t = -y;
    length = ax;
  } else if (ay >= az) {
    face = 2 + (y < 0);
    s = x;
    t = y < 0 ? -z : z;
    length = ay;
  } else {
    face = 4 + (z < 0);
    s = z < 0 ? -x : x;
    t = -y;
    length = az;
  }
  if (length == 0)
    length = 1;
  request.coordinates = {(s / length + 1) / 2, (t / length + 1) / 2, 0};
  request.layer = request.layer * 6 + face;
  request.dimensions = 2;
  request.isLayered = true;
  return request;
}

static Texel fetchLevel(const Texture &texture, size_t number,
                        const TextureRequest &request) {
  Level level{texture, texture.levels[number]};
  int64_t slice = request.isLayered ? level.sliceOf(request) : 0;
  if (request.isInteger) {
    std::array<int64_t, 3> at = request.element;
    if (request.dimensions < 3)
      at[2] = slice;
    const int64_t sizes[] = {level.image.width, level.image.height,
                             level.image.depth};
    // There are no address modes.
    for (unsigned axis = 0; axis < request.dimensions; ++axis)
      if (at[axis] < 0 || at[axis] >= sizes[axis])
        return {};
    return level.texelAt(at);
  }
  if (request.gathered)
    return level.gather(request, slice);
  if (texture.isLinear && level.isFloat())
    return Level::bitsOfFloats(level.linear(request, slice));
  return level.texelAt(
      level.place(level.nearest(request, slice), request.dimensions));
}

Texel auspex::fetch(const Texture &texture, const TextureRequest &request) {
  if (request.isCube)
    return fetchLevel(texture, 0, onFace(request));
  if (texture.levels.size() == 1)
    return fetchLevel(texture, 0, request);
  float last = static_cast<float>(texture.levels.size() - 1);
  float level = request.level + texture.levelBias;
  level = std::clamp(level == level ? level : 0.0f, texture.lowestLevel,
                     std::max(texture.lowestLevel, texture.highestLevel));
  level = std::clamp(level, 0.0f, last);
  if (!texture.isLinearBetweenLevels)
    return fetchLevel(texture, static_cast<size_t>(level + 0.5f), request);
  float low = std::floor(level);
  float weight = std::floor((level - low) * 256 + 0.5f) / 256;
  Texel a = fetchLevel(texture, static_cast<size_t>(low), request);
  if (weight == 0)
    return a;
  Texel b = fetchLevel(texture, static_cast<size_t>(low) + 1, request);
  for (unsigned i = 0; i < 4; ++i)
    a[i] = baseline::bitCast<uint32_t>((1 - weight) *
                                           baseline::bitCast<float>(a[i]) +
                                       weight * baseline::bitCast<float>(b[i]));
  return a;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

uint64_t TextureTable::add(Texture texture) {
  std::lock_guard<std::mutex> lock(mutex);
  textures[++last] = std::make_shared<const Texture>(std::move(texture));
  return last;
}

bool TextureTable::remove(uint64_t handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return textures.erase(handle) != 0;
}

std::shared_ptr<const Texture> TextureTable::find(uint64_t handle) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = textures.find(handle);
  return found == textures.end() ? nullptr : found->second;
}
