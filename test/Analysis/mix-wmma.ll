; What wmma moves counts as ptxas makes it: four words a lane of halves in global
; memory, one ldmatrix of those in shared memory, and accumulators in pairs.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x half] undef, align 32

%fragment = type { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> }
declare %fragment @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
declare %fragment @llvm.nvvm.wmma.m16n16k16.load.b.row.stride.f16.p0(ptr, i32)
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr, float, float, float, float, float, float, float, float, i32)

; CHECK-LABEL: kernel product
; CHECK:         tensor_fp32 4, load_global 4, store_global 4, load_shared 1
define ptx_kernel void @product(ptr %a, ptr %d, i32 %stride) {
  %as = call %fragment @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %a, i32 %stride)
  %bs = call %fragment @llvm.nvvm.wmma.m16n16k16.load.b.row.stride.f16.p0(ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 16)
  %a0 = extractvalue %fragment %as, 0
  %a1 = extractvalue %fragment %as, 1
  %a2 = extractvalue %fragment %as, 2
  %a3 = extractvalue %fragment %as, 3
  %a4 = extractvalue %fragment %as, 4
  %a5 = extractvalue %fragment %as, 5
  %a6 = extractvalue %fragment %as, 6
  %a7 = extractvalue %fragment %as, 7
  %b0 = extractvalue %fragment %bs, 0
  %b1 = extractvalue %fragment %bs, 1
  %b2 = extractvalue %fragment %bs, 2
  %b3 = extractvalue %fragment %bs, 3
  %b4 = extractvalue %fragment %bs, 4
  %b5 = extractvalue %fragment %bs, 5
  %b6 = extractvalue %fragment %bs, 6
  %b7 = extractvalue %fragment %bs, 7
  %cs = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %a4, <2 x half> %a5, <2 x half> %a6, <2 x half> %a7, <2 x half> %b0, <2 x half> %b1, <2 x half> %b2, <2 x half> %b3, <2 x half> %b4, <2 x half> %b5, <2 x half> %b6, <2 x half> %b7, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0)
  %c0 = extractvalue { float, float, float, float, float, float, float, float } %cs, 0
  %c1 = extractvalue { float, float, float, float, float, float, float, float } %cs, 1
  %c2 = extractvalue { float, float, float, float, float, float, float, float } %cs, 2
  %c3 = extractvalue { float, float, float, float, float, float, float, float } %cs, 3
  %c4 = extractvalue { float, float, float, float, float, float, float, float } %cs, 4
  %c5 = extractvalue { float, float, float, float, float, float, float, float } %cs, 5
  %c6 = extractvalue { float, float, float, float, float, float, float, float } %cs, 6
  %c7 = extractvalue { float, float, float, float, float, float, float, float } %cs, 7
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %d, float %c0, float %c1, float %c2, float %c3, float %c4, float %c5, float %c6, float %c7, i32 %stride)
  ret void
}
