// What looks known and is not, or is something else than it looks.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

// A variable by two names.
void both(int &out, const int &in) {
  out = 5;
  out = in + 1;
}
void useBoth(int &changed, const int &n) {
  changed = 5;
  // CHECK: launch _Z1ki: grid 1x1x1, block 1x1x1, shared 0 (source)
  k<<<1, 1>>>(n);
}
struct Counter {
  int n;
  int reset(int &other) {
    other = 8;
    return n;
  }
};
void names() {
  int n = 1;
  both(n, n);
  // CHECK: launch _Z1ki: grid 2x1x1, block 1x1x1, shared 0 (source)
  k<<<2, 1>>>(n);
  useBoth(n, n);
  Counter counter = {2};
  int read = counter.reset(counter.n);
  // CHECK: launch _Z1ki: grid 3x1x1, block 1x1x1, shared 0 (source)
  k<<<3, 1>>>(read);
  int a = 3;
  const int &alias = a;
  a = 10;
  // CHECK: launch _Z1ki: grid 4x1x1, block 1x1x1, shared 0 (source)
  k<<<4, 1>>>(alias);
}

// Constructors go on after a member was read, may return, and give objects away.
struct Twice {
  int m, n;
  Twice(int a) : m(a), n(m * 2) { m = 7; }
};
struct Early {
  int n;
  Early(int a) : n(1) {
    if (a > 5)
      return;
    n = 3;
  }
};
struct Away {
  int n;
  Away(int a) {
    Away *self = this;
    n = a;
    self->n = a + 3;
  }
};
void constructors() {
  Twice twice(2);
  Early early(9);
  Away away(6);
  // CHECK: launch _Z1ki: grid 7x1x1, block 1x1x1, shared 0 (source)
  k<<<twice.m, 1>>>(twice.n);
  // CHECK: launch _Z1ki: grid 5x1x1, block 1x1x1, shared 0 (source)
  k<<<5, 1>>>(early.n);
  // CHECK: launch _Z1ki: grid 6x1x1, block 1x1x1, shared 0 (source)
  k<<<6, 1>>>(away.n);
}

void mayReturn(int &n, int c) {
  n = 1;
  if (c) {
    if (c > 2)
      return;
    n = 9;
  }
}
union Either {
  int a, b;
};
struct Bits {
  unsigned n : 3;
};
void objects() {
  int n = 4;
  mayReturn(n, 3);
  // CHECK: launch _Z1ki: grid 8x1x1, block 1x1x1, shared 0 (source)
  k<<<8, 1>>>(n);
  Either either;
  either.a = 3;
  either.b = 5;
  // CHECK: launch _Z1ki: grid 9x1x1, block 1x1x1, shared 0 (source)
  k<<<9, 1>>>(either.a);
  Bits bits;
  bits.n = 9;
  // CHECK: launch _Z1ki: grid 10x1x1, block 1x1x1, shared 0 (source)
  k<<<10, 1>>>(bits.n);
}

// Rounds that end early, and conditions that step.
void use(Counter *counter) {}
void loops(const int *list) {
  for (int i = 0; i < 5; ++i) {
    if (i == 1)
      break;
    // CHECK: launch _Z1ki: grid 11x1x1, block 1x1x1, shared 0, arg0=0, L2 warm but for arg0 (source)
    // CHECK-NOT: arg0=2
    k<<<11, 1>>>(i);
  }
  int n = 2;
  for (int i = 0; i < 3; ++i) {
    if (i == 0) {
      n = 9;
      continue;
    }
    // CHECK: launch _Z1ki: grid 12x1x1, block 1x1x1, shared 0, L2 warm but for arg0 (source)
    k<<<12, 1>>>(n);
  }
  int sum = 0, left = 10;
  while (left-- > 0)
    ++sum;
  // CHECK: launch _Z1ki: grid 13x1x1, block 1x1x1, shared 0, arg0=9 (source)
  k<<<13, 1>>>(sum + left);
  int known[3] = {1, 2, 3};
  for (int value : known) {
    n += value;
    // CHECK: launch _Z1ki: grid 14x1x1, block 1x1x1, shared 0, L2 warm but for arg0 (source)
    k<<<14, 1>>>(n);
  }
  Counter counter = {4};
  for (int i = 0; i < 3; ++i) {
    // CHECK: launch _Z1ki: grid 15x1x1, block 1x1x1, shared 0, arg0=4, L2 warm but for arg0 (source)
    k<<<15, 1>>>(counter.n);
    use(&counter);
  }
  int m = 64;
  for (int i = 0; i < 3; ++i) {
    for (int j = 1; j < 3; ++j)
      // CHECK: launch _Z1ki: grid 16x1x1, block 1x1x1, shared 0, arg0=64 (source)
      // CHECK: launch _Z1ki: grid 16x1x1, block 1x1x1, shared 0, arg0=128 (source)
      // CHECK: launch _Z1ki: grid 16x1x1, block 1x1x1, shared 0, arg0=256 (source)
      // CHECK: launch _Z1ki: grid 16x1x1, block 2x1x1, shared 0, arg0=64 (source)
      k<<<16, j>>>(m);
    m *= 2;
  }
}

// What a loop starts with is there once.
void start() {
  for (int size = 1, i = 0; i < 2; ++i) {
    // CHECK: launch _Z1ki: grid 18x1x1, block 1x1x1, shared 0, arg0=1 (source)
    // CHECK: launch _Z1ki: grid 18x1x1, block 2x1x1, shared 0, arg0=2 (source)
    k<<<18, i + 1>>>(size);
    size *= 2;
  }
}

// Members of a base class are in braces of their own.
struct Below {
  int m, n;
};
struct Above : Below {
  int own;
};
void bases() {
  Above above = {{3, 4}, 5};
  // CHECK: launch _Z1ki: grid 19x1x1, block unknown, shared 0 (source)
  k<<<19, above.own>>>(above.n);
}

// Calculated in the type of both sides.
void narrow() {
  short s = 10000;
  s /= 70000;
  unsigned char c = 200;
  c %= 257;
  // CHECK: launch _Z1ki: grid 17x1x1, block 200x1x1, shared 0, arg0=0 (source)
  k<<<17, c>>>(s);
}
