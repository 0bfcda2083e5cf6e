// A local has the value of its last assignment, if that and no other write comes
// before the launch whatever happens.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run(int condition) {
  int assigned = 1, added = 2, incremented = 3, declaredOnly;
  assigned = 10;
  added += 5;
  incremented++;
  declaredOnly = 4;
  dim3 member(1, 1), whole(2);
  member.y = 3;
  if (condition)
    whole = dim3(4);
  // CHECK: grid 10x1x1, block unknown, shared unknown, arg0=4 (source) at
  k<<<assigned, added, incremented>>>(declaredOnly);
  // CHECK: grid 1x3x1, block unknown, shared 0, arg0=1 (source)
  k<<<member, whole>>>(member.x);
  assigned = assigned * 2;
  whole = dim3(8);
  // CHECK: grid 20x1x1, block 8x1x1, shared 0, arg0=8 (source)
  k<<<assigned, whole>>>(whole.x);
}

// A branch around launch and assignment leaves no choice; one around the
// assignment alone does, and so does one that leads past it.
void branches(int condition) {
  int n = 1, m = 1;
  if (condition) {
    n = 2;
    m = 2;
    // CHECK: grid 2x1x1, block 2x1x1, shared 0, arg0=0 (source)
    k<<<n, m>>>(0);
  } else {
    // CHECK: grid unknown, block unknown, shared 0, arg0=1 (source)
    k<<<n, m>>>(1);
  }
  m = 3;
  // CHECK: grid unknown, block 3x1x1, shared 0, arg0=2 (source)
  k<<<n, m>>>(2);
  switch (condition) {
  case 1:
    m = 4;
    n = 4;
  case 2:
    // CHECK: grid unknown, block unknown, shared 0, arg0=3 (source)
    k<<<n, m>>>(3);
  }
}

void jumps(int condition) {
  int n = 1;
  if (condition)
    goto end;
  n = 2;
end:
  // CHECK: grid unknown, block 32x1x1, shared 0, arg0=4 (source)
  k<<<n, 32>>>(4);
}

// As macros have it.
void once(int condition) {
  int n = 1, m = 1;
  do {
    n = 2;
  } while (0);
  do {
    if (condition)
      break;
    m = 2;
  } while (0);
  // CHECK: grid 2x1x1, block unknown, shared 0, arg0=5 (source)
  k<<<n, m>>>(5);
}

void loops(int times) {
  int n = 1, m, later = 1;
  for (int i = 0; i < times; ++i) {
    m = 5;
    // CHECK: grid unknown, block 5x1x1, shared unknown, arg0=6 (source)
    k<<<n, m, later>>>(6);
    n = 2;
    if (times > 3)
      later = 2;
  }
}

void lambdas() {
  int n = 1, m = 1;
  auto launch = [&] {
    // CHECK: grid unknown, block unknown, shared 0, arg0=7 (source)
    k<<<n, m>>>(7);
  };
  n = 2;
  auto write = [&] { m = 3; };
  launch();
  write();
}
