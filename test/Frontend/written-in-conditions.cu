// What the condition of a branch writes, and what a side of it does not that is
// not evaluated.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <fstream>

__global__ void k(int n) {}

static bool load(const char *path, int &n) {
  std::ifstream file(path);
  if (!(file >> n))
    return false;
  return true;
}
static void make(int &n) { n = 64; }
static bool set(int &n) {
  n = 16;
  return true;
}

int main(int argc, char **argv) {
  int n = 0;
  if (argc > 1 && load(argv[1], n)) {
  } else {
    make(n);
  }
  // CHECK: grid 64x1x1, block 32x1x1, shared 0, {{.*}}arg0=64 (defaults) at
  k<<<n, 32>>>(n);

  int m = 8;
  if (argc > 1)
    load(argv[1], m);
  // CHECK-NEXT: grid 8x1x1, block 33x1x1, shared 0, {{.*}}arg0=8 (defaults) at
  k<<<m, 33>>>(m);

  int kept = 9;
  if (argc < 2 || load(argv[1], kept)) {
    // CHECK-NEXT: grid 9x1x1, block 34x1x1, shared 0, {{.*}}arg0=9 (defaults) at
    k<<<kept, 34>>>(kept);
  }
  // CHECK-NEXT: grid 9x1x1, block 35x1x1, shared 0, {{.*}}arg0=9 (defaults) at
  k<<<kept, 35>>>(kept);

  int given = 4;
  if (argc < 2 && set(given))
    // CHECK-NEXT: grid 16x1x1, block 36x1x1, shared 0, {{.*}}arg0=16 (defaults) at
    k<<<given, 36>>>(given);

  int other = 4;
  if (argc > 1)
    load(argv[1], other);
  else
    make(other);
  // CHECK-NEXT: grid 64x1x1, block 39x1x1, shared 0, {{.*}}arg0=64 (defaults) at
  k<<<other, 39>>>(other);

  // CHECK-NEXT: grid unknown, block 37x1x1, shared 0, {{.*}}
  int loaded = 3;
  load("sizes", loaded);
  k<<<loaded, 37>>>(loaded);
  // CHECK-NEXT: grid 5x1x1, block 38x1x1, shared 0, {{.*}}arg0=5 (source) at
  loaded = 5;
  k<<<loaded, 38>>>(loaded);
}
// CHECK-NOT: {{^}}launch
