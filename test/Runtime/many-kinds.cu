// Launches that all differ in what their data make them do have a group each,
// up to 64 of a kernel: who comes later is counted where the least differs.
// RUN: %auspex_clang -g %s -o %t
// RUN: auspex run --gpu A100 -o %t.json -- %t > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// CHECK: launches of walk with the same sizes and arguments differ in more than 64 ways; the others are counted with those nearest to them
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON-COUNT-64: "kernel": "{{.*}}walk
// JSON-NOT: "kernel": "{{.*}}walk

__global__ void walk(const int *turns, int *out) {
  int sum = 0;
  for (int i = 0; i < *turns; ++i)
    sum += i ^ threadIdx.x;
  out[threadIdx.x] = sum;
}

int main() {
  int *turns, *out;
  cudaMalloc(&turns, sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  double count = 100;
  for (int i = 0; i < 70; ++i, count *= i == 67 ? 0.001 : 1.13) {
    int whole = static_cast<int>(count);
    cudaMemcpy(turns, &whole, sizeof(int), cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(turns, out);
  }
  return 0;
}
