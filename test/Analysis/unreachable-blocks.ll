; Blocks that control never comes to are not there, whatever is in them.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' %s \
; RUN:   | FileCheck %s

; CHECK:      kernel k (k)
; CHECK:        block b0, if 1
; CHECK-NOT:    block
; CHECK:        understood: 100 % of accesses, 100 % of loops
; CHECK-NEXT: kernel k
; CHECK-NOT:  {{.}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  ret void

; Values that are made of themselves are valid here.
dead:
  %self = getelementptr i8, ptr addrspace(1) %self, i64 1
  store i8 0, ptr addrspace(1) %self
  %number = add i32 %number, 1
  %element = getelementptr i32, ptr addrspace(1) %p, i32 %number
  store i32 0, ptr addrspace(1) %element
  br i1 undef, label %dead, label %deadToo

deadToo:
  store i32 1, ptr addrspace(1) %p
  ret void
}
