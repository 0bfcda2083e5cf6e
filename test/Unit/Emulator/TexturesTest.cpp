// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from textures, against the formulas of the CUDA C++ Programming
// Guide's section on texture fetching.
#include "auspex/Emulator/Textures.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

using namespace auspex;

namespace {

/// Floats 10, 20, 30, ... in rows of \p width.
Texture floats(std::vector<float> &data, int64_t width, int64_t height = 1,
               int64_t depth = 1) {
  data.resize(width * height * depth);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = 10 * static_cast<float>(i + 1);
  Image image;
  image.data = reinterpret_cast<char *>(data.data());
  image.rowInBytes = width * sizeof(float);
  image.sliceInBytes = image.rowInBytes * height;
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.kind = Image::Kind::Float;
  image.bits = {32, 0, 0, 0};
  Texture texture;
  texture.levels.push_back(image);
  return texture;
}

float at(const Texture &texture, float x) {
  TextureRequest request;
  request.coordinates = {x, 0, 0};
  return llvm::bit_cast<float>(fetch(texture, request)[0]);
}
float at(const Texture &texture, float x, float y, float z = -1) {
  TextureRequest request;
  request.dimensions = z < 0 ? 2 : 3;
  request.coordinates = {x, y, z};
  return llvm::bit_cast<float>(fetch(texture, request)[0]);
}

TEST(Textures, NearestIsTheFloor) {
  std::vector<float> data;
  Texture texture = floats(data, 4);
  EXPECT_EQ(at(texture, 0.0f), 10);
  EXPECT_EQ(at(texture, 1.99f), 20);
  EXPECT_EQ(at(texture, 3.5f), 40);
}

TEST(Textures, AddressModesOutside) {
  std::vector<float> data;
  Texture texture = floats(data, 4);
  using Address = Texture::Address;
  auto with = [&](Address mode, bool isNormalized, float x) {
    texture.address[0] = mode;
    texture.hasNormalizedCoordinates = isNormalized;
    return at(texture, x);
  };
  EXPECT_EQ(with(Address::Clamp, false, -3), 10);
  EXPECT_EQ(with(Address::Clamp, false, 9), 40);
  texture.border = {-1, 0, 0, 0};
  EXPECT_EQ(with(Address::Border, false, -0.5f), -1);
  EXPECT_EQ(with(Address::Border, false, 4), -1);
  EXPECT_EQ(with(Address::Wrap, true, 1.25f), 20);
  EXPECT_EQ(with(Address::Wrap, true, -0.25f), 40);
  EXPECT_EQ(with(Address::Mirror, true, 1.2f), 40);
  EXPECT_EQ(with(Address::Mirror, true, -0.3f), 20);
  // These two need coordinates between 0 and 1.
  EXPECT_EQ(with(Address::Wrap, false, 5), 40);
  EXPECT_EQ(with(Address::Mirror, false, -1), 10);
}

TEST(Textures, LinearWeightsHaveEightBits) {
  std::vector<float> data;
  Texture texture = floats(data, 4);
  texture.isLinear = true;
  EXPECT_EQ(at(texture, 1.5f), 20); // the middle of an element
  EXPECT_EQ(at(texture, 2.0f), 25); // between two
  EXPECT_EQ(at(texture, 0.0f), 10); // clamped on one side
  EXPECT_EQ(at(texture, 1.75f), 22.5f);
  // 0.1 is 26/256 to the nearest.
  EXPECT_EQ(at(texture, 1.6f), 20 + 10 * 26 / 256.0f);
}

TEST(Textures, LinearInMoreDimensions) {
  std::vector<float> data;
  Texture plane = floats(data, 2, 2);
  plane.isLinear = true;
  EXPECT_EQ(at(plane, 1, 1), 25);
  EXPECT_EQ(at(plane, 0.5f, 1), 20);
  std::vector<float> more;
  Texture cube = floats(more, 2, 2, 2);
  cube.isLinear = true;
  EXPECT_EQ(at(cube, 1, 1, 1), 45);
  EXPECT_EQ(at(cube, 0.5f, 0.5f, 1), 30);
}

TEST(Textures, LayersAreNotFiltered) {
  std::vector<float> data;
  Texture texture = floats(data, 2, 1, 3);
  texture.isLinear = true;
  TextureRequest request;
  request.isLayered = true;
  request.coordinates = {1, 0, 0};
  auto layer = [&](int64_t number) {
    request.layer = number;
    return llvm::bit_cast<float>(fetch(texture, request)[0]);
  };
  EXPECT_EQ(layer(0), 15);
  EXPECT_EQ(layer(2), 55);
  EXPECT_EQ(layer(7), 55); // the last one
}

TEST(Textures, FetchesOfElementsAreZeroOutside) {
  std::vector<float> data;
  Texture texture = floats(data, 4);
  TextureRequest request;
  request.isInteger = true;
  auto element = [&](int64_t x) {
    request.element = {x, 0, 0};
    return llvm::bit_cast<float>(fetch(texture, request)[0]);
  };
  EXPECT_EQ(element(2), 30);
  EXPECT_EQ(element(4), 0);
  EXPECT_EQ(element(-1), 0);
}

TEST(Textures, IntegersAsTheyAreAndNormalized) {
  signed char bytes[] = {-128, 127, 64, -1};
  Image image;
  image.data = reinterpret_cast<char *>(bytes);
  image.width = 1;
  image.rowInBytes = image.sliceInBytes = 4;
  image.kind = Image::Kind::Signed;
  image.bits = {8, 8, 8, 8};
  Texture texture;
  texture.levels.push_back(image);
  Texel texel = fetch(texture, {});
  EXPECT_EQ(static_cast<int32_t>(texel[0]), -128);
  EXPECT_EQ(static_cast<int32_t>(texel[3]), -1);
  texture.isNormalized = true;
  texel = fetch(texture, {});
  EXPECT_EQ(llvm::bit_cast<float>(texel[0]), -1); // not less
  EXPECT_EQ(llvm::bit_cast<float>(texel[1]), 1);
  EXPECT_EQ(llvm::bit_cast<float>(texel[2]), 64 / 127.0f);
  texture.levels[0].kind = Image::Kind::Unsigned;
  EXPECT_EQ(llvm::bit_cast<float>(fetch(texture, {})[3]), 1);
}

TEST(Textures, GathersTheNeighboursOfAPoint) {
  std::vector<float> data;
  Texture texture = floats(data, 3, 3);
  TextureRequest request;
  request.dimensions = 2;
  request.gathered = 0;
  request.coordinates = {1, 1, 0};
  Texel texel = fetch(texture, request);
  const float expected[] = {40, 50, 20, 10};
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(llvm::bit_cast<float>(texel[i]), expected[i]);
}

TEST(Textures, CubesAreLookedAtFromInside) {
  std::vector<float> data;
  Texture texture = floats(data, 1, 1, 6);
  TextureRequest request;
  request.isCube = true;
  const std::array<float, 3> directions[] = {
      {1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 3}, {0, 0, -3}};
  for (unsigned face = 0; face < 6; ++face) {
    request.coordinates = directions[face];
    EXPECT_EQ(llvm::bit_cast<float>(fetch(texture, request)[0]),
              10 * (face + 1));
  }
}

TEST(Textures, LevelsOfAMipmap) {
  std::vector<float> large, small;
  Texture texture = floats(large, 4);
  Texture half = floats(small, 1);
  small[0] = 1000;
  texture.levels.push_back(half.levels[0]);
  texture.hasNormalizedCoordinates = true;
  texture.highestLevel = 9;
  TextureRequest request;
  request.coordinates = {0.3f, 0, 0};
  auto level = [&](float number) {
    request.level = number;
    return llvm::bit_cast<float>(fetch(texture, request)[0]);
  };
  EXPECT_EQ(level(0.4f), 20);
  EXPECT_EQ(level(0.6f), 1000);
  texture.isLinearBetweenLevels = true;
  EXPECT_EQ(level(0.5f), 510);
  texture.highestLevel = 0;
  EXPECT_EQ(level(5), 20);
}

} // namespace
