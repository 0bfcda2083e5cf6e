// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Images, and how texture and surface instructions read and write them: as the
/// CUDA C++ Programming Guide's section on texture fetching has it.
#ifndef AUSPEX_EMULATOR_TEXTURES_H
#define AUSPEX_EMULATOR_TEXTURES_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace auspex {

/// Elements in up to three dimensions, row by row, slice by slice.
struct Image {
  /// Keeps the data of an array; null for what the program allocated.
  std::shared_ptr<char[]> owner;
  char *data = nullptr;
  uint64_t rowInBytes = 0, sliceInBytes = 0;
  /// In elements. Layers and faces of cubes are slices.
  int64_t width = 1, height = 1, depth = 1;

  enum class Kind : uint8_t { Signed, Unsigned, Float };
  Kind kind = Kind::Unsigned;
  /// Of each of the element's components: 0, 8, 16 or 32.
  std::array<uint8_t, 4> bits{};

  unsigned elementInBytes() const {
    return (bits[0] + bits[1] + bits[2] + bits[3]) / 8u;
  }
  uint64_t sizeInBytes() const {
    return sliceInBytes * (depth - 1) + rowInBytes * (height - 1) +
           elementInBytes() * width;
  }
  char *at(int64_t x, int64_t y, int64_t z) const {
    return data + x * elementInBytes() + y * rowInBytes + z * sliceInBytes;
  }
};

struct Texture {
  enum class Address : uint8_t { Wrap, Clamp, Mirror, Border };

  /// Of a mipmap, the largest first.
  std::vector<Image> levels;
  std::array<Address, 3> address{Address::Clamp, Address::Clamp,
                                 Address::Clamp};
  /// Weighted means of neighbours; else the nearest element.
  bool isLinear = false;
  /// Integers of 8 and 16 bits stand for floats in [0, 1] or [-1, 1].
  bool isNormalized = false, isSRGB = false;
  bool hasNormalizedCoordinates = false;
  std::array<float, 4> border{};
  bool isLinearBetweenLevels = false;
  float levelBias = 0, lowestLevel = 0, highestLevel = 0;
};

/// What an instruction asks of a texture, for one lane.
struct TextureRequest {
  unsigned dimensions = 1;
  /// Those of an element rather than a point.
  bool isInteger = false;
  bool isLayered = false, isCube = false;
  /// Components of four neighbours, not of one place.
  std::optional<unsigned> gathered;
  std::array<float, 3> coordinates{};
  std::array<int64_t, 3> element{};
  int64_t layer = 0;
  float level = 0;
};

/// Four registers: bits of floats, or integers.
using Texel = std::array<uint32_t, 4>;
Texel fetch(const Texture &texture, const TextureRequest &request);

/// Textures and surfaces by the handles that kernels have. Safe to use from
/// several threads.
class TextureTable {
public:
  uint64_t add(Texture texture);
  /// False if there is no such handle.
  bool remove(uint64_t handle);
  std::shared_ptr<const Texture> find(uint64_t handle) const;

private:
  mutable std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<const Texture>> textures;
  uint64_t last = 0;
};

} // namespace auspex

#endif
