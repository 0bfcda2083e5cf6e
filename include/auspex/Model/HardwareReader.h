// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads the inputs of a model that describe the hardware. A document may leave
/// them out where a GPU is named: they then come from its description, and
/// where the description lacks them from a rule that the model's page states.
/// What the document says wins, so that a latency or a clock can be tried out.
/// Where each supplied number is from is recorded; nothing is filled in
/// silently.
#ifndef AUSPEX_MODEL_HARDWAREREADER_H
#define AUSPEX_MODEL_HARDWAREREADER_H

#include "auspex/HW/GPU.h"
#include "auspex/Model/Values.h"

namespace auspex {

/// A number that a GPU supplies, in the unit of the input.
struct Supplied {
  double value = 0;
  /// What of the GPU it is, see ValueOrigins.
  std::string origin;
};

/// The number \p id of \p gpu times \p scale, if the GPU has it.
std::optional<Supplied> supplyQuantity(const GPU &gpu, Q id, double scale = 1);

/// A number computed from other numbers of \p gpu; \p how is the formula.
Supplied supplyDerived(const GPU &gpu, double value, const llvm::Twine &how);

/// A count of instructions, the mean over the threads or warps of a launch: 0,
/// or 0.000001 to 10^12. The models divide by counts, and what they compute has
/// to stay finite.
double readCount(const Node &document, Reader &in, llvm::StringRef key);

class HardwareReader {
public:
  using Supply = llvm::function_ref<std::optional<Supplied>(const GPU &)>;

  /// Reads through \p in, which reads \p document and keeps the first problem.
  /// \p gpu and \p origins may be null.
  HardwareReader(const Node &document, Reader &in, const GPU *gpu,
                 ValueOrigins *origins)
      : document(document), in(in), gpu(gpu), origins(origins) {}

  /// The document's number, which has to lie in [lo, hi]; else what \p supply
  /// says. It is an error if there is neither.
  double number(llvm::StringRef key, double lo, double hi, Supply supply);
  /// The same for whole numbers.
  unsigned integer(llvm::StringRef key, unsigned lo, unsigned hi,
                   Supply supply);

private:
  const Node &document;
  Reader &in;
  const GPU *gpu;
  ValueOrigins *origins;

  double supplied(llvm::StringRef key, Supply supply);
};

/// Has \p read take all of the hardware from \p gpu.
llvm::Error supplyFrom(const GPU &gpu,
                       llvm::function_ref<void(HardwareReader &)> read);

} // namespace auspex

#endif
