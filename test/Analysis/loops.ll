; Trip counts: with steps of the launch, inside each other, halving.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' %s | FileCheck %s
; CHECK-LABEL: kernel loops (
; CHECK: loop i0: trip count max(0, floordiv(arg1 - ctaid.x*ntid.x - tid.x - 1, nctaid.x*ntid.x)) + 1
; CHECK-NEXT: loop i1: trip count 10
; CHECK-NEXT: loop i2 in i1: trip count i1 + 1
; CHECK-NEXT: loop i3: trip count 7
; CHECK: block b1 in loop i0, if [ctaid.x*ntid.x + tid.x < arg1]
; CHECK: block b4 in loop i2, if 1
; CHECK-LABEL: kernel loops{{$}}
; CHECK: b1 store 4 B global arg0 + 4*ctaid.x*ntid.x + 4*i0*nctaid.x*ntid.x + 4*tid.x
; CHECK-NEXT: b4 store 4 B global arg0 + 400*i1 + 4*i2
; CHECK-NEXT: b6 store 4 B global arg0 + 4*floordiv(64, pow2(i3))

; 2 blocks of 32 threads and n = 256: 4 trips; 1 + 2 + ... + 10; 7.
; RUN: %opt_auspex -passes='print<auspex-summary;json>' %s > %t.json
; RUN: auspex predict %t.json --gpu A100 --launch loops=grid:2,block:32,n=256 \
; RUN:   --format=json | FileCheck %s --check-prefix=RUNS
; RUNS: "Requests":8,
; RUNS: "Requests":110,
; RUNS: "Requests":14,

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @loops(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %first = mul nsw i32 %b, %s
  %start = add nsw i32 %first, %t
  %step = mul nsw i32 %s, %g
  %any = icmp slt i32 %start, %n
  br i1 %any, label %stride, label %between
stride:
  %i = phi i32 [ %start, %entry ], [ %next, %stride ]
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 0, ptr %p
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %stride, label %between
between:
  br label %outer
outer:
  %j = phi i32 [ 0, %between ], [ %j.next, %outer.end ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %row = mul nsw i32 %j, 100
  %at = add nsw i32 %row, %k
  %q = getelementptr i32, ptr %out, i32 %at
  store i32 1, ptr %q
  %k.next = add nsw i32 %k, 1
  %again = icmp sle i32 %k.next, %j
  br i1 %again, label %inner, label %outer.end
outer.end:
  %j.next = add nsw i32 %j, 1
  %once.more = icmp slt i32 %j.next, 10
  br i1 %once.more, label %outer, label %halve
halve:
  %h = phi i32 [ 64, %outer.end ], [ %h.next, %halve ]
  %r = getelementptr i32, ptr %out, i32 %h
  store i32 2, ptr %r
  %h.next = lshr i32 %h, 1
  %left = icmp ne i32 %h.next, 0
  br i1 %left, label %halve, label %end
end:
  ret void
}
