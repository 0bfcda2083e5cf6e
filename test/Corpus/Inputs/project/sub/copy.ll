target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr %from, ptr %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %tid to i64
  %source = getelementptr float, ptr %from, i64 %index
  %target = getelementptr float, ptr %to, i64 %index
  %value = load float, ptr %source
  store float %value, ptr %target
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
