// Tensor cores by inline PTX: tiles come to shared memory by asynchronous
// copies, to registers by ldmatrix, and are multiplied by mma. The result is
// compared with the host's.
// RUN: %auspex_clang --offload-arch=sm_90 %s -o %t
// RUN: env AUSPEX_RUN_RECORD=%t.json %t | FileCheck %s

// Of what ldmatrix and stmatrix touch the analysis says the same, also where
// only some lanes have rows.
// RUN: %compare_run %t.json | FileCheck %s --check-prefix=ORACLE
// ORACLE: multiply 4x2x1 32x1x1; accesses: 28 agree;
// ORACLE: transpose 1x1x1 32x1x1; accesses: 6 agree;
#include <cstdint>
#include <cstdio>

constexpr int M = 32, N = 32, K = 64;
using Half = uint16_t;

__device__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// A warp multiplies 16 rows by 8 columns; A and B are stored by rows.
__global__ void multiply(const Half *a, const Half *b, float *c) {
  __shared__ alignas(16) Half tileA[16][16], tileB[16][8];
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 8 * blockIdx.x;
  float sums[4] = {};
  for (int k = 0; k < K; k += 16) {
    // 16 bytes a lane: half a row of A, and a row of B.
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     sharedAddress(&tileA[lane / 2][lane % 2 * 8])),
                 "l"(a + (row + lane / 2) * K + k + lane % 2 * 8));
    if (lane < 16)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(
                       sharedAddress(&tileB[lane][0])),
                   "l"(b + (k + lane) * N + column), "r"(16));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncwarp();
    uint32_t as[4], bs[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(as[0]), "=r"(as[1]), "=r"(as[2]), "=r"(as[3])
                 : "r"(sharedAddress(&tileA[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(bs[0]), "=r"(bs[1])
                 : "r"(sharedAddress(&tileB[lane % 16][0])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(as[0]), "r"(as[1]), "r"(as[2]), "r"(as[3]), "r"(bs[0]),
                   "r"(bs[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i)
    c[(row + lane / 4 + i / 2 * 8) * N + column + lane % 4 * 2 + i % 2] =
        sums[i];
}

// What ldmatrix reads, stmatrix writes back.
__global__ void transpose(const Half *in, Half *out) {
  __shared__ alignas(16) Half tile[16][8];
  int lane = threadIdx.x;
  for (int i = lane; i < 128; i += 32)
    tile[i / 8][i % 8] = in[i];
  __syncwarp();
  uint32_t x, y;
  uint32_t row = sharedAddress(&tile[lane % 16][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(x), "=r"(y)
               : "r"(row));
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(
          row),
      "r"(x), "r"(y));
  __syncwarp();
  for (int i = lane; i < 128; i += 32)
    out[i] = tile[i / 8][i % 8];
}

// Warps hand a number around, each waiting for the phase of a barrier in
// memory that the one before it ends.
__global__ void relay(int *out) {
  __shared__ alignas(8) uint64_t barriers[4];
  __shared__ int value;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    value = 1;
    for (uint64_t &barrier : barriers)
      asm volatile(
          "mbarrier.init.shared.b64 [%0], 32;" ::"r"(sharedAddress(&barrier)));
  }
  __syncthreads();
  if (warp > 0) {
    uint32_t isOver = 0;
    while (!isOver)
      asm volatile("{ .reg .pred p;\n"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                   "selp.u32 %0, 1, 0, p; }"
                   : "=r"(isOver)
                   : "r"(sharedAddress(&barriers[warp - 1]))
                   : "memory");
  }
  if (lane == 0)
    value = value * 10 + warp;
  __syncwarp();
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(
          sharedAddress(&barriers[warp]))
      : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    *out = value;
}

static Half half(int value) {
  _Float16 number = value;
  Half bits;
  __builtin_memcpy(&bits, &number, 2);
  return bits;
}

int main() {
  Half *a, *b;
  float *c;
  int *out;
  cudaMallocManaged(&a, M * K * sizeof(Half));
  cudaMallocManaged(&b, K * N * sizeof(Half));
  cudaMallocManaged(&c, M * N * sizeof(float));
  cudaMallocManaged(&out, sizeof(int));
  auto valueA = [](int i, int k) { return (i * 5 + k * 3) % 13 - 6; };
  auto valueB = [](int k, int j) { return (k * 7 + j * 11) % 17 - 8; };
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k)
      a[i * K + k] = half(valueA(i, k));
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j)
      b[k * N + j] = half(valueB(k, j));
  multiply<<<dim3(N / 8, M / 16), 32>>>(a, b, c);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      int sum = 0;
      for (int k = 0; k < K; ++k)
        sum += valueA(i, k) * valueB(k, j);
      wrong += c[i * N + j] != sum;
    }
  // CHECK: 0 wrong of 1024
  printf("%d wrong of %d\n", wrong, M * N);

  transpose<<<1, 32>>>(a, b);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 128; ++i)
    wrong += b[i / 64 * 64 + i % 8 * 8 + i / 8 % 8] != a[i];
  // CHECK: 0 wrong of 128
  printf("%d wrong of 128\n", wrong);

  relay<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  // CHECK: 10123
  printf("%d\n", *out);
}
