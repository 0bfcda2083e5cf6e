; The summary of a module as a document and as text: a kernel with a guard and
; three accesses.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary;json>' %s | FileCheck %s
; RUN: %opt_auspex -passes='print<auspex-summary>' %s \
; RUN:   | FileCheck %s --check-prefix=TEXT
; RUN: not %opt_auspex -passes='print<auspex-summary;xml>' %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=XML

; CHECK:      {
; CHECK-NEXT:   "schemaVersion": 1,
; CHECK-NEXT:   "kernels": [
; CHECK-NEXT:     {
; CHECK-NEXT:       "name": "saxpy",
; CHECK-NEXT:       "location": {"file":"saxpy.cu","line":3,"column":1},
; CHECK-NEXT:       "arch": 80,
; CHECK-NEXT:       "arguments": [
; CHECK-NEXT:         {"kind":"integer","sizeInBytes":4,"name":"n"},
; CHECK-NEXT:         {"kind":"float","sizeInBytes":4,"name":"a"},
; CHECK-NEXT:         {"kind":"pointer","sizeInBytes":8,"name":"x"},
; CHECK-NEXT:         {"kind":"pointer","sizeInBytes":8,"name":"y"}
; CHECK-NEXT:       ],
; CHECK-NEXT:       "maxThreadsPerBlock": 256,
; CHECK-NEXT:       "minBlocksPerSM": 2,
; CHECK-NEXT:       "staticSharedInBytes": 0,
; CHECK-NEXT:       "usesDynamicShared": false,
; CHECK-NEXT:       "localInBytes": 0,
; CHECK-NEXT:       "registers": {{[0-9]+}},
; CHECK-NEXT:       "registerOrigin": "estimated",
; CHECK-NEXT:       "loops": [],
; CHECK-NEXT:       "blocks": [
; CHECK:              "guard": "[ctaid.x*ntid.x + tid.x < arg0]",
; CHECK-NEXT:         "code": [
; CHECK-NEXT:           {"unroll":1,"mix":{"fp32":1,{{.*}}"load_global":2,"store_global":1},"path":{{.*}},"ilp":{{[0-9.]+}},"mlp":{{[0-9.]+}},"lines":[{"file":"saxpy.cu","line":6,"mix":{"fp32":1,{{.*}}"load_global":2,"store_global":1}}]}
; CHECK-NEXT:         ]
; CHECK:            "accesses": [
; CHECK-NEXT:         {"block":1,"kind":"load","space":"global","bytesPerLane":4,"base":"arg2","offset":"4*ctaid.x*ntid.x + 4*tid.x","location":{"file":"saxpy.cu","line":6,"column":16}},
; CHECK-NEXT:         {"block":1,"kind":"load","space":"global","bytesPerLane":4,"base":"arg3",{{.*}}"column":23}},
; CHECK-NEXT:         {"block":1,"kind":"store","space":"global","bytesPerLane":4,"base":"arg3",{{.*}}"column":10}}
; CHECK-NEXT:       ],
; CHECK-NEXT:       "branches": [
; CHECK-NEXT:         {"block":0,"condition":"[ctaid.x*ntid.x + tid.x < arg0]",{{.*}}}
; CHECK-NEXT:       ],
; CHECK-NEXT:       "dataSymbols": [],
; CHECK-NEXT:       "callees": [],

; TEXT:      kernel saxpy (saxpy)
; TEXT-NEXT:   compiled for sm_80, registers {{[0-9]+}} (estimated), shared 0 B, local 0 B
; TEXT-NEXT:   launch bounds: at most 256 threads a block, at least 2 blocks an SM
; TEXT:        block b1, if [ctaid.x*ntid.x + tid.x < arg0]
; TEXT-NEXT:     fp32 1, {{.*}}load_global 2, store_global 1
; TEXT:        divergent branch in b0: [ctaid.x*ntid.x + tid.x < arg0]
; TEXT-NEXT:   understood: 100 % of accesses, 100 % of loops

; XML: error: auspex-summary has one parameter: json
; XML: unknown pass name 'print<auspex-summary;xml>'

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @saxpy(i32 %n, float %a, ptr addrspace(1) %x, ptr addrspace(1) %y) #0 !dbg !5 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !8
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !8
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !8
  %before = mul nsw i32 %block, %threads, !dbg !8
  %first = add nsw i32 %before, %tid, !dbg !8
  %some = icmp slt i32 %first, %n, !dbg !9
  br i1 %some, label %body, label %exit, !dbg !9

body:
  %index = sext i32 %first to i64, !dbg !10
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index, !dbg !10
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %index, !dbg !10
  %vx = load float, ptr addrspace(1) %px, align 4, !dbg !10
  %vy = load float, ptr addrspace(1) %py, align 4, !dbg !11
  %ax = fmul contract float %vx, %a, !dbg !10
  %sum = fadd contract float %ax, %vy, !dbg !10
  store float %sum, ptr addrspace(1) %py, align 4, !dbg !12
  br label %exit, !dbg !12

exit:
  ret void, !dbg !13
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

attributes #0 = { "target-cpu"="sm_80" "nvvm.maxntid"="256" "nvvm.minctasm"="2" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "saxpy.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "saxpy", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 4, column: 11, scope: !5)
!9 = !DILocation(line: 5, column: 7, scope: !5)
!10 = !DILocation(line: 6, column: 16, scope: !5)
!11 = !DILocation(line: 6, column: 23, scope: !5)
!12 = !DILocation(line: 6, column: 10, scope: !5)
!13 = !DILocation(line: 7, column: 1, scope: !5)
