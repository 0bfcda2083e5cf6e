// nvcuda::wmma of the toolkit's headers, in all types, against the host.
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda %auspex_clang --offload-arch=sm_80 %s -o %t
// RUN: env AUSPEX_RUN_RECORD=%t.json %t | FileCheck %s

// The analysis counts the same accesses.
// RUN: %compare_run %t.json | FileCheck %s --check-prefix=ORACLE --implicit-check-not=unknown
// ORACLE-COUNT-9: accesses: {{[0-9]+}} agree;
#include <cstdio>
#include <mma.h>
#include <vector>

using namespace nvcuda;

template <class T> struct Memory {
  T *data;
  explicit Memory(size_t size) { cudaMallocManaged(&data, size * sizeof(T)); }
};

template <int m, int n, int k, class In, class Type, class Out, class LayoutA,
          class LayoutB>
__global__ void multiply(const In *a, const In *b, const Out *c, Out *d) {
  wmma::fragment<wmma::matrix_a, m, n, k, Type, LayoutA> partA;
  wmma::fragment<wmma::matrix_b, m, n, k, Type, LayoutB> partB;
  wmma::fragment<wmma::accumulator, m, n, k, Out> partC;
  constexpr bool rowsA = std::is_same_v<LayoutA, wmma::row_major>;
  constexpr bool rowsB = std::is_same_v<LayoutB, wmma::row_major>;
  wmma::load_matrix_sync(partA, a, rowsA ? k : m);
  wmma::load_matrix_sync(partB, b, rowsB ? n : k);
  wmma::load_matrix_sync(partC, c, n, wmma::mem_row_major);
  for (int i = 0; i < partC.num_elements; ++i)
    partC.x[i] = partC.x[i] + Out(1);
  wmma::mma_sync(partC, partA, partB, partC);
  wmma::store_matrix_sync(d, partC, m, wmma::mem_col_major);
}

template <int m, int n, int k, class In, class Type, class Out, class LayoutA,
          class LayoutB>
void check(const char *name) {
  Memory<In> a(m * k), b(k * n);
  Memory<Out> c(m * n), d(m * n);
  bool rowsA = std::is_same_v<LayoutA, wmma::row_major>;
  bool rowsB = std::is_same_v<LayoutB, wmma::row_major>;
  auto valueA = [](int i, int x) { return (i * 3 + x * 5) % 7; };
  auto valueB = [](int x, int j) { return (x * 2 + j * 9) % 5; };
  for (int i = 0; i < m; ++i)
    for (int x = 0; x < k; ++x)
      a.data[rowsA ? i * k + x : x * m + i] = In(float(valueA(i, x)));
  for (int x = 0; x < k; ++x)
    for (int j = 0; j < n; ++j)
      b.data[rowsB ? x * n + j : j * k + x] = In(float(valueB(x, j)));
  for (int i = 0; i < m * n; ++i)
    c.data[i] = Out(float(i % 50));
  multiply<m, n, k, In, Type, Out, LayoutA, LayoutB>
      <<<1, 32>>>(a.data, b.data, c.data, d.data);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = (i * n + j) % 50 + 1;
      for (int x = 0; x < k; ++x)
        sum += valueA(i, x) * valueB(x, j);
      wrong += float(d.data[j * m + i]) != float(sum);
    }
  printf("%s: %d wrong\n", name, wrong);
}

int main() {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  // CHECK: halves to floats: 0 wrong
  check<16, 16, 16, __half, __half, float, Row, Column>("halves to floats");
  // CHECK: halves by columns: 0 wrong
  check<16, 16, 16, __half, __half, float, Column, Row>("halves by columns");
  // CHECK: halves to halves: 0 wrong
  check<32, 8, 16, __half, __half, __half, Row, Row>("halves to halves");
  // CHECK: wide halves: 0 wrong
  check<8, 32, 16, __half, __half, float, Column, Column>("wide halves");
  // CHECK: bfloats: 0 wrong
  check<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, Row, Column>("bfloats");
  // CHECK: tf32: 0 wrong
  check<16, 16, 8, float, wmma::precision::tf32, float, Row, Row>("tf32");
  // CHECK: doubles: 0 wrong
  check<8, 8, 4, double, double, double, Row, Column>("doubles");
  // CHECK: bytes: 0 wrong
  check<16, 16, 16, signed char, signed char, int, Column, Row>("bytes");
  // CHECK: unsigned bytes: 0 wrong
  check<8, 32, 16, unsigned char, unsigned char, int, Row, Column>(
      "unsigned bytes");
}
