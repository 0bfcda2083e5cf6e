// Beside main() a global belongs to this program: what the file does not write
// keeps its value, and what it writes has the last value that was written before
// a kernel is launched.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

int size = 300, written, twice, started = 8;
extern int elsewhere;
int asked();
int answer = asked(), later;

void setUp() { written = 200; }

int main() {
  twice = 5;
  started = 6;
  later = asked();
  setUp();
  // CHECK: grid 300x1x1, block 32x1x1, shared 0, arg0=300 (source) at
  k<<<size, 32>>>(size);
  // CHECK: grid 200x1x1, block 32x1x1, shared 0, arg0=200 (source) at
  k<<<written, 32>>>(written);
  // CHECK: grid 5x1x1, block 32x1x1, shared 0, arg0=1 (source) at
  k<<<twice, 32>>>(1);
  // CHECK: grid 6x1x1, block 32x1x1, shared 0, arg0=2 (source) at
  k<<<started, 32>>>(2);
  // CHECK: grid unknown, block 32x1x1, shared 0, arg0=3 (source) at
  k<<<elsewhere, 32>>>(3);
  // CHECK: grid unknown, block unknown, shared 0, arg0=4 (source) at
  k<<<answer, later>>>(4);
  twice = 7;
}
