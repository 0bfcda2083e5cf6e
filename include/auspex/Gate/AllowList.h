// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Slowdowns that a team accepts for a while, each with its reason.
#ifndef AUSPEX_GATE_ALLOWLIST_H
#define AUSPEX_GATE_ALLOWLIST_H

#include "auspex/Gate/Record.h"

namespace auspex {

/// A day: "2026-11-20".
struct Date {
  int year = 0, month = 0, day = 0;

  static std::optional<Date> parse(llvm::StringRef text);
  /// The day in UTC, now or at SOURCE_DATE_EPOCH.
  static Date today();
  std::string str() const;
  auto operator<=>(const Date &) const = default;
};

struct AllowEntry {
  /// As in --launch; several instances of a template may be meant.
  std::string kernel;
  /// Empty for all.
  std::string gpu;
  /// The time may grow by this share: 0.2 for 20 %.
  double limit = 0;
  std::string reason;
  Date expires;
  Place place;

  bool isFor(const KernelRecord &record) const;
};

/// Reads an allow file:
///
///   allow:
///     - kernel: ns::saxpy
///       gpu: A100-40GB          # optional
///       limit: 20%
///       reason: checks its input since 4.2; to be hoisted (#123)
///       expires: 2027-03-31     # the last day on which it holds
///
/// An entry that has expired by \p today is an error.
llvm::Expected<std::vector<AllowEntry>> loadAllowList(llvm::StringRef path,
                                                      const Date &today);

/// An error for the first entry that is for none of \p records.
llvm::Error checkKernels(llvm::ArrayRef<AllowEntry> entries,
                         llvm::ArrayRef<const KernelRecord *> records);

} // namespace auspex

#endif
