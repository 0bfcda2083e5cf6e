// Binary searches of an array that L2 holds read it from DRAM once: turns late
// in a search come to the same lines as those before.

// RUN: auspex predict %s --gpu RTX-3080 | FileCheck %s

// CHECK: predicted 6{{[0-9]+}} us {{.*}}for find
// CHECK: keys loads {{.*}} 4.19 MB{{$}}
__global__ void find(const int *keys, const int *wanted, int *places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = n, key = wanted[i];
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  places[i] = low;
}

int main() {
  int n = 1 << 20, m = 1 << 22, *keys, *wanted, *places;
  cudaMalloc(&keys, n * 4);
  cudaMalloc(&wanted, m * 4);
  cudaMalloc(&places, m * 4);
  find<<<m / 256, 256>>>(keys, wanted, places, n);
}
