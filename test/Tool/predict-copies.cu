// nvcc copies aligned structures in vectors of 16 bytes; of 32 for Blackwell,
// where they are aligned to as much.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --check-prefix=A100
// RUN: auspex predict %s --gpu B200 | FileCheck %s --check-prefix=B200

struct alignas(16) Body {
  float x, y, z, mass, u, v, w, charge;
};
struct alignas(32) Cell {
  double north, east, south, west;
};

// A100-LABEL:   bodies(
// A100-COUNT-2: load of 16 B a lane
// B200-LABEL:   bodies(
// B200-COUNT-2: load of 16 B a lane
__global__ void bodies(const Body *in, Body *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// A100-LABEL:   cells(
// A100-COUNT-2: load of 16 B a lane
// B200-LABEL:   cells(
// B200:         load of 32 B a lane: 32 sectors a request, the fewest for its width
// B200-NOT:     UncoalescedAccess
__global__ void cells(const Cell *in, Cell *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

int main() {
  Body *bodiesIn, *bodiesOut;
  Cell *cellsIn, *cellsOut;
  cudaMalloc(&bodiesIn, sizeof(Body) << 20);
  cudaMalloc(&bodiesOut, sizeof(Body) << 20);
  cudaMalloc(&cellsIn, sizeof(Cell) << 20);
  cudaMalloc(&cellsOut, sizeof(Cell) << 20);
  bodies<<<4096, 256>>>(bodiesIn, bodiesOut);
  cells<<<4096, 256>>>(cellsIn, cellsOut);
}
