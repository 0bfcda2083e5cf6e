// A search in min(n, data) places takes no more turns than one in n.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: predicted {{[0-9.]+}} {{[mu]}}s ({{.*}}) for search
// CHECK: open: the trip count of the loop at line [[@LINE+10]] depends on data

__global__ void search(const int *__restrict__ keys,
                       const int *__restrict__ sizes, int *out) {
  __shared__ int tile[2048];
  for (int i = threadIdx.x; i < 2048; i += 256)
    tile[i] = keys[blockIdx.x * 2048 + i];
  __syncthreads();
  int place = threadIdx.x * 8, size = sizes[blockIdx.x];
  int low = max(0, place - size), high = min(place, size);
  while (low < high) {
    int middle = (low + high) >> 1;
    if (tile[middle] <= tile[2047 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  out[blockIdx.x * 256 + threadIdx.x] = low;
}

int main() {
  int n = 16 << 20, *keys, *sizes, *out;
  cudaMalloc(&keys, n * 4);
  cudaMalloc(&sizes, n / 512);
  cudaMalloc(&out, n / 2);
  search<<<n / 2048, 256>>>(keys, sizes, out);
  cudaDeviceSynchronize();
}
