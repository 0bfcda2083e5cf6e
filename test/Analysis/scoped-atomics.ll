; Atomics of a block or of the system are intrinsics; they are accesses like any
; other, and what they return is theirs.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel scoped
; CHECK-NEXT:    b0 atomic xchg 4 B global arg0 + 4*tid.x
; CHECK-NEXT:    b0 atomic add 4 B global arg1 + 0
; CHECK-NEXT:    b0 atomic cas 8 B global arg2 + 8
; CHECK-NEXT:    b0 store 4 B global arg0 + unknown (atomic)
define ptx_kernel void @scoped(ptr %a, ptr %b, ptr %c) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr %a, i32 %thread
  %old = call i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr %own, i32 1)
  %sum = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %b, float 1.0)
  %next = getelementptr i64, ptr %c, i32 1
  %swapped = call i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr %next, i64 1, i64 2)
  %place = getelementptr i32, ptr %a, i32 %old
  store i32 1, ptr %place
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr, i32)
declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)
declare i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr, i64, i64)
