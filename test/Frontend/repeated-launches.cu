// A launch that a loop makes again and again on the same data, while nothing
// else uses the device, finds in L2 what the one before left.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <utility>

__global__ void k(float *data, int n) {}
__global__ void copy(const float *from, float *to) {}
void anything();
static void check(cudaError_t error) {
  if (error != cudaSuccess)
    __builtin_trap();
}
static void prepare(float *data) { k<<<16, 32>>>(data, 0); }

#define LAUNCH(blocks)                                                         \
  do {                                                                         \
    k<<<blocks, 32>>>(data, 0);                                                \
  } while (0)

static float *current;
static float *takeCurrent() { return current; }
static void advanceBy(int n) { current += n; }
static void advance() { advanceBy(100); }
static __host__ __device__ void advanceAnywhere() { advance(); }
static void look() {
  static_assert(sizeof(int) == 4, "the text of an assertion has no type");
  static int times;
  times += current != nullptr;
}
struct Advancer {
  void operator()() { current += 100; }
  virtual void onEvent() {}
};
struct AdvancesAtEnd {
  ~AdvancesAtEnd() { current += 100; }
};
struct AdvancesAtStart {
  float *before = current++;
};
struct Box {
  float *data;
  void advance() { ++data; }
};

struct Solver {
  float *data;
  void iterate() {
    for (int i = 0; i < 9; ++i)
      // CHECK: grid 1x1x1, {{.*}}, L2 warm (source)
      k<<<1, 32>>>(data, 0);
    for (int i = 0; i < 9; ++i) {
      // CHECK-NEXT: grid 2x1x1, {{.*}}=0 (source)
      k<<<2, 32>>>(data, 0);
      ++data;
    }
    for (int i = 0; i < 9; ++i) {
      // CHECK-NEXT: grid 2x2x1, {{.*}}=0 (source)
      k<<<dim3(2, 2), 32>>>(data, 0);
      advanceOf(this);
    }
  }
  static void advanceOf(Solver *solver) { ++solver->data; }
};

void run(float *data, float *other, float *third, bool isDone) {
  cudaEvent_t begin, end;
  for (int i = 0; i < 100; ++i) {
    cudaEventRecord(begin);
    // CHECK-NEXT: grid 3x1x1, {{.*}}, L2 warm (source)
    k<<<3, 32>>>(data, 0);
    check(cudaGetLastError());
    cudaEventRecord(end);
    cudaEventSynchronize(end);
  }
  while (!isDone) {
    // CHECK-NEXT: grid 4x1x1, {{.*}}, L2 warm (source)
    copy<<<4, 32>>>(data, other);
    std::swap(data, other);
  }
  float *kept;
  while (!isDone) {
    // CHECK-NEXT: grid 14x1x1, {{.*}}, L2 warm (source)
    copy<<<14, 32>>>(data, other);
    float *before = data;
    data = other;
    other = before;
  }
  while (!isDone) {
    // CHECK-NEXT: grid 15x1x1, {{.*}}, L2 warm (source)
    copy<<<15, 32>>>(data, other);
    kept = other;
    other = data;
    data = kept;
  }
  while (!isDone) {
    // CHECK-NEXT: grid 16x1x1, {{.*}} shared 0 (source)
    copy<<<16, 32>>>(data, other);
    float *before = data;
    data = other;
    other = third;
    third = before;
  }
  for (int i = 0; i < 100; ++i)
    // CHECK-NEXT: grid 5x1x1, {{.*}}, L2 warm (source)
    LAUNCH(5);

  // Once, or on other data each time.
  // CHECK-NEXT: grid 6x1x1, {{.*}}=0 (source)
  LAUNCH(6);
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: grid 7x1x1, {{.*}} shared 0 (source)
    copy<<<7, 32>>>(data + i, other);
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 8x1x1, {{.*}} shared 0 (source)
    copy<<<8, 32>>>(data, other);
    std::swap(data, third);
  }
  for (int i = 0; i < 100; ++i) {
    float *mine = third;
    third += 100;
    // CHECK-NEXT: grid 9x1x1, {{.*}} shared 0 (source)
    copy<<<9, 32>>>(mine, other);
  }
  for (float *mine : {data, third})
    // CHECK-NEXT: grid 9x2x1, {{.*}} shared 0 (source)
    copy<<<dim3(9, 2), 32>>>(mine, other);
  for (int i = 0; i < 100; ++i) {
    float *mine = third;
    dim3 grid(9, 3);
    // CHECK-NEXT: grid 9x3x1, {{.*}}, L2 warm (source)
    copy<<<grid, 32>>>(mine, other);
  }

  // Something else may use L2 between.
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 10x1x1, {{.*}}=0 (source)
    k<<<10, 32>>>(data, 0);
    // CHECK-NEXT: grid 11x1x1, {{.*}}=0 (source)
    k<<<11, 32>>>(other, 0);
  }
  for (int i = 0; i < 100; ++i) {
    cudaMemset(other, 0, 100000);
    // CHECK-NEXT: grid 12x1x1, {{.*}}, L2 warm after 100000 B of others (source)
    k<<<12, 32>>>(data, 0);
  }
  for (int i = 0; i < 100; ++i) {
    anything();
    // CHECK-NEXT: grid 13x1x1, {{.*}}=0 (source)
    k<<<13, 32>>>(data, 0);
  }
  for (int i = 0; i < 100; ++i) {
    prepare(other);
    // CHECK-NEXT: grid 14x1x1, {{.*}}=0 (source)
    k<<<14, 32>>>(data, 0);
  }

  // The same launch as one in a loop counts as that.
  // CHECK-NEXT: grid 15x1x1, {{.*}}, L2 warm (source)
  k<<<15, 32>>>(data, 0);
  for (int i = 0; i < 100; ++i)
    k<<<15, 32>>>(data, 0);
}

// What the functions write that the loop calls.
void runWithFunctions(Advancer &unknown) {
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 20x1x1, {{.*}}, L2 warm (source)
    k<<<20, 32>>>(current, 0);
    look();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 21x1x1, {{.*}}=0 (source)
    k<<<21, 32>>>(current, 0);
    advance();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 22x1x1, {{.*}}=0 (source)
    k<<<22, 32>>>(takeCurrent(), 0);
    advance();
  }
  for (int i = 0; i < 100; ++i)
    // CHECK-NEXT: grid 23x1x1, {{.*}}=0 (source)
    k<<<23, 32>>>(current += 100, 0);
  auto advanceHere = [] { current += 100; };
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 24x1x1, {{.*}}=0 (source)
    k<<<24, 32>>>(current, 0);
    advanceHere();
  }
  Advancer advancer;
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 25x1x1, {{.*}}=0 (source)
    k<<<25, 32>>>(current, 0);
    advancer();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 26x1x1, {{.*}}=0 (source)
    k<<<26, 32>>>(current, 0);
    std::forward<Advancer &>(advancer)();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 27x1x1, {{.*}}=0 (source)
    k<<<27, 32>>>(current, 0);
    std::invoke(advanceHere);
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 28x1x1, {{.*}}=0 (source)
    k<<<28, 32>>>(current, 0);
    std::invoke(advance);
  }
  std::function<void()> called = advanceHere;
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 29x1x1, {{.*}}=0 (source)
    k<<<29, 32>>>(current, 0);
    called();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 30x1x1, {{.*}}=0 (source)
    k<<<30, 32>>>(current, 0);
    unknown.onEvent();
  }
  for (int i = 0; i < 100; ++i) {
    AdvancesAtEnd atEnd;
    // CHECK-NEXT: grid 31x1x1, {{.*}}=0 (source)
    k<<<31, 32>>>(current, 0);
  }
  for (int i = 0; i < 100; ++i) {
    AdvancesAtStart atStart;
    // CHECK-NEXT: grid 32x1x1, {{.*}}=0 (source)
    k<<<32, 32>>>(current, 0);
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 33x1x1, {{.*}}, L2 warm (source)
    k<<<33, 32>>>(current, 0);
    std::max(i, 3);
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 34x1x1, {{.*}}=0 (source)
    k<<<34, 32>>>(current, 0);
    advanceAnywhere();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 35x1x1, {{.*}}, L2 warm (source)
    k<<<dim3(35), dim3(32)>>>(takeCurrent(), 0);
    printf("%d\n", i);
  }
}

void runBesideTemplate() {
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 37x1x1, {{.*}}=0 (source)
    k<<<37, 32>>>(current, 0);
    auto free = [](auto object) { delete object; };
    free(new AdvancesAtEnd);
  }
}

void runAgain(float *data, int times) {
  for (int i = 0; i < times; ++i) {
    // CHECK-NEXT: grid 36x1x1, {{.*}}=0 (source)
    k<<<36, 32>>>(data, 0);
    runAgain(data + 100, times - 1);
  }
}

// What is written through pointers and references.
void runBehind(Box *box, float **slot, float *&name, float *own, int *counts,
               double *times) {
  float *data = own, *&alias = data;
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 40x1x1, {{.*}}, L2 warm (source)
    k<<<40, 32>>>(box->data, 0);
    times[i] += *slot - name;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 41x1x1, {{.*}}=0 (source)
    k<<<41, 32>>>(box->data, 0);
    box->data += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 42x1x1, {{.*}}=0 (source)
    k<<<42, 32>>>(box->data, 0);
    box->advance();
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 43x1x1, {{.*}}=0 (source)
    k<<<43, 32>>>(box->data, 0);
    *box = Box{own};
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 44x1x1, {{.*}}=0 (source)
    k<<<44, 32>>>(data, 0);
    *slot += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 45x1x1, {{.*}}=0 (source)
    k<<<45, 32>>>(data, 0);
    slot[0] += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 46x1x1, {{.*}}=0 (source)
    k<<<46, 32>>>(data, 0);
    alias += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 47x1x1, {{.*}}=0 (source)
    k<<<47, 32>>>(alias, 0);
    data += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 48x1x1, {{.*}}=0 (source)
    k<<<48, 32>>>(*slot, 0);
    data += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 49x1x1, {{.*}}, L2 warm (source)
    k<<<49, 32>>>(alias, 0);
    float *passing = data;
    passing += counts[i];
  }
  float *both[] = {data, own};
  auto [first, second] = both;
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 50x1x1, {{.*}}=0 (source)
    k<<<50, 32>>>(first, 0);
    first += 100;
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 51x1x1, {{.*}}=0 (source)
    k<<<51, 32>>>(slot[0], 0);
    std::copy(both, both + 2, slot);
  }
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 52x1x1, {{.*}}=0 (source)
    k<<<52, 32>>>(box->data, 0);
    std::swap(box->data, own);
  }
  // A single round repeats nothing, two do.
  int once = 1;
  for (int i = 0; i < once; ++i)
    // CHECK-NEXT: grid 53x1x1, {{.*}}=0 (source)
    k<<<53, 32>>>(data, 0);
  for (int i = 0; i <= once; ++i)
    // CHECK-NEXT: grid 54x1x1, {{.*}}, L2 warm (source)
    k<<<54, 32>>>(data, 0);
  std::chrono::duration<double, std::milli> sum{};
  for (int i = 0, device; i < 9; ++i) {
    cudaGetDevice(&device);
    auto start = std::chrono::high_resolution_clock::now();
    // CHECK-NEXT: grid 55x1x1, {{.*}}, L2 warm (source)
    k<<<55, 32>>>(data, 0);
    cudaDeviceSynchronize();
    sum += std::chrono::high_resolution_clock::now() - start;
  }
}
// CHECK-NOT: L2 warm
