// A local has the value of the writes before the launch, if it is known which of
// them happen.
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
  // CHECK: grid 10x1x1, block 7x1x1, shared 4, arg0=4 (source) at
  k<<<assigned, added, incremented>>>(declaredOnly);
  // CHECK: grid 1x3x1, block unknown, shared 0, arg0=1 (source)
  k<<<member, whole>>>(member.x);
  assigned = assigned * 2;
  whole = dim3(8);
  // CHECK: grid 20x1x1, block 8x1x1, shared 0, arg0=8 (source)
  k<<<assigned, whole>>>(whole.x);
}

// A branch around launch and assignment leaves no choice; one around the
// assignment alone does, unless its condition is known or both ways come to the
// same, and so does one that leads past it.
void branches(int condition) {
  int n = 1, m = 1;
  if (condition) {
    n = 2;
    m = 2;
    // CHECK: grid 2x1x1, block 2x1x1, shared 0, arg0=0 (source)
    k<<<n, m>>>(0);
  } else {
    // CHECK: grid 1x1x1, block 1x1x1, shared 0, arg0=1 (source)
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

// A jump to the end leaves alone what stands before.
int cleansUp(int condition) {
  int n = 1, m;
  n = 2;
  if (condition)
    goto error;
  m = n * 16;
  // CHECK: grid 2x1x1, block 32x1x1, shared 0, arg0=5 (source)
  k<<<n, m>>>(5);
  n = 3;
error:
  // CHECK: grid unknown, block unknown, shared 0, arg0=6 (source)
  k<<<n, m>>>(6);
  return 0;
}

void jumpsBack(int condition) {
  int n = 1;
again:
  // CHECK: grid unknown, block 32x1x1, shared 0, arg0=7 (source)
  k<<<n, 32>>>(7);
  n = 2;
  if (condition)
    goto again;
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
  cudaLaunchConfig_t config = {};
  while (condition) {
    if (condition > 1)
      break;
    do {
      config.gridDim = 3;
    } while (0);
    // CHECK: grid 3x1x1, {{.*}}arg0=55 (source)
    cudaLaunchKernelEx(&config, k, 55);
  }
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

// What is rounded up, and limited, in branches.
void rounds(int condition, int n) {
  int blocks = 1000 / 256, same = 1, left = 32, most = n;
  if (1000 % 256 != 0)
    ++blocks;
  if (condition)
    same = 64;
  else
    same = 32 * 2;
  // CHECK: grid 4x1x1, block 64x1x1, shared 0, arg0=8 (source)
  k<<<blocks, same>>>(8);
  if (condition) {
    left = 7;
    return;
  }
  if (most > 1024)
    most = 1024;
  // CHECK: grid unknown, block 32x1x1, shared 0, grid by arguments [min(arg0, 1024)] [1] [1] (source)
  k<<<most, left>>>(n);
}

// Loops of which all rounds are known, and what else changes in them.
void doubles(int condition) {
  int size = 1, sum = 3, left = 4096, power = 1, endless = 1;
  for (int i = 0; i < 4; ++i) {
    size *= 2;
    sum += size;
  }
  for (; left > 64; left >>= 2, power <<= 2)
    ;
  do {
    size -= 3;
  } while (size > 3);
  // CHECK: grid 1x1x1, block 33x1x1, shared 64, arg0=64 (source)
  k<<<size, sum, left>>>(power);
  while (endless > 0)
    ++endless;
  while (condition-- > 0)
    size *= 2;
  for (int i = 0; i < 4; ++i) {
    if (condition)
      break;
    sum *= 2;
  }
  // CHECK: grid unknown, block unknown, shared unknown, arg0=9 (source)
  k<<<endless, size, sum>>>(9);
}

// Nobody knows what comes first, or what has run.
int mayThrow(int);
void order(int n) {
  int first = 1, tried = 1;
  // CHECK: grid 1x1x1, block unknown, shared 0 (source)
  k<<<1, (first = 2) + first>>>(first++ + first);
  try {
    tried = 2;
    mayThrow(n);
    tried = 3;
  } catch (...) {
    // CHECK: grid 2x1x1, block unknown, shared 0, arg0=10 (source)
    k<<<2, tried>>>(10);
  }
}
