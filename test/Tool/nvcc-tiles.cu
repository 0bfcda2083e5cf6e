// Before 9.0 ptxas unrolls the products of a tile whole, sixteen turns here,
// if nothing else branches in the loop over the tiles. What follows each other
// in shared memory is loaded at once then, four numbers of a row of the first
// tile. Loads from shared memory of one turn, of 8 + 8 numbers:

// REQUIRES: plugins
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB \
// RUN:   --gpu H100-SXM --launch 'tiles=grid:1,block:256,n=16384' \
// RUN:   --launch 'guardedTiles=grid:1,block:256,n=16384,m=16384' \
// RUN:   --launch 'twoProducts=grid:1,block:256,n=16384'
// RUN: %python -c "import json; \
// RUN:   [print(p['gpu'], p['demangled'].split('(')[0], \
// RUN:    round(p['inputs']['operational']['mix']['load_shared'] / 16384, 1)) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

constexpr int Depth = 16, Tile = 8, Size = 16 * Tile;

struct Tiles {
  float a[Size * Depth], b[Depth * Size];

  __device__ void load(const float *x, const float *y, int n) {
    for (int o = 0; o < Size * Depth; o += 256) {
      int i = o + threadIdx.x;
      a[i] = x[i / Depth * n + i % Depth];
      b[i] = y[i / Size * n + i % Size];
    }
  }
  __device__ void multiply(float (&sums)[Tile][Tile]) {
    int column = threadIdx.x % 16 * Tile, row = threadIdx.x / 16 * Tile;
    for (int k = 0; k < Depth; ++k)
      for (int i = 0; i < Tile; ++i)
        for (int j = 0; j < Tile; ++j)
          sums[i][j] += a[(row + i) * Depth + k] * b[k * Size + column + j];
  }
};
__device__ void store(float *out, int n, float (&sums)[Tile][Tile]) {
  for (int i = 0; i < Tile; ++i)
    for (int j = 0; j < Tile; ++j)
      out[(threadIdx.x / 16 * Tile + i) * n + threadIdx.x % 16 * Tile + j] =
          sums[i][j];
}

// CHECK-DAG: A100-40GB tiles {{[45]\.}}
// CHECK-DAG: H100-SXM tiles 10.0
__global__ void tiles(const float *x, const float *y, float *out, int n) {
  __shared__ Tiles tiles;
  float sums[Tile][Tile] = {};
  for (int k = 0; k < n; k += Depth) {
    tiles.load(x + k, y + k * n, n);
    __syncthreads();
    tiles.multiply(sums);
    __syncthreads();
  }
  store(out, n, sums);
}
// CHECK-DAG: A100-40GB guardedTiles 1{{[0-6]}}.0
// CHECK-DAG: H100-SXM guardedTiles 1{{[0-6]}}.0
__global__ void guardedTiles(const float *x, const float *y, float *out, int n,
                             int m) {
  __shared__ Tiles tiles;
  float sums[Tile][Tile] = {};
  for (int k = 0; k < n; k += Depth) {
    if (k + threadIdx.x < m)
      tiles.load(x + k, y + k * n, n);
    __syncthreads();
    tiles.multiply(sums);
    __syncthreads();
  }
  store(out, n, sums);
}
// CHECK-DAG: A100-40GB twoProducts 20.0
// CHECK-DAG: H100-SXM twoProducts 20.0
__global__ void twoProducts(const float *x, const float *y, float *out, int n) {
  __shared__ Tiles tiles;
  float sums[Tile][Tile] = {};
  for (int k = 0; k < n; k += Depth) {
    tiles.load(x + k, y + k * n, n);
    __syncthreads();
    tiles.multiply(sums);
    __syncthreads();
    tiles.load(y + k, x + k * n, n);
    __syncthreads();
    tiles.multiply(sums);
    __syncthreads();
  }
  store(out, n, sums);
}
