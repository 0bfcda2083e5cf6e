// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The JSON form of kernel summaries; docs/summary-schema.md describes it.
///
///   {"schemaVersion": 1, "kernels": [...], "launches": [...],
///    "entries": [...], "calls": [...]}
///
/// The launches are those that the source states; they have the keys of a
/// launches file and say where they stand. HostInterface.h has the rest.
///
/// What is written reads back as the same summaries, and as the same bytes when
/// it is written again. What is read may come from anywhere: types, ranges,
/// indices, expressions and the symbols in them are checked, so that whoever
/// gets a summary need not.
#ifndef AUSPEX_KERNEL_SUMMARYDOCUMENT_H
#define AUSPEX_KERNEL_SUMMARYDOCUMENT_H

#include "auspex/Kernel/HostInterface.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/Support/JSON.h"

namespace auspex {

/// Grows with every change that an older reader would misunderstand.
constexpr int SummarySchemaVersion = 1;

/// The kernels of a translation unit, their launches, and what other files have
/// to do with those.
struct SummaryDocument {
  std::vector<KernelSummary> kernels;
  std::vector<LaunchConfig> launches;
  HostInterface interface;
};

/// Writes the members "file", "line" and "column", with what is known; none if
/// the place is not.
void writePlace(llvm::json::OStream &out, const SourceLocation &location);
/// Writes one member of "kernels".
void writeJSON(const KernelSummary &summary, llvm::json::OStream &out);
/// Writes one member of "launches".
void writeJSON(const LaunchConfig &launch, llvm::json::OStream &out);
/// The whole document, with a newline at its end.
std::string writeSummaries(llvm::ArrayRef<KernelSummary> summaries,
                           llvm::ArrayRef<LaunchConfig> launches = {},
                           const HostInterface &interface = {});

/// Reads one member of "kernels".
llvm::Expected<KernelSummary> parseKernelSummary(const Node &node);
/// Reads the whole document. Another schemaVersion is an error that says what
/// to do.
llvm::Expected<SummaryDocument> readSummaries(const Node &document);

} // namespace auspex

#endif
