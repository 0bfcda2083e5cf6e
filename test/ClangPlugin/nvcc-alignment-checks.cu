// Code that asks whether its pointers are aligned before it takes a vector at
// once. Of nvcc 13 all three kernels have a way with ld.global.v4 and one with
// four loads, and as arrays begin at multiples of 256 bytes, the first two take
// the former. What clang makes for somebody loads elements: both ways have
// loads in common. Where `odd` goes is not known.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.nvcc.json
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.clang.json
// RUN: %python %S/Inputs/spaces.py %t.nvcc.json | FileCheck %s --check-prefix=NVCC
// RUN: %python %S/Inputs/spaces.py %t.clang.json | FileCheck %s --check-prefix=CLANG

// NVCC:      tile: 0 B local, registers {{[0-9]+}}, global: 1 load 1 store{{$}}
// NVCC-NEXT: both: 0 B local, registers {{[0-9]+}}, global: 1 load 1 store{{$}}
// NVCC-NEXT: odd: 0 B local, registers {{[0-9]+}}, global: 4 load 1 store{{$}}
// CLANG:      tile: 0 B local, registers {{[0-9]+}}, global: 4 load 1 store{{$}}
// CLANG:      odd: 0 B local, registers {{[0-9]+}}, global: 4 load 1 store{{$}}

__device__ float sumOf4(const float *p) {
  float s[4];
  if (reinterpret_cast<unsigned long long>(p) % alignof(float4) == 0) {
    float4 v = reinterpret_cast<const float4 *>(p)[threadIdx.x];
    s[0] = v.x, s[1] = v.y, s[2] = v.z, s[3] = v.w;
  } else {
    for (int k = 0; k < 4; ++k)
      s[k] = p[threadIdx.x * 4 + k];
  }
  return s[0] + s[1] + s[2] + s[3];
}

__global__ void tile(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sumOf4(in + blockIdx.x * 1024);
}

__global__ void both(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto places = reinterpret_cast<unsigned long long>(in) |
                reinterpret_cast<unsigned long long>(out);
  if ((places & 15) == 0)
    reinterpret_cast<float4 *>(out)[i] =
        reinterpret_cast<const float4 *>(in)[i];
  else
    for (int k = 0; k < 4; ++k)
      out[4 * i + k] = in[4 * i + k];
}

__global__ void odd(const float *in, float *out, int skip) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sumOf4(in + blockIdx.x * skip);
}
