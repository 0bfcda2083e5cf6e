; Loads that have to see what other SMs store, or that ask for L2, are not L1's;
; those of a block, and what only hints how long it is kept, are.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x float] undef

; CHECK-LABEL: kernel loads
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 4
; CHECK-NEXT:    b0 load 4 B global arg0 + 8
; CHECK-NEXT:    b0 load 4 B shared @tile + 0
; CHECK-NEXT:    b0 store 4 B global arg0 + 12
define ptx_kernel void @loads(ptr addrspace(1) %p) {
  %volatile = load volatile float, ptr addrspace(1) %p
  %second = getelementptr float, ptr addrspace(1) %p, i32 1
  %atomic = load atomic float, ptr addrspace(1) %second syncscope("device") acquire, align 4
  %third = getelementptr float, ptr addrspace(1) %p, i32 2
  %ofBlock = load atomic float, ptr addrspace(1) %third syncscope("block") monotonic, align 4
  %shared = load volatile float, ptr addrspace(3) @tile
  %fourth = getelementptr float, ptr addrspace(1) %p, i32 3
  store volatile float %volatile, ptr addrspace(1) %fourth
  ret void
}

; CHECK-LABEL: kernel assembly
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 load 4 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 load 4 B global arg0 + 0
; CHECK-NEXT:    b0 load 4 B global arg0 + 0
; CHECK-NEXT:    b0 load 4 B global arg0 + 0
define ptx_kernel void @assembly(ptr %p) {
  %a = call i32 asm "ld.global.cg.s32 $0, [$1];", "=r,l"(ptr %p)
  %b = call i32 asm "ld.global.cv.s32 $0, [$1];", "=r,l"(ptr %p)
  %c = call i32 asm "ld.global.nc.L1::no_allocate.s32 $0, [$1];", "=r,l"(ptr %p)
  %d = call i32 asm "ld.acquire.gpu.global.s32 $0, [$1];", "=r,l"(ptr %p)
  %e = call i32 asm "ld.relaxed.cta.global.s32 $0, [$1];", "=r,l"(ptr %p)
  %f = call i32 asm "ld.global.cs.s32 $0, [$1];", "=r,l"(ptr %p)
  %g = call i32 asm "ld.global.nc.L1::evict_last.s32 $0, [$1];", "=r,l"(ptr %p)
  ret void
}

; CHECK-LABEL: kernel copies
; CHECK-NEXT:    b0 store 16 B shared @tile + 0
; CHECK-NEXT:    b0 load 16 B global past L1 arg0 + 0
; CHECK-NEXT:    b0 store 16 B shared @tile + 0
; CHECK-NEXT:    b0 load 16 B global arg0 + 0
define ptx_kernel void @copies(ptr addrspace(1) %p) #0 {
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %p)
  ret void
}

declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))

attributes #0 = { "target-cpu"="sm_80" }
