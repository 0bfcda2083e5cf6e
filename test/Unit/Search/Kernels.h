// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel to sweep, and small helpers.
#ifndef AUSPEX_TEST_UNIT_SEARCH_KERNELS_H
#define AUSPEX_TEST_UNIT_SEARCH_KERNELS_H

#include "auspex/Kernel/SummaryDocument.h"

namespace auspex::test {

/// k(float *a, int n, int m): rows of n floats, m of them, each row read with
/// its neighbours; the guard is that of the source.
inline KernelSummary rows() {
  const char *text = R"yaml({schemaVersion: 1, kernels: [{
    name: k, demangled: k, arch: 80, registers: 40, registerOrigin: ptxas,
    arguments: [
      {kind: pointer, sizeInBytes: 8, name: a},
      {kind: integer, sizeInBytes: 4, name: n},
      {kind: integer, sizeInBytes: 4, name: m}],
    blocks: [{
      name: b0,
      guard: "min([ctaid.x*ntid.x + tid.x < arg1], [ctaid.y*ntid.y + tid.y < arg2])",
      code: [{unroll: 1, mix: {fp32: 4, load_global: 2, store_global: 1},
              path: {fp32: 3, load_global: 1}, ilp: 1, mlp: 2}]}],
    accesses: [
      {block: 0, kind: load, space: global, bytesPerLane: 4, base: arg0,
       offset: "4*arg1*(ctaid.y*ntid.y + tid.y) + 4*ctaid.x*ntid.x + 4*tid.x"},
      {block: 0, kind: load, space: global, bytesPerLane: 4, base: arg0,
       offset: "4*arg1*(ctaid.y*ntid.y + tid.y + 1) + 4*ctaid.x*ntid.x + 4*tid.x + 4"},
      {block: 0, kind: store, space: global, bytesPerLane: 4, base: arg0,
       offset: "4*arg1*(ctaid.y*ntid.y + tid.y) + 4*ctaid.x*ntid.x + 4*tid.x"}]
  }]})yaml";
  auto document = readSummaries(llvm::cantFail(parseDocument(text, "k")));
  if (!document)
    llvm::report_fatal_error(document.takeError());
  return std::move(document->kernels.front());
}

inline GPU a100() { return llvm::cantFail(findGPU("A100-40GB")); }

/// A complete launch of rows(), from "grid:8x8,block:32x8,n=256,m=64".
inline LaunchConfig launchOf(const KernelSummary &kernel,
                             llvm::StringRef text) {
  LaunchConfig launch =
      llvm::cantFail(parseLaunchText(text, LaunchOrigin::CommandLine));
  return completeLaunch(llvm::cantFail(resolveArguments(launch, kernel)),
                        kernel, a100());
}

template <typename T> std::string errorText(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

} // namespace auspex::test

#endif
