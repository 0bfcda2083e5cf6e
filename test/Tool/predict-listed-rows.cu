// Rows that a list picks: there are as many as their array says, 16 elements
// each, not as few as are picked.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: assumed: {{.*}}goes over all of elements once, 16 turns in the mean

__global__ void frontier(const int *__restrict__ first,
                         const int *__restrict__ elements, const int *list,
                         int size, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int row = list[i], sum = 0;
  for (int e = first[row]; e < first[row + 1]; ++e)
    sum += elements[e];
  out[i] = sum;
}

int main() {
  int rows = 1 << 22, count = 16 << 22, size = 1 << 16;
  int *first, *elements, *list, *out;
  cudaMalloc(&first, (rows + 1) * 4);
  cudaMalloc(&elements, count * 4ull);
  cudaMalloc(&list, size * 4);
  cudaMalloc(&out, size * 4);
  frontier<<<size / 256, 256>>>(first, elements, list, size, out);
  cudaDeviceSynchronize();
}
