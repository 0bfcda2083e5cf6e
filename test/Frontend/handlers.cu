// What a try block writes is there if no handler comes out of it; a function
// with labels is not followed; neither are numbers that a small type cuts off.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

extern "C" int atoi(const char *);

__global__ void k(int n) {}
__global__ void scaled(float x) {}

int pick(int x) {
  if (x > 0)
    goto large;
  return 64;
large:
  return 4096;
}

// An argument that is not finite is left open.
void infinite() {
  // CHECK: grid 3x1x1, block 32x1x1, shared 0 (source) at
  scaled<<<3, 32>>>(-1.0f / 0.0f);
}

int main(int argc, char **argv) {
  int n = 0, m = 1;
  try {
    n = 128;
    if (argc > 8)
      return 1;
    m = 256;
  } catch (int) {
    return 2;
  } catch (...) {
    throw;
  }
  // CHECK: grid 128x1x1, block 256x1x1, shared 0
  k<<<n, m>>>(1);

  try {
    m = 512;
  } catch (...) {
  }
  // CHECK-NEXT: grid 128x1x1, block unknown, shared 0
  k<<<n, m>>>(2);

  // CHECK-NEXT: grid unknown, block 32x1x1
  k<<<pick(1), 32>>>(3);
}

// Rounded towards 0, as C does: of n = 999, 5 + -1 % 256 blocks.
// CHECK: grid by arguments {{.*}}255*[arg0 <= 999]
void rounded(int n) { k<<<5 + (n - 1000) % 256, 128>>>(n); }
// CHECK-NEXT: grid unknown, block 64x1x1
void narrow(int n) { k<<<(unsigned char)((n + 255) / 256), 64>>>(n); }
