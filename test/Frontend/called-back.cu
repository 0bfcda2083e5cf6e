// Code that something else calls back runs after main() has come to that, as
// that of a window does.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

extern "C" void registerCallback(void (*)());
extern "C" void mainLoop();

dim3 grid, block;
int blocks = 1;
int threads;

__global__ void k(float *x) {}

static void setUp() {
  block.x = 256;
  grid.x = 65536;
  grid.y = 3;
}

// CHECK: launch _Z1kPf: grid 65536x3x1, block 256x1x1
static void draw(float *x) { k<<<grid, block>>>(x); }
static void display() { draw(nullptr); }

static void idle() {
  // Whether main() has been there is not known where there is a number before.
  // CHECK-NEXT: launch _Z1kPf: grid unknown, block 128x1x1
  k<<<blocks, threads>>>(nullptr);
}

int main() {
  setUp();
  blocks = 4096;
  threads = 128;
  registerCallback(display);
  registerCallback(idle);
  mainLoop();
}
