// What host code copies to variables of the GPU.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

struct Grid {
  int width, height;
  float *cells;
  int halo[2];
};

__constant__ int count;
__constant__ int twice;
__constant__ int initial = 7;
__constant__ int changed = 7;
__constant__ int part[4];
__constant__ int table[2];
__constant__ Grid grid;
__device__ int stride;
__device__ int given;
__device__ float *rows;
__constant__ float limit;
__constant__ int small;
static __constant__ int hidden;
namespace sizes {
__constant__ int depth;
}

__global__ void one(float *x) {
  for (int i = 0; i < count; ++i)
    x[i] = limit;
}
// CHECK: launch _Z3onePf: grid 1x1x1, block 32x1x1, shared 0, @count.0=100, @limit.0=0.5 (source)
void set(float *x) {
  int n = 100;
  float most = 0.5f;
  cudaMemcpyToSymbol(count, &n, sizeof(int));
  cudaMemcpyToSymbol(limit, &most, sizeof(float));
  one<<<1, 32>>>(x);
}

// Of several copies the last one counts, also where the source gives a value.
__global__ void two(float *x) { x[twice + changed] = initial; }
// CHECK: launch _Z3twoPf: grid 1x1x1, block 32x1x1, shared 0, @changed.0=1, @initial.0=7, @twice.0=2 (source)
void setTwice(float *x) {
  int n = 1, m = 2;
  cudaMemcpyToSymbol(twice, &n, sizeof(n));
  cudaMemcpyToSymbol(changed, &n, sizeof(n));
  cudaMemcpyToSymbol(twice, &m, sizeof(m));
  two<<<1, 32>>>(x);
}

// Structs and arrays, by their parts; what is found in functions that the
// kernel calls.
__device__ int width() { return grid.width; }
__global__ void parts(float *x) {
  x[width() * table[1] + grid.halo[1]] = part[0] + hidden + sizes::depth;
}
// CHECK: launch _Z5partsPf: grid 1x1x1, block 32x1x1, shared 0, @_ZL6hidden.0=3, @_ZN5sizes5depthE.0=4, @grid.0=640, @grid.16=1, @grid.20=2, @grid.4=480, @table.0=5, @table.4=6, *@grid.8 of 4096 B (source)
void setParts(float *x) {
  int values[] = {5, 6}, three = 3, four = 4;
  Grid host = {640, 480, nullptr, {1, 2}};
  cudaMalloc(&host.cells, 4096);
  cudaMemcpyToSymbol(grid, &host, sizeof(Grid));
  cudaMemcpyToSymbol(table, values, sizeof(values));
  cudaMemcpyToSymbol(part, &values[0], sizeof(int), 4);
  cudaMemcpyToSymbol(hidden, &three, sizeof(int));
  cudaMemcpyToSymbol(sizes::depth, &four, sizeof(int));
  parts<<<1, 32>>>(x);
}

// Variables of __device__, through functions that set them.
__global__ void device(float *x) { x[stride] = rows[given]; }
static void prepare(int n) {
  float *memory;
  cudaMalloc(&memory, n * sizeof(float));
  cudaMemcpyToSymbol(stride, &n, sizeof(n));
  cudaMemcpyToSymbol(rows, &memory, sizeof(memory));
}
// CHECK: launch _Z6devicePf: grid 8x1x1, block 32x1x1, shared 0, @stride.0=256, *@rows.0 of 1024 B (source)
void setDevice(float *x) {
  void *address;
  prepare(256);
  cudaGetSymbolAddress(&address, given);
  device<<<8, 32>>>(x);
}

// Another type than the variable's says nothing.
__global__ void typed(float *x) { x[small] = 0; }
// CHECK: launch _Z5typedPf: grid 1x1x1, block 32x1x1, shared 0 (source)
void setTyped(float *x) {
  long n = 9;
  cudaMemcpyToSymbol(small, &n, sizeof(int));
  typed<<<1, 32>>>(x);
}
