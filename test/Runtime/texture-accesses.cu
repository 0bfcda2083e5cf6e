// Textures and surfaces are among the accesses of a profile, by requests and
// lanes, and in the traffic of its prediction.
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda %auspex_clang -g %s -o %t
// RUN: auspex run --gpu A100 -o %t.json -- %t
// RUN: FileCheck %s < %t.json

// Each of 8 warps brings in a texel of 4 B a lane, however often it fetches.
// CHECK: "name":"arg1","argument":"out",
// CHECK-SAME: "dramStoreInBytes":1024,
// CHECK: "name":"arg0","argument":"in","usefulLoadInBytes":3072,
// CHECK-SAME: "dramLoadInBytes":1024,
// CHECK: "profile":
// CHECK: "kind":"store","space":"texture","base":"arg1",
// CHECK-SAME: "requests":8,"lanes":256}
// CHECK: "kind":"load","space":"texture","base":"arg0",
// CHECK-SAME: "requests":24,"lanes":768}

__global__ void copy(cudaTextureObject_t in, cudaSurfaceObject_t out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 3; ++i)
    sum += tex2D<float>(in, x + i, 0.5f);
  surf2Dwrite(sum, out, x * 4, 0);
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t in, out;
  cudaMallocArray(&in, &format, 256, 1);
  cudaMallocArray(&out, &format, 256, 1, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = in;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  resource.res.array.array = out;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  copy<<<4, 64>>>(texture, surface);
  return cudaDeviceSynchronize();
}
