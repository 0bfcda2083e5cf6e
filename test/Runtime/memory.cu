// Memory of all kinds and copies in all directions.
// RUN: %auspex_clang %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstring>

__global__ void scale(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}

__global__ void scaleRows(char *data, size_t pitch, int width) {
  int *row = (int *)(data + blockIdx.x * pitch);
  if (threadIdx.x < width)
    row[threadIdx.x] += blockIdx.x;
}

static void say(const char *what, const int *values) {
  printf("%s: %d %d %d %d\n", what, values[0], values[1], values[2], values[3]);
}

/// What was allocated is there no more.
static void reset() {
  size_t before, between, after, all;
  char *memory;
  cudaMemGetInfo(&before, &all);
  cudaMalloc(&memory, 1 << 20);
  cudaMemGetInfo(&between, &all);
  cudaDeviceReset();
  cudaMemGetInfo(&after, &all);
  printf("reset: %d %d, %s\n", before - between >= 1 << 20, before == after,
         cudaGetErrorString(cudaFree(memory)));
  cudaGetLastError();
}

int main() {
  reset(); // CHECK: reset: 1 1, invalid argument
  int values[4] = {1, 2, 3, 4};
  // Managed memory is the host's and the device's.
  int *managed;
  cudaMallocManaged(&managed, sizeof(values));
  memcpy(managed, values, sizeof(values));
  scale<<<1, 32>>>(managed, 4);
  cudaDeviceSynchronize();
  say("managed", managed); // CHECK: managed: 2 4 6 8

  int *pinned, *mapped;
  cudaHostAlloc(&pinned, sizeof(values), cudaHostAllocMapped);
  memcpy(pinned, values, sizeof(values));
  cudaHostGetDevicePointer(&mapped, pinned, 0);
  scale<<<1, 32>>>(mapped, 4);
  cudaDeviceSynchronize();
  say("pinned", pinned); // CHECK: pinned: 2 4 6 8

  cudaHostRegister(values, sizeof(values), cudaHostRegisterMapped);
  scale<<<1, 32>>>(values, 4);
  cudaDeviceSynchronize();
  say("registered", values); // CHECK: registered: 2 4 6 8
  cudaHostUnregister(values);

  cudaPointerAttributes attributes;
  int types[4];
  const void *pointers[] = {managed, pinned + 1, values, nullptr};
  void *device;
  cudaMalloc(&device, 64);
  pointers[3] = (char *)device + 8;
  for (int i = 0; i < 4; ++i) {
    cudaPointerGetAttributes(&attributes, pointers[i]);
    types[i] = attributes.type;
  }
  say("types", types); // CHECK: types: 3 1 0 2

  // Rows with a pitch.
  char *rows;
  size_t pitch;
  cudaMallocPitch((void **)&rows, &pitch, 8, 2);
  cudaMemcpy2D(rows, pitch, values, 8, 8, 2, cudaMemcpyHostToDevice);
  scaleRows<<<2, 32>>>(rows, pitch, 2);
  int back[4] = {};
  cudaMemcpy2D(back, 8, rows, pitch, 8, 2, cudaMemcpyDeviceToHost);
  say("pitched", back); // CHECK: pitched: 2 4 7 9
  // CHECK: pitch 512
  printf("pitch %zu\n", pitch);

  cudaMemset2D(rows, pitch, 1, 4, 2);
  cudaMemcpy2D(back, 8, rows, pitch, 8, 2, cudaMemcpyDefault);
  say("filled", back); // CHECK: filled: 16843009 4 16843009 9

  // A box in three dimensions.
  cudaPitchedPtr box;
  cudaMalloc3D(&box, make_cudaExtent(8, 2, 2));
  cudaMemset3D(box, 0, make_cudaExtent(8, 2, 2));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, 8, 8, 2);
  copy.dstPtr = box;
  copy.dstPos = make_cudaPos(0, 0, 1);
  copy.extent = make_cudaExtent(8, 2, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaMemcpy2D(back, 8, (char *)box.ptr + 2 * box.pitch, box.pitch, 8, 2,
               cudaMemcpyDeviceToHost);
  say("box", back); // CHECK: box: 2 4 6 8

  // An array, whose layout is nobody's business.
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpy2DToArray(array, 0, 0, values, 8, 8, 2, cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArray(back, 8, array, 4, 0, 4, 2, cudaMemcpyDeviceToHost);
  say("array", back); // CHECK: array: 4 4 8 8

  // In the order of a stream.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *ordered;
  cudaMallocAsync(&ordered, 16, stream);
  cudaMemcpyAsync(ordered, values, 16, cudaMemcpyHostToDevice, stream);
  scale<<<1, 32, 0, stream>>>(ordered, 4);
  cudaMemcpyAsync(back, ordered, 16, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(ordered, stream);
  cudaStreamSynchronize(stream);
  say("ordered", back); // CHECK: ordered: 4 8 12 16
  // CHECK: no error
  puts(cudaGetErrorString(cudaGetLastError()));

  // Sizes that no number has.
  void *huge;
  cudaError_t host = cudaMallocHost(&huge, (size_t)-1);
  cudaError_t plane = cudaMallocPitch(&huge, &pitch, 1ul << 40, 1 << 24);
  cudaError_t slices =
      cudaMalloc3D(&box, make_cudaExtent(1ul << 40, 1 << 20, 1 << 20));
  // CHECK: huge: 2 2 2 1
  printf("huge: %d %d %d %d\n", host, plane, slices,
         cudaMemcpy(ordered, values, (size_t)-1, cudaMemcpyHostToDevice));
}
