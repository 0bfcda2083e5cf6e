// A pragma that says nothing sensible is a warning at its place, also under
// -Werror, and the rest is read.
//
// RUN: %read_launches -Werror %s 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: %read_launches -Wno-pragmas %s 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: warning

// CHECK: :[[#@LINE+1]]:9: warning: expected '#pragma auspex launch(grid:80x1x1, block:256, n=1024)' [-Wpragmas]
#pragma auspex lunch(grid:8)
// CHECK: :[[#@LINE+1]]:9: warning: expected '#pragma auspex launch(
#pragma auspex launch
// CHECK: :[[#@LINE+1]]:9: warning: expected ')' at the end of '#pragma auspex launch(...)'
#pragma auspex launch(grid:8
// CHECK: :[[#@LINE+1]]:9: warning: expected ')' at the end of
#pragma auspex launch(grid:8) block:9
// CHECK: :[[#@LINE+1]]:9: warning: ignored: block: 2048 threads exceed the 1024 a block can have
#pragma auspex launch(block:2048)
// CHECK: :[[#@LINE+1]]:9: warning: ignored: blok: unknown key; did you mean block?
#pragma auspex launch(blok:256)
// CHECK: :[[#@LINE+1]]:9: warning: ignored: k: m: the kernel has no such argument; its integer argument is n (arg0)
#pragma auspex launch(m=5)
// CHECK: :[[#@LINE+1]]:9: warning: ignored: nothing is stated
#pragma auspex launch()
#pragma auspex launch(block:128)
__global__ void k(int n, float x) {}

// CHECK: :[[#@LINE+1]]:9: warning: no kernel begins after this launch in this file [-Wpragmas]
#pragma auspex launch(block:128)

// CHECK-NOT: error
// CHECK: launch _Z1kif: grid unknown, block 128x1x1, shared unknown (pragma)
// CHECK-NOT: {{^}}launch
