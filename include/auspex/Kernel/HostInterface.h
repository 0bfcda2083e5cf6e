// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What host code of one file has to do with that of others: which of its
/// functions they may call, and with what it calls theirs. Together they say
/// what a file alone does not: what its launches are given.
///
/// In the summary document, one call a line:
///
///   "entries": ["_Z4blurPfi"],
///   "calls": [
///     {"function":"_Z4blurPfi","arguments":[{"bytes":4096},{"integer":1024}],
///      "file":"main.cpp","line":7,"column":3}
///   ]
#ifndef AUSPEX_KERNEL_HOSTINTERFACE_H
#define AUSPEX_KERNEL_HOSTINTERFACE_H

#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Support/Document.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>

namespace auspex {

/// At most one of them is set.
struct HostValue {
  /// Also 0, of a null pointer.
  std::optional<int64_t> integer;
  std::optional<double> real;
  /// The size of the object that a pointer is the begin of.
  std::optional<uint64_t> objectInBytes;

  bool isKnown() const { return integer || real || objectInBytes; }
  bool operator==(const HostValue &) const = default;
};

/// What is known of what a call gives for one parameter.
struct HostArgument {
  HostValue value;
  /// Of a structure, also where a reference or a pointer leads to one: what is
  /// known of its members, by the byte they begin at.
  std::map<uint64_t, HostValue> members;

  bool operator==(const HostArgument &) const = default;
};

/// A call, on one way through the program, of a function that another file
/// defines.
struct HostCall {
  /// Mangled.
  std::string function;
  std::vector<HostArgument> arguments;
  /// What the program does if it is run without arguments.
  bool isWithoutArguments = false;
  SourceLocation location;

  bool operator==(const HostCall &) const = default;
};

struct HostInterface {
  /// The functions, mangled, on the way to launches and calls that other files
  /// may call.
  std::vector<std::string> entries;
  /// In the order of the source, each once.
  std::vector<HostCall> calls;

  bool operator==(const HostInterface &) const = default;
};

/// What is known of the program that a file is part of, beside its source.
struct ProgramFacts {
  /// The calls that other files make of functions of this one.
  std::vector<HostCall> calls;
  /// What it is run with, less its name; none if that is not known.
  std::optional<std::vector<std::string>> arguments;
};

/// Writes the members "entries" and "calls", where there are any.
void writeJSON(const HostInterface &interface, llvm::json::OStream &out);
/// Reads them from a document that may have them.
void readHostInterface(Reader &in, HostInterface &interface);

} // namespace auspex

#endif
