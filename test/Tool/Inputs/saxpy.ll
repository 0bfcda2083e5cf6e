; y[i] = a * x[i] + y[i] for i < n.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @saxpy(i32 %n, float %a, ptr %x, ptr %y) "target-cpu"="sm_80" {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %size
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %first, %thread
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %exit

work:
  %index = sext i32 %i to i64
  %px = getelementptr inbounds float, ptr %x, i64 %index
  %vx = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %index
  %vy = load float, ptr %py, align 4
  %product = fmul contract float %a, %vx
  %sum = fadd contract float %product, %vy
  store float %sum, ptr %py, align 4
  br label %exit

exit:
  ret void
}
