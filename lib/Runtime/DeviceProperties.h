// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// cudaDeviceProp as CUDA 12 and CUDA 13 lay it out: 13 dropped a few members.
/// The names are CUDA's, so that programs and this can be compared.
#ifndef AUSPEX_LIB_RUNTIME_DEVICEPROPERTIES_H
#define AUSPEX_LIB_RUNTIME_DEVICEPROPERTIES_H

#include <cstddef>

namespace auspex::cuda {

// Members that both have, in runs between those that 13 dropped.
#define AUSPEX_PROPERTIES_1                                                    \
  char name[256], uuid[16], luid[8];                                           \
  unsigned luidDeviceNodeMask;                                                 \
  size_t totalGlobalMem, sharedMemPerBlock;                                    \
  int regsPerBlock, warpSize;                                                  \
  size_t memPitch;                                                             \
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
#define AUSPEX_PROPERTIES_2                                                    \
  size_t totalConstMem;                                                        \
  int major, minor;                                                            \
  size_t textureAlignment, texturePitchAlignment;
#define AUSPEX_PROPERTIES_3                                                    \
  int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],           \
      maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3],              \
      maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],       \
      maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2],              \
      maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3],         \
      maxSurfaceCubemap, maxSurfaceCubemapLayered[2];                          \
  size_t surfaceAlignment;                                                     \
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID,       \
      tccDriver, asyncEngineCount, unifiedAddressing;
#define AUSPEX_PROPERTIES_4                                                    \
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,                   \
      maxThreadsPerMultiProcessor, streamPrioritiesSupported,                  \
      globalL1CacheSupported, localL1CacheSupported;                           \
  size_t sharedMemPerMultiprocessor;                                           \
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard,                   \
      multiGpuBoardGroupID, hostNativeAtomicSupported;
#define AUSPEX_PROPERTIES_5                                                    \
  int pageableMemoryAccess, concurrentManagedAccess,                           \
      computePreemptionSupported, canUseHostPointerForRegisteredMem,           \
      cooperativeLaunch;
#define AUSPEX_PROPERTIES_6                                                    \
  size_t sharedMemPerBlockOptin;                                               \
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,  \
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;                   \
  size_t reservedSharedMemPerBlock;                                            \
  int hostRegisterSupported, sparseCudaArraySupported,                         \
      hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported,        \
      memoryPoolsSupported, gpuDirectRDMASupported;                            \
  unsigned gpuDirectRDMAFlushWritesOptions;                                    \
  int gpuDirectRDMAWritesOrdering;                                             \
  unsigned memoryPoolSupportedHandleTypes;                                     \
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch,     \
      unifiedFunctionPointers;                                                 \
  int reserved[63];

struct DeviceProperties12 {
  AUSPEX_PROPERTIES_1
  int clockRate;
  AUSPEX_PROPERTIES_2
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated,
      canMapHostMemory, computeMode, maxTexture1D, maxTexture1DMipmap,
      maxTexture1DLinear;
  AUSPEX_PROPERTIES_3
  int memoryClockRate;
  AUSPEX_PROPERTIES_4
  int singleToDoublePrecisionPerfRatio;
  AUSPEX_PROPERTIES_5
  int cooperativeMultiDeviceLaunch;
  AUSPEX_PROPERTIES_6
};
static_assert(sizeof(DeviceProperties12) == 1032);

struct DeviceProperties13 {
  AUSPEX_PROPERTIES_1
  AUSPEX_PROPERTIES_2
  int multiProcessorCount, integrated, canMapHostMemory, maxTexture1D,
      maxTexture1DMipmap;
  AUSPEX_PROPERTIES_3
  AUSPEX_PROPERTIES_4
  AUSPEX_PROPERTIES_5
  AUSPEX_PROPERTIES_6
};
static_assert(sizeof(DeviceProperties13) == 1008);

#undef AUSPEX_PROPERTIES_1
#undef AUSPEX_PROPERTIES_2
#undef AUSPEX_PROPERTIES_3
#undef AUSPEX_PROPERTIES_4
#undef AUSPEX_PROPERTIES_5
#undef AUSPEX_PROPERTIES_6

} // namespace auspex::cuda

#endif
