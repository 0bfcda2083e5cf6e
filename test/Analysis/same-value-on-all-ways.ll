; What is calculated in the same manner on every way is one value where the ways
; meet, even if it is unknown which is taken. What is read is not.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel calculated
; CHECK-NEXT:  b6 store 4 B global arg0 + 1024*ctaid.x + 4*tid.x
define ptx_kernel void @calculated(ptr addrspace(1) %p, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %thread, 8
  br i1 %few, label %repeats, label %skips
skips:
  %block0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first0 = shl i32 %block0, 8
  br label %end
repeats:
  %block1 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first1 = shl i32 %block1, 8
  br label %loop
loop:
  %i = phi i32 [ 0, %repeats ], [ %next, %loop ]
  call void @llvm.nvvm.membar.cta()
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  %fewer = icmp slt i32 %thread, 4
  br i1 %fewer, label %more, label %end
more:
  call void @llvm.nvvm.membar.gl()
  br label %end
end:
  %first = phi i32 [ %first0, %skips ], [ %first1, %after ], [ %first1, %more ]
  %at = add nsw i32 %first, %thread
  %address = getelementptr i32, ptr addrspace(1) %p, i32 %at
  store i32 1, ptr addrspace(1) %address
  ret void
}

; CHECK-LABEL: kernel read
; CHECK:         store 4 B global arg0 + unknown (phi)
define ptx_kernel void @read(ptr addrspace(1) %p, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %thread, 8
  br i1 %few, label %repeats, label %skips
skips:
  %first0 = load volatile i32, ptr addrspace(1) %p
  br label %end
repeats:
  %first1 = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %repeats ], [ %next, %loop ]
  call void @llvm.nvvm.membar.cta()
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  %fewer = icmp slt i32 %thread, 4
  br i1 %fewer, label %more, label %end
more:
  call void @llvm.nvvm.membar.gl()
  br label %end
end:
  %first = phi i32 [ %first0, %skips ], [ %first1, %after ], [ %first1, %more ]
  %at = add nsw i32 %first, %thread
  %address = getelementptr i32, ptr addrspace(1) %p, i32 %at
  store i32 1, ptr addrspace(1) %address
  ret void
}
