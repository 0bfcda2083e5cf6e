; A trip count that hangs on data, with a minimum in it: what is free of data
; there is an upper bound. So are the loops of libdevice for large arguments of
; sine and cosine.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
; CHECK: loop i0: trip count min(2, {{.*data0.*}}) + 1
; CHECK: data0: indirect

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %x) {
entry:
  %word = load i32, ptr %x
  %bits = lshr i32 %word, 20
  %exponent = and i32 %bits, 2047
  %above = sub nsw i32 %exponent, 1024
  %groups = lshr i32 %above, 6
  %first = sub nsw i32 16, %groups
  %sum = sub nsw i32 19, %groups
  %last = call i32 @llvm.smin.i32(i32 %sum, i32 18)
  %any = icmp slt i32 %first, %last
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %place = getelementptr float, ptr %x, i32 %i
  store float 0.0, ptr %place
  %next = add nsw i32 %i, 1
  %end = icmp eq i32 %next, %last
  br i1 %end, label %done, label %loop

done:
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
