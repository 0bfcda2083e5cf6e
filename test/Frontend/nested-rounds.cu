// Sizes that one loop steps in another, and what a loop writes on the way out.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void reduce(float *p) {}
__global__ void after(float *p) {}
__global__ void last(float *p) {}

static void inRounds(float *p) {
  // What the loop inside leaves in `left` says nothing of its rounds.
  int blocks = 8, size, left = 8;
  for (int iteration = 0; iteration < 2; iteration++) {
    size = blocks;
    while (size > 0) {
      // CHECK: launch {{.*}}reduce{{.*}}: grid 8x1x1, block 512x1x1
      // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 1x1x1, block 512x1x1
      reduce<<<size, 512>>>(p);
      left = size / 8;
      size = left;
    }
    // CHECK-NEXT: launch {{.*}}after{{.*}}: grid 8x1x1, block 512x1x1
    after<<<blocks, 512>>>(p);
  }
  // It begins with what the round around it says.
  for (int iteration = 0; iteration < 2; iteration++) {
    int begin = 4 * (iteration + 1);
    while (begin > 0) {
      // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 4x1x1, block 256x1x1
      // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 1x1x1, block 256x1x1
      // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 8x1x1, block 256x1x1
      // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 2x1x1, block 256x1x1
      reduce<<<begin, 256>>>(p);
      begin /= 4;
    }
  }
}

static void onTheWayOut(float *p, float *sum) {
  dim3 grid(66);
  int threads = 64, again = 32;
  for (int k = 0; k < 1000; k++) {
    // CHECK-NEXT: launch {{.*}}after{{.*}}: grid 66x1x1, block 64x1x1
    after<<<grid, threads>>>(p);
    cudaMemcpy(sum, p, 4, cudaMemcpyDeviceToHost);
    if (*sum <= 1e-4f) {
      grid.x = 3;
      threads = 128;
      // CHECK-NEXT: launch {{.*}}last{{.*}}: grid 3x1x1, block 128x1x1
      last<<<grid, threads>>>(p);
      break;
    }
    if (*sum > 1e4f) {
      threads = 32;
      return;
    }
  }
  // Another loop may come to its end; and where that goes on, so does what it
  // wrote.
  grid = 67;
  for (int k = 0; k < 1000; k++) {
    // CHECK-NEXT: launch {{.*}}after{{.*}}: grid unknown, block 32x1x1
    after<<<grid, again>>>(p);
    for (int i = 0; i < 10; i++)
      if (sum[i] <= 1e-4f) {
        grid.x = 5;
        break;
      }
  }
  again = 32;
  for (int k = 0; k < 1000; k++) {
    // CHECK-NEXT: launch {{.*}}after{{.*}}: grid 7x1x1, block unknown
    after<<<7, again>>>(p);
    if (*sum <= 1e-4f) {
      again = 64;
      if (sum[1] > 0)
        continue;
      break;
    }
  }
}

// The last round has nothing left, which CUDA refuses; what is never anything
// is the user's to see.
static void lessAndLess(float *p) {
  for (int k = 0; k < 1024; k += 256)
    // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 3x1x1, block 128x1x1
    // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 2x1x1, block 128x1x1
    // CHECK-NEXT: launch {{.*}}reduce{{.*}}: grid 1x1x1, block 128x1x1
    // CHECK-NEXT: launch {{.*}}last{{.*}}: grid 0x1x1, block 128x1x1
    reduce<<<(1024 - k - 1) / 256, 128>>>(p);
  last<<<0, 128>>>(p);
}

int main() {
  float *p, sum[10];
  cudaMalloc(&p, 1 << 20);
  inRounds(p);
  onTheWayOut(p, sum);
  lessAndLess(p);
}
