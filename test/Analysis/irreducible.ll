; A cycle with two entries is no loop to compilers, but its blocks run more than
; once: it is shown as a loop with an unknown trip count, not as code that runs
; once. So is one that a switch enters.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
; RUN: %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB;launch=branch=grid:1;block:32;arg1=9;arg2=1>' \
; RUN:   %s | FileCheck %s --check-prefix=TIME

; CHECK-LABEL: kernel branch
; CHECK:         loop i0: trip count unknown (phi)
; CHECK:         block b1 in loop i0
; CHECK-NEXT:      {{.*}}store_global 1
; CHECK:         block b2 in loop i0
; CHECK-NEXT:      {{.*}}store_global 1
; CHECK:         understood: {{.*}} of accesses, 0 % of loops

; CHECK-LABEL: kernel choice
; CHECK:         loop i0: trip count unknown
; CHECK:         understood: {{.*}} of accesses, 0 % of loops

; TIME:       time unknown for branch
; TIME:       the trip count of this loop is unknown (phi)

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @branch(ptr addrspace(1) %p, i32 %n, i1 %first) {
entry:
  br i1 %first, label %a, label %b

a:
  %i = phi i32 [ 0, %entry ], [ %afterJ, %b ]
  %pi = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %pi
  %afterI = add i32 %i, 1
  br label %b

b:
  %j = phi i32 [ 1, %entry ], [ %afterI, %a ]
  %pj = getelementptr i32, ptr addrspace(1) %p, i32 %j
  store i32 %j, ptr addrspace(1) %pj
  %afterJ = add i32 %j, 1
  %again = icmp slt i32 %afterJ, %n
  br i1 %again, label %a, label %exit

exit:
  ret void
}

define ptx_kernel void @choice(ptr addrspace(1) %p, i32 %n) {
entry:
  switch i32 %n, label %exit [
    i32 1, label %a
    i32 2, label %b
  ]

a:
  store volatile i32 1, ptr addrspace(1) %p
  br label %b

b:
  %value = load volatile i32, ptr addrspace(1) %p
  %again = icmp slt i32 %value, %n
  br i1 %again, label %a, label %exit

exit:
  ret void
}
