// Texture and surface objects of a toolkit's headers, on arrays and memory.
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda %auspex_clang -g %s -o %t
// RUN: %t | FileCheck %s
// RUN: not %t outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %t freed 2>&1 | FileCheck %s --check-prefix=FREED
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void planes(cudaTextureObject_t points, cudaTextureObject_t linear,
                       cudaTextureObject_t bytes, float *out) {
  out[0] = tex2D<float>(points, 2.7f, 1.2f);
  out[1] = tex2D<float>(linear, 0.5f, 0.5f); // the middle of 4 by 2
  out[2] = tex1Dfetch<float>(bytes, 3);
}
__global__ void volumes(cudaTextureObject_t volume, cudaTextureObject_t layers,
                        float *out) {
  out[0] = tex3D<float>(volume, 1.0f, 1.0f, 1.0f);
  out[1] = tex2DLayered<float>(layers, 1.5f, 0.5f, 1);
}
__global__ void swap(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  int x = threadIdx.x, y = threadIdx.y;
  float2 value = surf2Dread<float2>(in, x * 8, y);
  surf2Dwrite(make_float2(value.y, value.x), out, x * 8, y);
  // Nothing beyond the border.
  surf2Dwrite(value, out, x * 8, y + 2, cudaBoundaryModeZero);
}
__global__ void beyond(cudaSurfaceObject_t surface) {
  // OUTSIDE: kernel 'beyond(unsigned long long)',
  // {{.*}}textures.cu:[[@LINE+1]]:{{[0-9]+}}, block (0,0,0), thread (4,0,0):
  // uses 8 bytes at (32, 0, 0) of a surface of 32 bytes times 2 times 1
  surf2Dwrite(make_float2(1, 2), surface, threadIdx.x * 8, 0);
}
__global__ void late(cudaTextureObject_t texture, float *out) {
  // FREED: kernel 'late(unsigned long long, float*)', {{.*}}: uses a texture
  // whose memory was freed
  *out = tex1Dfetch<float>(texture, 0);
}

static cudaTextureObject_t
texture(const cudaResourceDesc &resource, cudaTextureFilterMode filter,
        bool isNormalized, cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaTextureDesc description = {};
  description.filterMode = filter;
  description.normalizedCoords = isNormalized;
  description.readMode = mode;
  for (cudaTextureAddressMode &address : description.addressMode)
    address = cudaAddressModeClamp;
  cudaTextureObject_t object = 0;
  cudaError_t error =
      cudaCreateTextureObject(&object, &resource, &description, nullptr);
  if (error != cudaSuccess)
    printf("%s\n", cudaGetErrorName(error));
  return object;
}
static cudaResourceDesc of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main(int count, char **arguments) {
  std::vector<float> data(16);
  for (int i = 0; i < 16; ++i)
    data[i] = i;
  float *out;
  cudaMallocManaged(&out, 64);
  cudaArray_t plane, pairs, swapped, volume, layers;
  auto format = cudaCreateChannelDesc<float>();
  auto formatOfPairs = cudaCreateChannelDesc<float2>();
  cudaMallocArray(&plane, &format, 4, 2);
  cudaMemcpy2DToArray(plane, 0, 0, data.data(), 16, 16, 2,
                      cudaMemcpyHostToDevice);
  cudaMallocArray(&pairs, &formatOfPairs, 4, 2, cudaArraySurfaceLoadStore);
  cudaMallocArray(&swapped, &formatOfPairs, 4, 2, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(pairs, 0, 0, data.data(), 32, 32, 2,
                      cudaMemcpyHostToDevice);
  cudaSurfaceObject_t from, to;
  cudaResourceDesc resource = of(pairs);
  cudaCreateSurfaceObject(&from, &resource);
  resource = of(swapped);
  cudaCreateSurfaceObject(&to, &resource);

  unsigned char *bytes;
  cudaMallocManaged(&bytes, 4);
  bytes[3] = 51;
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = bytes;
  linear.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
  linear.res.linear.sizeInBytes = 4;
  cudaTextureObject_t ofBytes =
      texture(linear, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);

  if (count > 1 && !std::strcmp(arguments[1], "outside")) {
    beyond<<<1, 8>>>(to);
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  if (count > 1) {
    cudaFree(bytes);
    late<<<1, 1>>>(ofBytes, out);
    return cudaDeviceSynchronize() != cudaSuccess;
  }

  // Integers are not filtered but as normalized floats.
  // CHECK: cudaErrorInvalidFilterSetting
  texture(linear, cudaFilterModeLinear, false);

  // CHECK: 6 3.5 0.2
  planes<<<1, 1>>>(texture(of(plane), cudaFilterModePoint, false),
                   texture(of(plane), cudaFilterModeLinear, true), ofBytes,
                   out);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", out[0], out[1], out[2]);

  swap<<<1, dim3(4, 2)>>>(from, to);
  std::vector<float> result(16);
  cudaMemcpy2DFromArray(result.data(), 32, swapped, 0, 0, 32, 2,
                        cudaMemcpyDeviceToHost);
  // CHECK: 1 0 3 2
  // CHECK: 15 14
  printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
  printf("%g %g\n", result[14], result[15]);

  cudaMalloc3DArray(&volume, &format, make_cudaExtent(2, 2, 2));
  cudaMalloc3DArray(&layers, &format, make_cudaExtent(2, 2, 2),
                    cudaArrayLayered);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(data.data(), 8, 2, 2);
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  copy.dstArray = volume;
  cudaMemcpy3D(&copy);
  copy.dstArray = layers;
  cudaMemcpy3D(&copy);
  volumes<<<1, 1>>>(texture(of(volume), cudaFilterModeLinear, false),
                    texture(of(layers), cudaFilterModePoint, false), out);
  cudaDeviceSynchronize();
  // CHECK: 3.5 5
  printf("%g %g\n", out[0], out[1]);

  // CHECK: no error no error invalid argument
  printf("%s ", cudaGetErrorString(cudaDestroyTextureObject(ofBytes)));
  printf("%s ", cudaGetErrorString(cudaDestroySurfaceObject(from)));
  printf("%s\n", cudaGetErrorString(cudaDestroyTextureObject(ofBytes)));
}
