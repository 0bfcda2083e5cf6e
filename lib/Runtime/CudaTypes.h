// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The types of the CUDA runtime's binary interface, under names of our own:
/// programs were compiled against a toolkit's headers or the small ones in
/// share/cuda, this library is compiled against neither.
#ifndef AUSPEX_LIB_RUNTIME_CUDATYPES_H
#define AUSPEX_LIB_RUNTIME_CUDATYPES_H

#include <cstddef>
#include <cstdint>

namespace auspex::cuda {

enum Error : int {
#define AUSPEX_CUDA_ERROR(NUMBER, NAME, TEXT) NAME = NUMBER,
#include "Errors.def"
};

/// dim3 and uint3; passed by value.
struct Dim3 {
  unsigned x, y, z;
};

struct Stream;
struct Event;
struct Array;
struct MipmappedArray;
struct Graph;
struct GraphNode;
struct GraphExec;
struct MemoryPool;

enum CopyKind : int {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  DefaultKind
};

struct Extent {
  size_t width, height, depth;
};
struct Position {
  size_t x, y, z;
};
struct PitchedPointer {
  void *pointer;
  size_t pitch, xSize, ySize;
};

struct Copy3D {
  Array *sourceArray;
  Position sourcePosition;
  PitchedPointer source;
  Array *targetArray;
  Position targetPosition;
  PitchedPointer target;
  Extent extent;
  CopyKind kind;
};
struct Copy3DPeer {
  Array *sourceArray;
  Position sourcePosition;
  PitchedPointer source;
  int sourceDevice;
  Array *targetArray;
  Position targetPosition;
  PitchedPointer target;
  int targetDevice;
  Extent extent;
};

enum class ChannelKind : int { Signed, Unsigned, Float, None };
struct ChannelFormat {
  /// Bits.
  int x, y, z, w;
  ChannelKind kind;

  size_t bytes() const { return (x + y + z + w) / 8; }
};

enum class ResourceKind : int { Array, MipmappedArray, Linear, Pitch2D };
struct ResourceDescription {
  ResourceKind kind;
  union {
    Array *array;
    MipmappedArray *mipmap;
    struct {
      void *pointer;
      ChannelFormat format;
      size_t sizeInBytes;
    } linear;
    struct {
      void *pointer;
      ChannelFormat format;
      size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  };
  unsigned flags;
};
static_assert(sizeof(ResourceDescription) == 144);

struct TextureDescription {
  /// 0 wrap, 1 clamp, 2 mirror, 3 border.
  int addressMode[3];
  /// 0 point, 1 linear.
  int filterMode;
  /// 0 element type, 1 normalized float.
  int readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoordinates;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};
struct ResourceView;
using ObjectHandle = unsigned long long;

struct FunctionAttributes {
  size_t sharedSizeInBytes, constSizeInBytes, localSizeInBytes;
  int maxThreadsPerBlock, registers, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeInBytes, preferredCarveout;
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight,
      requiredClusterDepth, clusterSchedulingPolicy,
      nonPortableClusterSizeAllowed;
  int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);

struct PointerAttributes {
  /// 0 unregistered, 1 host, 2 device, 3 managed.
  int type;
  int device;
  void *devicePointer, *hostPointer;
  /// Since 13; what came before it wrote nothing here.
};

struct LaunchAttribute {
  enum : int { Cooperative = 2, ClusterDimension = 4 };
  int id;
  char pad[4];
  union {
    char bytes[64];
    int cooperative;
    Dim3 cluster;
  };
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfiguration {
  Dim3 grid, block;
  size_t dynamicSharedInBytes;
  Stream *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct CooperativeLaunchParameters {
  void *function;
  Dim3 grid, block;
  void **arguments;
  size_t dynamicSharedInBytes;
  Stream *stream;
};

struct KernelNodeParameters {
  void *function;
  Dim3 grid, block;
  unsigned dynamicSharedInBytes;
  void **arguments;
  void **extra;
};
struct FillNodeParameters {
  void *target;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
using HostFunction = void (*)(void *);
struct HostNodeParameters {
  HostFunction function;
  void *data;
};
using StreamCallback = void (*)(Stream *, Error, void *);

} // namespace auspex::cuda

#endif
