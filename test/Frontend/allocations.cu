// How large the objects are that a launch gets pointers to, where the code
// around it allocates them.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess)                                                  \
      return;                                                                  \
  } while (0)

__global__ void k(int *a, const float *b) {}
struct View {
  long size;
  const float *data;
};
__global__ void members(View view) {}

void copies(float *parameter) {
  int *own;
  CHECK(cudaMalloc(&own, 100 * sizeof(int)));
  // CHECK: launch _Z1kPiPKf: grid 3x1x1, {{.*}}, *arg0 of 400 B, *arg1 of 4000 B (source)
  k<<<3, 32>>>(own, parameter);
}

void known(int unknown) {
  int n = 1000;
  int *a;
  float *b = nullptr, *c;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMallocManaged(&b, 104);
  cudaMemset(a, 0, 4000);
  // CHECK: launch _Z1kPiPKf: grid 1x1x1, {{.*}}, *arg0 of 4000 B, *arg1 of 104 B (source)
  k<<<1, 32>>>(a, b);
  const float *same = b;
  // CHECK: launch _Z1kPiPKf: grid 2x1x1, {{.*}}, *arg1 of 104 B (source)
  k<<<2, 32>>>(a + 1, same);
  cudaMalloc(&c, 4 * n);
  copies(c);
  // CHECK: launch _Z7members4View: grid 4x1x1, {{.*}}, arg0.0=1000, *arg0.8 of 4000 B (source)
  View view = {n, c};
  members<<<4, 32>>>(view);
}

void notKnown(int unknown, float **out) {
  int *a;
  float *b, *c, *d, *e;
  cudaMalloc(&a, unknown);
  cudaMalloc(&b, 104);
  if (unknown)
    cudaMalloc(&b, 208);
  // CHECK: launch _Z1kPiPKf: grid 5x1x1, block 32x1x1, shared 0 (source)
  k<<<5, 32>>>(a, b);
  cudaMalloc(&c, 104);
  c += 2;
  // CHECK: launch _Z1kPiPKf: grid 6x1x1, block 32x1x1, shared 0 (source)
  k<<<6, 32>>>(a, c);
  cudaMalloc(&d, 104);
  out = &d;
  // CHECK: launch _Z1kPiPKf: grid 7x1x1, block 32x1x1, shared 0 (source)
  k<<<7, 32>>>(a, d);
  // Launches may differ in that alone.
  // CHECK: launch _Z1kPiPKf: grid 8x1x1, block 32x1x1, shared 0, arg0=0, *arg1 of 4 B (source)
  // CHECK-NEXT: launch {{.*}} arg0=0, *arg1 of 8 B (source)
  // CHECK-NEXT: launch {{.*}} arg0=0, *arg1 of 16 B (source)
  for (int size = 4; size < 32; size *= 2) {
    cudaMalloc(&e, size);
    k<<<8, 32>>>(nullptr, e);
  }
}

// Rows begin at multiples of 512 B.
__global__ void rows(char *x, size_t pitch) {}
void pitched(int unknown) {
  char *x;
  size_t pitch, other;
  cudaMallocPitch(&x, &pitch, 1000, 30);
  // CHECK: launch _Z4rowsPcm: grid 9x1x1, block 32x1x1, shared 0, arg1=1024 (source)
  rows<<<9, 32>>>(x, pitch);
  cudaMallocPitch(&x, &other, unknown, 30);
  // CHECK: launch _Z4rowsPcm: grid 10x1x1, block 32x1x1, shared 0 (source)
  rows<<<10, 32>>>(x, other);
}

// What allocates, and where the pointer is kept.
__global__ void one(const float *x) {}
static float *global;
struct Arrays {
  float *x, *y;
  int count;
};
struct Buffer {
  float *pointer = nullptr;
  explicit Buffer(int count) { CHECK(cudaMalloc(&pointer, 4 * count)); }
  float *get() { return pointer; }
};
static float *allocate(int count) {
  float *pointer;
  cudaMalloc(&pointer, count * sizeof(float));
  return pointer;
}
template <typename T> void allocateFor(T **pointer, int count) {
  cudaMalloc((void **)pointer, count * sizeof(T));
  cudaMemset(*pointer, 0, count * sizeof(T));
}
static void allocateAll(Arrays *arrays, int count) {
  arrays->count = count;
  cudaMalloc(&arrays->x, arrays->count * sizeof(float));
}
static void check(cudaError_t error) {}
void forms() {
  int n = 100;
  float *checked, *tested, *assigned, *given, *list[2];
  check(cudaMalloc(&checked, 4 * n));
  // CHECK: launch _Z3onePKf: grid 1x1x1, {{.*}}, *arg0 of 400 B (source)
  one<<<1, 32>>>(checked);
  if (cudaMalloc(&tested, 8 * n) != cudaSuccess)
    return;
  // CHECK: launch _Z3onePKf: grid 2x1x1, {{.*}}, *arg0 of 800 B (source)
  one<<<2, 32>>>(tested);
  cudaError_t error;
  error = cudaMalloc(&assigned, 12 * n);
  // CHECK: launch _Z3onePKf: grid 3x1x1, {{.*}}, *arg0 of 1200 B (source)
  one<<<3, 32>>>(assigned);
  cudaMalloc(&list[1], 16 * n);
  // CHECK: launch _Z3onePKf: grid 4x1x1, {{.*}}, *arg0 of 1600 B (source)
  one<<<4, 32>>>(list[1]);
  cudaMalloc(&global, 20 * n);
  // CHECK: launch _Z3onePKf: grid 5x1x1, {{.*}}, *arg0 of 2000 B (source)
  one<<<5, 32>>>(global);
  // CHECK: launch _Z3onePKf: grid 6x1x1, {{.*}}, *arg0 of 600 B (source)
  one<<<6, 32>>>(allocate(150));
  allocateFor(&given, 175);
  // CHECK: launch _Z3onePKf: grid 7x1x1, {{.*}}, *arg0 of 700 B (source)
  one<<<7, 32>>>(given);
  Arrays arrays;
  allocateAll(&arrays, 200);
  cudaMalloc(&arrays.y, 900);
  // CHECK: launch _Z3onePKf: grid 8x1x1, {{.*}}, *arg0 of 800 B (source)
  one<<<8, 32>>>(arrays.x);
  // CHECK: launch _Z3onePKf: grid 9x1x1, {{.*}}, *arg0 of 900 B (source)
  one<<<9, 32>>>(arrays.y);
  Buffer buffer(250);
  // CHECK: launch _Z3onePKf: grid 10x1x1, {{.*}}, *arg0 of 1000 B (source)
  one<<<10, 32>>>(buffer.get());
}
