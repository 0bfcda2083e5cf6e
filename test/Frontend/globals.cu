// Globals that are const with a constant value are known, others are not.
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

void run(Settings settings) {
  // CHECK: grid 8x4x1, block 64x1x1, shared 0 (source)
  k<<<grid, constant>>>(variable);
  // CHECK: grid 12x1x1, block 96x1x1, shared unknown (source)
  k<<<Settings::Blocks, Settings::Threads, Settings::changing>>>(atStart);
  // CHECK: grid unknown, block unknown, shared unknown (source) at
  k<<<elsewhere, settings.member, watched>>>(variable);
  static int once = 24;
  // CHECK: grid 1x1x1, block 24x1x1
  k<<<1, once>>>(0);
}
