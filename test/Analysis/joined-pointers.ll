; Pointers that meet from several ways, as sunk stores have them: one object, and
; an offset that the way decides. Several objects lie far apart.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel joined
; CHECK-NEXT:    store 4 B global arg0 + 4*tid.x - 4*tid.x*[tid.x <= 7] + 40*[tid.x <= 7]
define ptx_kernel void @joined(ptr addrspace(1) %p) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %thread, 8
  br i1 %few, label %a, label %b
a:
  %tenth = getelementptr i32, ptr addrspace(1) %p, i32 10
  br label %end
b:
  %own = getelementptr i32, ptr addrspace(1) %p, i32 %thread
  br label %end
end:
  %at = phi ptr addrspace(1) [ %tenth, %a ], [ %own, %b ]
  store i32 1, ptr addrspace(1) %at
  ret void
}

; A switch decides between three.
; CHECK-LABEL: kernel three
; CHECK-NEXT:    store 4 B global arg0 + {{.*}}[arg1 == 1]
define ptx_kernel void @three(ptr addrspace(1) %p, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(1) %p, i32 %thread
  switch i32 %n, label %end [
    i32 1, label %a
    i32 2, label %b
  ]
a:
  %next = getelementptr i32, ptr addrspace(1) %own, i32 1
  br label %end
b:
  %far = getelementptr i32, ptr addrspace(1) %own, i32 64
  br label %end
end:
  %at = phi ptr addrspace(1) [ %own, %entry ], [ %next, %a ], [ %far, %b ]
  store i32 1, ptr addrspace(1) %at
  ret void
}

; Two buffers of one array take turns.
; CHECK-LABEL: kernel turns
; CHECK:         store 4 B shared @buffers + {{.*}}mod(i0, 2)
@buffers = internal addrspace(3) global [256 x float] undef
define ptx_kernel void @turns(i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %half = phi i32 [ 0, %entry ], [ %other, %loop ]
  %row = getelementptr float, ptr addrspace(3) @buffers, i32 %half
  %at = getelementptr float, ptr addrspace(3) %row, i32 %thread
  store float 1.0, ptr addrspace(3) %at
  %other = sub i32 128, %half
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: kernel either
; CHECK-NEXT:    store 4 B global arg1|arg0 + 1099511627776*[tid.x <= 7]
define ptx_kernel void @either(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %thread, 8
  %at = select i1 %few, ptr addrspace(1) %p, ptr addrspace(1) %q
  store i32 1, ptr addrspace(1) %at
  ret void
}

; Objects in several spaces have an access each.
; CHECK-LABEL: kernel spaces
; CHECK-NEXT:    store 4 B global arg0 + 0
; CHECK-NEXT:    store 4 B shared @buffers + 0
define ptx_kernel void @spaces(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %thread, 8
  %far = addrspacecast ptr addrspace(1) %p to ptr
  %near = addrspacecast ptr addrspace(3) @buffers to ptr
  %at = select i1 %few, ptr %far, ptr %near
  store i32 1, ptr %at
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
