// Globals are known that are const with a constant value, or that nobody else can
// write and this file does not; others are not.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
int getFromOutside();

const int constant = 64;
static const dim3 grid(8, 4);
int variable = 32;
const int atStart = getFromOutside();
extern const int elsewhere;
struct Settings {
  static constexpr int Threads = 96;
  static const int Blocks;
  static int changing;
  int member = 5;
};
const int Settings::Blocks = 12;
volatile const int watched = 3;
static int kept = 40, written = 3, pointedTo = 4, bound = 5;
namespace {
dim3 shape(8, 4);
int *pointer = &pointedTo;
int &reference = bound;
int fixedSize = kept * 2;
struct Shared {
  static int changed, unchanged;
};
int Shared::changed = 6, Shared::unchanged = 7;
} // namespace
static void write(Shared shared) { written = shared.changed = 5; }
template <int N> void runInstance() {
  // CHECK: grid 40x1x1, block 8x1x1, shared 0 (source) at
  k<<<kept, N>>>(variable);
}
template void runInstance<8>();

void run(Settings settings) {
  // CHECK: grid 8x4x1, block 64x1x1, shared 0 (source)
  k<<<grid, constant>>>(variable);
  // CHECK: grid 12x1x1, block 96x1x1, shared unknown (source)
  k<<<Settings::Blocks, Settings::Threads, Settings::changing>>>(atStart);
  // CHECK: grid unknown, block unknown, shared unknown (source) at
  k<<<elsewhere, settings.member, watched>>>(variable);
  // CHECK: grid 40x1x1, block 8x4x1, shared 80, {{.*}}arg0=40 (source) at
  k<<<kept, shape, fixedSize>>>(kept);
  // CHECK: grid unknown, block unknown, shared unknown, arg0=6 (source) at
  k<<<written, pointedTo, bound>>>(6);
  // CHECK: grid unknown, block 32x1x1, shared 0, arg0=7 (source) at
  k<<<reference, 32>>>(7);
  // CHECK: grid unknown, block 7x1x1, shared 0, arg0=8 (source) at
  k<<<Shared::changed, Shared::unchanged>>>(8);
  static int once = 24;
  // CHECK: grid 1x1x1, block 24x1x1
  k<<<1, once>>>(0);
}
