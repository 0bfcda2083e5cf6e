; Names from debug records, where the subprogram retains none.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary;json>' %s | FileCheck %s
; CHECK: "kind":"pointer",{{.*}}"name":"values"
; CHECK: "kind":"integer",{{.*}}"name":"n"

; A parameter became two arguments: no name is better than a wrong one.
; CHECK: "name": "split",
; CHECK-NOT: "name":"{{values|n}}"

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %0, i32 %1) !dbg !4 {
    #dbg_value(ptr %0, !8, !DIExpression(), !10)
    #dbg_value(i32 %1, !9, !DIExpression(), !10)
  store i32 %1, ptr %0, !dbg !10
  ret void
}

define ptx_kernel void @split(float %0, float %1, i32 %2) !dbg !11 {
    #dbg_value(float %0, !12, !DIExpression(), !13)
    #dbg_value(i32 %2, !14, !DIExpression(), !13)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null, !7, !7}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "values", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocalVariable(name: "n", arg: 2, scope: !4, file: !1, line: 1, type: !7)
!10 = !DILocation(line: 1, scope: !4)
!11 = distinct !DISubprogram(name: "split", file: !1, line: 2, type: !5, unit: !0)
!12 = !DILocalVariable(name: "values", arg: 1, scope: !11, file: !1, line: 2, type: !7)
!13 = !DILocation(line: 2, scope: !11)
!14 = !DILocalVariable(name: "n", arg: 2, scope: !11, file: !1, line: 2, type: !7)
