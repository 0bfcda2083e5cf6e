// Elements of an array that a loop fills.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

extern "C" int atoi(const char *);

__global__ void k(int n) {}
__global__ void one(int n) {}

static void choose(int which, int n) {
  switch (which) {
  case 0:
    // CHECK: launch _Z1ki: grid 3x1x1, {{.*}}arg0=3 (source)
    // CHECK-NEXT: launch _Z1ki: grid 6x1x1, {{.*}}arg0=6 (source)
    k<<<n, 32>>>(n);
    break;
  case 1:
    // CHECK-NEXT: launch _Z3onei: grid 3x1x1, {{.*}}arg0=3 (source)
    // CHECK-NEXT: launch _Z3onei: grid 6x1x1, {{.*}}arg0=6 (source)
    // CHECK-NEXT: launch _Z3onei: grid 9x1x1, {{.*}}arg0=9 (source)
    one<<<n, 32>>>(n);
    break;
  }
}

int main(int argc, char **argv) {
  int which = atoi(argv[1]), sizes[4], last = 0;
  for (int i = 0; i < 4; i++) {
    sizes[i] = 3 * (i + 1);
    last = i;
  }
  int count = which < 1 ? 2 : 3;
  for (int i = 0; i < count; i++) {
    int n = sizes[i];
    choose(which, n);
  }

  // CHECK-NEXT: launch _Z1ki: grid 12x1x1, block 33x1x1
  k<<<sizes[last], 33>>>(0);

  // What a loop does not write stays; what several write is not known.
  int some[3] = {1, 2, 4};
  for (int i = 0; i < 2; i++)
    some[i + 1] = 10 * i;
  // CHECK-NEXT: launch _Z1ki: grid 10x1x1, block 34x1x1, {{.*}}arg0=1 (source)
  k<<<some[2], 34>>>(some[0]);
  int twice[3];
  for (int i = 0; i < 3; i++) {
    twice[i] = 1;
    if (i == which)
      twice[i] = 2;
  }
  // CHECK-NEXT: launch _Z1ki: grid unknown, block 35x1x1
  k<<<twice[1], 35>>>(0);
  sizes[which] = 1;
  // CHECK-NEXT: launch _Z1ki: grid unknown, block 36x1x1
  k<<<sizes[1], 36>>>(0);
}
// CHECK-NOT: {{^}}launch
