; ModuleID = 'utils/EmulatorKernels/kernels.cu'
source_filename = "utils/EmulatorKernels/kernels.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZZ8multiplyILi16EEvPKfS1_PfiE5tileA = comdat any

$_ZZ8multiplyILi16EEvPKfS1_PfiE5tileB = comdat any

$_ZZ8multiplyILi32EEvPKfS1_PfiE5tileA = comdat any

$_ZZ8multiplyILi32EEvPKfS1_PfiE5tileB = comdat any

@_ZZ9histogramE5local = internal addrspace(3) global [1024 x i32] undef, align 4
@_ZZ8multiplyILi16EEvPKfS1_PfiE5tileA = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [16 x [16 x float]] undef, comdat, align 4
@_ZZ8multiplyILi16EEvPKfS1_PfiE5tileB = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [16 x [16 x float]] undef, comdat, align 4
@_ZZ8multiplyILi32EEvPKfS1_PfiE5tileA = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [32 x [32 x float]] undef, comdat, align 4
@_ZZ8multiplyILi32EEvPKfS1_PfiE5tileB = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [32 x [32 x float]] undef, comdat, align 4

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @saxpy(ptr noundef readonly captures(none) %0, ptr noundef captures(none) %1, float noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %19

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds float, ptr %0, i64 %12
  %14 = load float, ptr %13, align 4, !tbaa !9
  %15 = fmul contract float %2, %14
  %16 = getelementptr inbounds float, ptr %1, i64 %12
  %17 = load float, ptr %16, align 4, !tbaa !9
  %18 = fadd contract float %15, %17
  store float %18, ptr %16, align 4, !tbaa !9
  br label %19

19:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @tiled16(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #1 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %6 = shl nuw nsw i32 %5, 4
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %8 = add nuw nsw i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = shl i32 %9, 4
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = icmp sgt i32 %3, 0
  %14 = mul nsw i32 %3, %8
  br i1 %13, label %15, label %133

15:                                               ; preds = %4
  %16 = add nuw i32 %14, %11
  %17 = zext nneg i32 %7 to i64
  %18 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi16EEvPKfS1_PfiE5tileA to ptr), i64 %17
  %19 = zext nneg i32 %11 to i64
  %20 = getelementptr inbounds nuw float, ptr %18, i64 %19
  %21 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi16EEvPKfS1_PfiE5tileB to ptr), i64 %17
  %22 = getelementptr inbounds nuw float, ptr %21, i64 %19
  %23 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi16EEvPKfS1_PfiE5tileB to ptr), i64 %19
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %25 = getelementptr inbounds nuw i8, ptr %23, i64 64
  %26 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %23, i64 128
  %28 = getelementptr inbounds nuw i8, ptr %18, i64 12
  %29 = getelementptr inbounds nuw i8, ptr %23, i64 192
  %30 = getelementptr inbounds nuw i8, ptr %18, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %23, i64 256
  %32 = getelementptr inbounds nuw i8, ptr %18, i64 20
  %33 = getelementptr inbounds nuw i8, ptr %23, i64 320
  %34 = getelementptr inbounds nuw i8, ptr %18, i64 24
  %35 = getelementptr inbounds nuw i8, ptr %23, i64 384
  %36 = getelementptr inbounds nuw i8, ptr %18, i64 28
  %37 = getelementptr inbounds nuw i8, ptr %23, i64 448
  %38 = getelementptr inbounds nuw i8, ptr %18, i64 32
  %39 = getelementptr inbounds nuw i8, ptr %23, i64 512
  %40 = getelementptr inbounds nuw i8, ptr %18, i64 36
  %41 = getelementptr inbounds nuw i8, ptr %23, i64 576
  %42 = getelementptr inbounds nuw i8, ptr %18, i64 40
  %43 = getelementptr inbounds nuw i8, ptr %23, i64 640
  %44 = getelementptr inbounds nuw i8, ptr %18, i64 44
  %45 = getelementptr inbounds nuw i8, ptr %23, i64 704
  %46 = getelementptr inbounds nuw i8, ptr %18, i64 48
  %47 = getelementptr inbounds nuw i8, ptr %23, i64 768
  %48 = getelementptr inbounds nuw i8, ptr %18, i64 52
  %49 = getelementptr inbounds nuw i8, ptr %23, i64 832
  %50 = getelementptr inbounds nuw i8, ptr %18, i64 56
  %51 = getelementptr inbounds nuw i8, ptr %23, i64 896
  %52 = getelementptr inbounds nuw i8, ptr %18, i64 60
  %53 = getelementptr inbounds nuw i8, ptr %23, i64 960
  br label %54

54:                                               ; preds = %54, %15
  %55 = phi i32 [ 0, %15 ], [ %131, %54 ]
  %56 = phi float [ 0.000000e+00, %15 ], [ %130, %54 ]
  %57 = add i32 %16, %55
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds nuw float, ptr %0, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !9
  store float %60, ptr %20, align 4, !tbaa !9
  %61 = add nuw i32 %55, %7
  %62 = mul i32 %61, %3
  %63 = add i32 %62, %12
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds nuw float, ptr %1, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !9
  store float %66, ptr %22, align 4, !tbaa !9
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %67 = load float, ptr %18, align 4, !tbaa !9
  %68 = load float, ptr %23, align 4, !tbaa !9
  %69 = fmul contract float %67, %68
  %70 = fadd contract float %56, %69
  %71 = load float, ptr %24, align 4, !tbaa !9
  %72 = load float, ptr %25, align 4, !tbaa !9
  %73 = fmul contract float %71, %72
  %74 = fadd contract float %70, %73
  %75 = load float, ptr %26, align 4, !tbaa !9
  %76 = load float, ptr %27, align 4, !tbaa !9
  %77 = fmul contract float %75, %76
  %78 = fadd contract float %74, %77
  %79 = load float, ptr %28, align 4, !tbaa !9
  %80 = load float, ptr %29, align 4, !tbaa !9
  %81 = fmul contract float %79, %80
  %82 = fadd contract float %78, %81
  %83 = load float, ptr %30, align 4, !tbaa !9
  %84 = load float, ptr %31, align 4, !tbaa !9
  %85 = fmul contract float %83, %84
  %86 = fadd contract float %82, %85
  %87 = load float, ptr %32, align 4, !tbaa !9
  %88 = load float, ptr %33, align 4, !tbaa !9
  %89 = fmul contract float %87, %88
  %90 = fadd contract float %86, %89
  %91 = load float, ptr %34, align 4, !tbaa !9
  %92 = load float, ptr %35, align 4, !tbaa !9
  %93 = fmul contract float %91, %92
  %94 = fadd contract float %90, %93
  %95 = load float, ptr %36, align 4, !tbaa !9
  %96 = load float, ptr %37, align 4, !tbaa !9
  %97 = fmul contract float %95, %96
  %98 = fadd contract float %94, %97
  %99 = load float, ptr %38, align 4, !tbaa !9
  %100 = load float, ptr %39, align 4, !tbaa !9
  %101 = fmul contract float %99, %100
  %102 = fadd contract float %98, %101
  %103 = load float, ptr %40, align 4, !tbaa !9
  %104 = load float, ptr %41, align 4, !tbaa !9
  %105 = fmul contract float %103, %104
  %106 = fadd contract float %102, %105
  %107 = load float, ptr %42, align 4, !tbaa !9
  %108 = load float, ptr %43, align 4, !tbaa !9
  %109 = fmul contract float %107, %108
  %110 = fadd contract float %106, %109
  %111 = load float, ptr %44, align 4, !tbaa !9
  %112 = load float, ptr %45, align 4, !tbaa !9
  %113 = fmul contract float %111, %112
  %114 = fadd contract float %110, %113
  %115 = load float, ptr %46, align 4, !tbaa !9
  %116 = load float, ptr %47, align 4, !tbaa !9
  %117 = fmul contract float %115, %116
  %118 = fadd contract float %114, %117
  %119 = load float, ptr %48, align 4, !tbaa !9
  %120 = load float, ptr %49, align 4, !tbaa !9
  %121 = fmul contract float %119, %120
  %122 = fadd contract float %118, %121
  %123 = load float, ptr %50, align 4, !tbaa !9
  %124 = load float, ptr %51, align 4, !tbaa !9
  %125 = fmul contract float %123, %124
  %126 = fadd contract float %122, %125
  %127 = load float, ptr %52, align 4, !tbaa !9
  %128 = load float, ptr %53, align 4, !tbaa !9
  %129 = fmul contract float %127, %128
  %130 = fadd contract float %126, %129
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %131 = add nuw nsw i32 %55, 16
  %132 = icmp slt i32 %131, %3
  br i1 %132, label %54, label %133, !llvm.loop !11

133:                                              ; preds = %54, %4
  %134 = phi float [ 0.000000e+00, %4 ], [ %130, %54 ]
  %135 = add nsw i32 %14, %12
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %2, i64 %136
  store float %134, ptr %137, align 4, !tbaa !9
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @tiled32(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, i32 noundef %3) local_unnamed_addr #1 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %6 = shl nuw nsw i32 %5, 5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %8 = add nuw nsw i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = shl i32 %9, 5
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = icmp sgt i32 %3, 0
  %14 = mul nsw i32 %3, %8
  br i1 %13, label %15, label %76

15:                                               ; preds = %4
  %16 = add nuw i32 %14, %11
  %17 = zext nneg i32 %7 to i64
  %18 = getelementptr inbounds nuw [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi32EEvPKfS1_PfiE5tileA to ptr), i64 %17
  %19 = zext nneg i32 %11 to i64
  %20 = getelementptr inbounds nuw float, ptr %18, i64 %19
  %21 = getelementptr inbounds nuw [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi32EEvPKfS1_PfiE5tileB to ptr), i64 %17
  %22 = getelementptr inbounds nuw float, ptr %21, i64 %19
  %23 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8multiplyILi32EEvPKfS1_PfiE5tileB to ptr), i64 %19
  br label %24

24:                                               ; preds = %37, %15
  %25 = phi i32 [ 0, %15 ], [ %38, %37 ]
  %26 = phi float [ 0.000000e+00, %15 ], [ %73, %37 ]
  %27 = add i32 %16, %25
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds nuw float, ptr %0, i64 %28
  %30 = load float, ptr %29, align 4, !tbaa !9
  store float %30, ptr %20, align 4, !tbaa !9
  %31 = add nuw i32 %25, %7
  %32 = mul i32 %31, %3
  %33 = add i32 %32, %12
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw float, ptr %1, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !9
  store float %36, ptr %22, align 4, !tbaa !9
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %40

37:                                               ; preds = %40
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %38 = add nuw nsw i32 %25, 32
  %39 = icmp slt i32 %38, %3
  br i1 %39, label %24, label %76, !llvm.loop !13

40:                                               ; preds = %40, %24
  %41 = phi i32 [ 0, %24 ], [ %74, %40 ]
  %42 = phi float [ %26, %24 ], [ %73, %40 ]
  %43 = zext nneg i32 %41 to i64
  %44 = getelementptr inbounds nuw float, ptr %18, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !9
  %46 = getelementptr inbounds nuw [32 x float], ptr %23, i64 %43
  %47 = load float, ptr %46, align 4, !tbaa !9
  %48 = fmul contract float %45, %47
  %49 = fadd contract float %42, %48
  %50 = or disjoint i32 %41, 1
  %51 = zext nneg i32 %50 to i64
  %52 = getelementptr inbounds nuw float, ptr %18, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !9
  %54 = getelementptr inbounds nuw [32 x float], ptr %23, i64 %51
  %55 = load float, ptr %54, align 4, !tbaa !9
  %56 = fmul contract float %53, %55
  %57 = fadd contract float %49, %56
  %58 = or disjoint i32 %41, 2
  %59 = zext nneg i32 %58 to i64
  %60 = getelementptr inbounds nuw float, ptr %18, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !9
  %62 = getelementptr inbounds nuw [32 x float], ptr %23, i64 %59
  %63 = load float, ptr %62, align 4, !tbaa !9
  %64 = fmul contract float %61, %63
  %65 = fadd contract float %57, %64
  %66 = or disjoint i32 %41, 3
  %67 = zext nneg i32 %66 to i64
  %68 = getelementptr inbounds nuw float, ptr %18, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !9
  %70 = getelementptr inbounds nuw [32 x float], ptr %23, i64 %67
  %71 = load float, ptr %70, align 4, !tbaa !9
  %72 = fmul contract float %69, %71
  %73 = fadd contract float %65, %72
  %74 = add nuw nsw i32 %41, 4
  %75 = icmp eq i32 %74, 32
  br i1 %75, label %37, label %40, !llvm.loop !14

76:                                               ; preds = %37, %4
  %77 = phi float [ 0.000000e+00, %4 ], [ %73, %37 ]
  %78 = add nsw i32 %14, %12
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds float, ptr %2, i64 %79
  store float %77, ptr %80, align 4, !tbaa !9
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @divergent(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %68

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds i32, ptr %0, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !5
  %14 = icmp sgt i32 %13, 0
  br i1 %14, label %15, label %36

15:                                               ; preds = %10
  %16 = and i32 %13, 3
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %31, label %18

18:                                               ; preds = %15, %18
  %19 = phi i32 [ %28, %18 ], [ %13, %15 ]
  %20 = phi i32 [ %27, %18 ], [ %8, %15 ]
  %21 = phi i32 [ %29, %18 ], [ 0, %15 ]
  %22 = and i32 %20, 1
  %23 = icmp eq i32 %22, 0
  %24 = mul i32 %20, 3
  %25 = add i32 %24, 1
  %26 = lshr exact i32 %20, 1
  %27 = select i1 %23, i32 %26, i32 %25
  %28 = add nsw i32 %19, -1
  %29 = add i32 %21, 1
  %30 = icmp eq i32 %29, %16
  br i1 %30, label %31, label %18, !llvm.loop !15

31:                                               ; preds = %18, %15
  %32 = phi i32 [ %13, %15 ], [ %28, %18 ]
  %33 = phi i32 [ %8, %15 ], [ %27, %18 ]
  %34 = phi i32 [ poison, %15 ], [ %27, %18 ]
  %35 = icmp ult i32 %13, 4
  br i1 %35, label %36, label %39

36:                                               ; preds = %31, %39, %10
  %37 = phi i32 [ %8, %10 ], [ %34, %31 ], [ %65, %39 ]
  %38 = getelementptr inbounds i32, ptr %1, i64 %11
  store i32 %37, ptr %38, align 4, !tbaa !5
  br label %68

39:                                               ; preds = %31, %39
  %40 = phi i32 [ %66, %39 ], [ %32, %31 ]
  %41 = phi i32 [ %65, %39 ], [ %33, %31 ]
  %42 = and i32 %41, 1
  %43 = icmp eq i32 %42, 0
  %44 = mul i32 %41, 3
  %45 = add i32 %44, 1
  %46 = lshr exact i32 %41, 1
  %47 = select i1 %43, i32 %46, i32 %45
  %48 = and i32 %47, 1
  %49 = icmp eq i32 %48, 0
  %50 = mul i32 %47, 3
  %51 = add i32 %50, 1
  %52 = lshr exact i32 %47, 1
  %53 = select i1 %49, i32 %52, i32 %51
  %54 = and i32 %53, 1
  %55 = icmp eq i32 %54, 0
  %56 = mul i32 %53, 3
  %57 = add i32 %56, 1
  %58 = lshr exact i32 %53, 1
  %59 = select i1 %55, i32 %58, i32 %57
  %60 = and i32 %59, 1
  %61 = icmp eq i32 %60, 0
  %62 = mul i32 %59, 3
  %63 = add i32 %62, 1
  %64 = lshr exact i32 %59, 1
  %65 = select i1 %61, i32 %64, i32 %63
  %66 = add nsw i32 %40, -4
  %67 = icmp sgt i32 %40, 4
  br i1 %67, label %39, label %36, !llvm.loop !17

68:                                               ; preds = %3, %36
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @histogram(ptr noundef readonly captures(none) %0, i32 noundef %1, ptr noundef captures(none) %2) local_unnamed_addr #1 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %14

6:                                                ; preds = %14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = mul i32 %7, %5
  %9 = add i32 %8, %4
  %10 = icmp slt i32 %9, %1
  br i1 %10, label %11, label %20

11:                                               ; preds = %6
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %12, %5
  br label %21

14:                                               ; preds = %3, %14
  %15 = phi i32 [ %4, %3 ], [ %18, %14 ]
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %16
  store i32 0, ptr %17, align 4, !tbaa !5
  %18 = add nuw nsw i32 %15, %5
  %19 = icmp samesign ult i32 %18, 1024
  br i1 %19, label %14, label %6, !llvm.loop !18

20:                                               ; preds = %21, %6
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %50

21:                                               ; preds = %11, %21
  %22 = phi i32 [ %9, %11 ], [ %47, %21 ]
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i32, ptr %0, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !5
  %26 = and i32 %25, 255
  %27 = zext nneg i32 %26 to i64
  %28 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %27
  %29 = atomicrmw add ptr %28, i32 1 seq_cst, align 4
  %30 = lshr i32 %25, 8
  %31 = and i32 %30, 255
  %32 = zext nneg i32 %31 to i64
  %33 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %32
  %34 = getelementptr inbounds nuw i8, ptr %33, i64 1024
  %35 = atomicrmw add ptr %34, i32 1 seq_cst, align 4
  %36 = lshr i32 %25, 16
  %37 = and i32 %36, 255
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %38
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 2048
  %41 = atomicrmw add ptr %40, i32 1 seq_cst, align 4
  %42 = lshr i32 %25, 24
  %43 = zext nneg i32 %42 to i64
  %44 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 3072
  %46 = atomicrmw add ptr %45, i32 1 seq_cst, align 4
  %47 = add i32 %22, %13
  %48 = icmp slt i32 %47, %1
  br i1 %48, label %21, label %20, !llvm.loop !19

49:                                               ; preds = %59
  ret void

50:                                               ; preds = %20, %59
  %51 = phi i32 [ %4, %20 ], [ %60, %59 ]
  %52 = zext nneg i32 %51 to i64
  %53 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE5local to ptr), i64 %52
  %54 = load i32, ptr %53, align 4, !tbaa !5
  %55 = icmp eq i32 %54, 0
  br i1 %55, label %59, label %56

56:                                               ; preds = %50
  %57 = getelementptr inbounds nuw i32, ptr %2, i64 %52
  %58 = atomicrmw add ptr %57, i32 %54 seq_cst, align 4
  br label %59

59:                                               ; preds = %50, %56
  %60 = add nuw nsw i32 %51, %5
  %61 = icmp samesign ult i32 %60, 1024
  br i1 %61, label %50, label %49, !llvm.loop !20
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @spmv(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, i32 noundef %5) local_unnamed_addr #2 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %71

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds i32, ptr %0, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !5
  %17 = getelementptr i8, ptr %15, i64 4
  %18 = load i32, ptr %17, align 4, !tbaa !5
  %19 = icmp slt i32 %16, %18
  br i1 %19, label %20, label %42

20:                                               ; preds = %13
  %21 = sub i32 %18, %16
  %22 = add i32 %16, 1
  %23 = and i32 %21, 1
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %37, label %25

25:                                               ; preds = %20
  %26 = sext i32 %16 to i64
  %27 = getelementptr inbounds float, ptr %2, i64 %26
  %28 = load float, ptr %27, align 4, !tbaa !9
  %29 = getelementptr inbounds i32, ptr %1, i64 %26
  %30 = load i32, ptr %29, align 4, !tbaa !5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %3, i64 %31
  %33 = load float, ptr %32, align 4, !tbaa !9
  %34 = fmul contract float %28, %33
  %35 = fadd contract float %34, 0.000000e+00
  %36 = add nsw i32 %16, 1
  br label %37

37:                                               ; preds = %25, %20
  %38 = phi float [ poison, %20 ], [ %35, %25 ]
  %39 = phi i32 [ %16, %20 ], [ %36, %25 ]
  %40 = phi float [ 0.000000e+00, %20 ], [ %35, %25 ]
  %41 = icmp eq i32 %18, %22
  br i1 %41, label %42, label %45

42:                                               ; preds = %37, %45, %13
  %43 = phi float [ 0.000000e+00, %13 ], [ %38, %37 ], [ %68, %45 ]
  %44 = getelementptr inbounds float, ptr %4, i64 %14
  store float %43, ptr %44, align 4, !tbaa !9
  br label %71

45:                                               ; preds = %37, %45
  %46 = phi i32 [ %69, %45 ], [ %39, %37 ]
  %47 = phi float [ %68, %45 ], [ %40, %37 ]
  %48 = sext i32 %46 to i64
  %49 = getelementptr inbounds float, ptr %2, i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !9
  %51 = getelementptr inbounds i32, ptr %1, i64 %48
  %52 = load i32, ptr %51, align 4, !tbaa !5
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %3, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !9
  %56 = fmul contract float %50, %55
  %57 = fadd contract float %47, %56
  %58 = add nsw i32 %46, 1
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds float, ptr %2, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !9
  %62 = getelementptr inbounds i32, ptr %1, i64 %59
  %63 = load i32, ptr %62, align 4, !tbaa !5
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds float, ptr %3, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !9
  %67 = fmul contract float %61, %66
  %68 = fadd contract float %57, %67
  %69 = add nsw i32 %46, 2
  %70 = icmp eq i32 %69, %18
  br i1 %70, label %42, label %45, !llvm.loop !21

71:                                               ; preds = %6, %42
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @spmvWarp(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, i32 noundef %5) local_unnamed_addr #4 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = lshr i32 %11, 5
  %13 = and i32 %10, 31
  %14 = icmp slt i32 %12, %5
  br i1 %14, label %15, label %53

15:                                               ; preds = %6
  %16 = zext nneg i32 %12 to i64
  %17 = getelementptr inbounds nuw i32, ptr %0, i64 %16
  %18 = load i32, ptr %17, align 4, !tbaa !5
  %19 = add nsw i32 %18, %13
  %20 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %21 = load i32, ptr %20, align 4, !tbaa !5
  %22 = icmp slt i32 %19, %21
  br i1 %22, label %35, label %23

23:                                               ; preds = %35, %15
  %24 = phi float [ 0.000000e+00, %15 ], [ %47, %35 ]
  %25 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %24, i32 16, i32 31)
  %26 = fadd contract float %24, %25
  %27 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %26, i32 8, i32 31)
  %28 = fadd contract float %26, %27
  %29 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %28, i32 4, i32 31)
  %30 = fadd contract float %28, %29
  %31 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %30, i32 2, i32 31)
  %32 = fadd contract float %30, %31
  %33 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %32, i32 1, i32 31)
  %34 = icmp eq i32 %13, 0
  br i1 %34, label %50, label %53

35:                                               ; preds = %15, %35
  %36 = phi i32 [ %48, %35 ], [ %19, %15 ]
  %37 = phi float [ %47, %35 ], [ 0.000000e+00, %15 ]
  %38 = sext i32 %36 to i64
  %39 = getelementptr inbounds float, ptr %2, i64 %38
  %40 = load float, ptr %39, align 4, !tbaa !9
  %41 = getelementptr inbounds i32, ptr %1, i64 %38
  %42 = load i32, ptr %41, align 4, !tbaa !5
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %3, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !9
  %46 = fmul contract float %40, %45
  %47 = fadd contract float %37, %46
  %48 = add nsw i32 %36, 32
  %49 = icmp slt i32 %48, %21
  br i1 %49, label %35, label %23, !llvm.loop !22

50:                                               ; preds = %23
  %51 = fadd contract float %32, %33
  %52 = getelementptr inbounds nuw float, ptr %4, i64 %16
  store float %51, ptr %52, align 4, !tbaa !9
  br label %53

53:                                               ; preds = %23, %50, %6
  ret void
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define dso_local ptx_kernel void @empty() local_unnamed_addr #5 {
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #6

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #7

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #6

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #6

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "uniform-work-group-size"="true" }
attributes #5 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "uniform-work-group-size"="true" }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 8]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !7, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = distinct !{!17, !12}
!18 = distinct !{!18, !12}
!19 = distinct !{!19, !12}
!20 = distinct !{!20, !12}
!21 = distinct !{!21, !12}
!22 = distinct !{!22, !12}
