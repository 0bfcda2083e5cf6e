; What a thread has to fulfil to come to a block: conditions are joined along
; the way, and dropped where the ways meet. Branches where all lanes go the same
; way are not divergent.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
; CHECK: block b0, if 1
; CHECK: block b1, if [tid.x < arg1]
; CHECK: block b2, if min([tid.x < arg1], [mod(tid.x, 2) == 0])
; CHECK: block b3, if [arg1 <= tid.x]
; CHECK: block b4, if min([arg1 <= tid.x], [arg2 >= 4])
; CHECK: block b5, if 1
; CHECK: divergent branch in b0: [tid.x < arg1]
; CHECK-NEXT: divergent branch in b1: [mod(tid.x, 2) == 0]
; CHECK-NOT: divergent

; With the launch put in: of 64 threads 40 are below n, so of 2 warps one parts
; at the first branch. Both have even and odd threads below n.
; RUN: %opt_auspex -passes='print<auspex-prediction;gpu=A100;launch=guards=grid:2;block:64;n=40;m=3>' %s \
; RUN:   | FileCheck %s --check-prefix=LAUNCH
; LAUNCH: the lanes of 50 % of the warps part here [DivergentBranch]
; LAUNCH: the lanes of 100 % of the warps part here [DivergentBranch]

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @guards(ptr %out, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %out, i32 %t
  %inside = icmp slt i32 %t, %n
  br i1 %inside, label %then, label %else
then:
  store i32 1, ptr %p
  %even = and i32 %t, 1
  %is = icmp eq i32 %even, 0
  br i1 %is, label %deep, label %join
deep:
  store i32 2, ptr %p
  br label %join
else:
  %uniform = icmp sgt i32 %m, 3
  br i1 %uniform, label %other, label %join
other:
  store i32 3, ptr %p
  br label %join
join:
  store i32 4, ptr %p
  ret void
}
