// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects.
#include "Arrays.h"

#include <cstring>

using namespace auspex;
using namespace auspex::cuda;

namespace {
/// What an object was made of, to be asked for.
struct Object {
  ResourceDescription resource;
  TextureDescription texture;
};
} // namespace

static std::map<ObjectHandle, Object> &objects() {
  static auto *all = new std::map<ObjectHandle, Object>;
  return *all;
}

/// Before CUDA 13 the description ended before its flags.
static constexpr size_t OldResourceSize = offsetof(ResourceDescription, flags);

static ResourceDescription copyOf(const ResourceDescription &description) {
  ResourceDescription copy = {};
  std::memcpy(static_cast<void *>(&copy), &description, OldResourceSize);
  return copy;
}

static void setFormat(Image &image, const ChannelFormat &format) {
  image.kind = format.kind == ChannelKind::Float    ? Image::Kind::Float
               : format.kind == ChannelKind::Signed ? Image::Kind::Signed
                                                    : Image::Kind::Unsigned;
  image.bits = {static_cast<uint8_t>(format.x), static_cast<uint8_t>(format.y),
                static_cast<uint8_t>(format.z), static_cast<uint8_t>(format.w)};
}

static Image imageOf(Array &array) {
  Image image;
  setFormat(image, array.format);
  image.owner = array.data;
  image.data = array.data.get();
  image.rowInBytes = array.pitch();
  image.sliceInBytes = array.pitch() * array.rows();
  image.width = static_cast<int64_t>(array.extent.width);
  image.height = static_cast<int64_t>(array.rows());
  image.depth = static_cast<int64_t>(array.slices());
  return image;
}

/// An image in memory that the program allocated; its size is in elements.
static Error imageIn(Runtime &runtime, void *pointer,
                     const ChannelFormat &format, size_t width, size_t height,
                     size_t pitch, Image &image) {
  bool isFormat = format.bytes() != 0;
  for (int bits : {format.x, format.y, format.z, format.w})
    isFormat &= bits == 0 || bits == 8 || bits == 16 || bits == 32;
  if (!isFormat)
    return InvalidChannelDescriptor;
  setFormat(image, format);
  image.data = static_cast<char *>(pointer);
  image.rowInBytes = image.sliceInBytes = pitch;
  image.width = static_cast<int64_t>(width);
  image.height = static_cast<int64_t>(height);
  if (width == 0 || height == 0 || pitch < width * format.bytes())
    return InvalidValue;
  std::optional<Allocation> place = runtime.memory.find(pointer);
  if (!place || image.data + image.sizeInBytes() > place->end())
    return InvalidValue;
  return Success;
}

static Error levelsOf(Runtime &runtime, const ResourceDescription &resource,
                      std::vector<Image> &levels) {
  switch (resource.kind) {
  case ResourceKind::Array:
    if (!isArray(resource.array))
      return InvalidValue;
    levels.push_back(imageOf(*resource.array));
    return Success;
  case ResourceKind::MipmappedArray:
    if (!resource.mipmap)
      return InvalidValue;
    for (const std::unique_ptr<Array> &level : resource.mipmap->levels)
      levels.push_back(imageOf(*level));
    return Success;
  case ResourceKind::Linear: {
    const auto &linear = resource.linear;
    size_t bytes = linear.format.bytes();
    return imageIn(runtime, linear.pointer, linear.format,
                   bytes ? linear.sizeInBytes / bytes : 0, 1,
                   linear.sizeInBytes, levels.emplace_back());
  }
  case ResourceKind::Pitch2D: {
    const auto &pitched = resource.pitch2D;
    return imageIn(runtime, pitched.pointer, pitched.format, pitched.width,
                   pitched.height, pitched.pitchInBytes, levels.emplace_back());
  }
  }
  return InvalidValue;
}

//===----------------------------------------------------------------------===//
// Textures
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaCreateTextureObject(
    ObjectHandle *handle, const ResourceDescription *resource,
    const TextureDescription *description, const ResourceView *view) {
  return call([&](Runtime &runtime) {
    if (!handle || !resource || !description)
      return InvalidValue;
    if (view) {
      complain("cudaCreateTextureObject has no resource views here");
      return NotSupported;
    }
    Texture texture;
    if (Error error = levelsOf(runtime, *resource, texture.levels);
        error != Success)
      return error;
    for (unsigned axis = 0; axis < 3; ++axis) {
      int mode = description->addressMode[axis];
      if (mode < 0 || mode > 3)
        return InvalidValue;
      texture.address[axis] = static_cast<Texture::Address>(mode);
    }
    const Image &image = texture.levels[0];
    bool isInteger = image.kind != Image::Kind::Float;
    texture.isLinear = description->filterMode == 1;
    texture.isNormalized = description->readMode == 1 && isInteger;
    if (texture.isNormalized && image.bits[0] == 32)
      return InvalidNormSetting;
    if (texture.isLinear && isInteger && !texture.isNormalized)
      return InvalidFilterSetting;
    texture.isSRGB = description->sRGB != 0;
    std::copy(std::begin(description->borderColor),
              std::end(description->borderColor), texture.border.begin());
    texture.hasNormalizedCoordinates = description->normalizedCoordinates != 0;
    texture.isLinearBetweenLevels = description->mipmapFilterMode == 1;
    texture.levelBias = description->mipmapLevelBias;
    texture.lowestLevel = description->minMipmapLevelClamp;
    texture.highestLevel = description->maxMipmapLevelClamp;
    *handle = runtime.memory.textures.add(std::move(texture));
    objects()[*handle] = {copyOf(*resource), *description};
    return Success;
  });
}

/// 0 is no object, and may be destroyed.
static Error destroy(ObjectHandle handle) {
  return call([&](Runtime &runtime) {
    if (handle && !runtime.memory.textures.remove(handle))
      return InvalidValue;
    objects().erase(handle);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDestroyTextureObject(ObjectHandle handle) {
  return destroy(handle);
}

static Error resourceOf(ResourceDescription *resource, ObjectHandle handle) {
  return call([&](Runtime &) {
    auto found = objects().find(handle);
    if (!resource || found == objects().end())
      return InvalidValue;
    std::memcpy(static_cast<void *>(resource), &found->second.resource,
                OldResourceSize);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error
cudaGetTextureObjectResourceDesc(ResourceDescription *resource,
                                 ObjectHandle handle) {
  return resourceOf(resource, handle);
}

AUSPEX_CUDA cuda::Error
cudaGetTextureObjectTextureDesc(TextureDescription *description,
                                ObjectHandle handle) {
  return call([&](Runtime &) {
    auto found = objects().find(handle);
    if (!description || found == objects().end())
      return InvalidValue;
    *description = found->second.texture;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error
cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const ChannelFormat *format,
                                     int) {
  return call([&](Runtime &) {
    if (!width || !format || format->bytes() == 0)
      return InvalidValue;
    *width = 268435456 / format->bytes();
    return Success;
  });
}

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error
cudaCreateSurfaceObject(ObjectHandle *handle,
                        const ResourceDescription *resource) {
  return call([&](Runtime &runtime) {
    if (!handle || !resource || resource->kind != ResourceKind::Array)
      return InvalidValue;
    Texture surface;
    if (Error error = levelsOf(runtime, *resource, surface.levels);
        error != Success)
      return error;
    *handle = runtime.memory.textures.add(std::move(surface));
    objects()[*handle] = {copyOf(*resource), {}};
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDestroySurfaceObject(ObjectHandle handle) {
  return destroy(handle);
}

AUSPEX_CUDA cuda::Error
cudaGetSurfaceObjectResourceDesc(ResourceDescription *resource,
                                 ObjectHandle handle) {
  return resourceOf(resource, handle);
}
