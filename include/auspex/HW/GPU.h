// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A GPU as the models see it: named numbers, each with unit, source and kind.
/// A description is one YAML file, hwdesc/<name>.yaml; the format is in
/// docs/hwdesc.md and the list of numbers in Quantities.def. The descriptions
/// that come with Auspex are part of the program: no file is opened for them.
#ifndef AUSPEX_HW_GPU_H
#define AUSPEX_HW_GPU_H

#include "auspex/HW/AtomicTimes.h"
#include "auspex/Support/EmbeddedFile.h"

#include <array>
#include <cassert>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// Names every number a description can hold.
enum class Q : unsigned {
#define AUSPEX_QUANTITY(ID, KEY, UNIT, LOW, HIGH, PRESENCE, DOC) ID,
#include "auspex/HW/Quantities.def"
};

/// Where a number is from: a vendor's document, a specification page or a
/// paper; a measurement on this GPU; computed from other values or taken from a
/// related GPU, which is named; or a guess that nobody has confirmed.
enum class SourceKind { Documented, Measured, Derived, Assumed };

llvm::StringRef toString(SourceKind kind);

/// What is fixed about a number for all GPUs.
struct QuantityInfo {
  Q id;
  llvm::StringRef key, unit;
  double low, high;
  bool required;
  llvm::StringRef doc;
};

/// All numbers in the order of Quantities.def.
llvm::ArrayRef<QuantityInfo> quantityInfos();
const QuantityInfo &info(Q id);
/// The number called \p key, or null.
const QuantityInfo *findQuantity(llvm::StringRef key);

/// One number of one GPU.
struct Quantity {
  double value = 0;
  SourceKind kind = SourceKind::Assumed;
  /// A citation on one line.
  std::string source;
  /// The GPU a derived value was taken from; empty: this one.
  std::string borrowedFrom{};
};

/// What a description says that is not one number, as text.
struct IdentityFact {
  llvm::StringRef key, unit;
  std::string text;
  SourceKind kind = SourceKind::Assumed;
  std::string source, borrowedFrom;
};

/// A GPU's description. Checked when read: what is Required is there, every
/// value is within its range, and the values fit together.
class GPU {
public:
  /// The canonical name, "A100-40GB"; unique among the descriptions.
  std::string name;
  std::vector<std::string> aliases;
  /// Compute capability as in sm_NN: 80 for 8.0.
  unsigned arch = 0;
  /// The architecture that was asked for, "sm_103", where no GPU of it is
  /// described and this one, of an older one, stands in; else empty.
  std::string standsInFor;
  /// The clocks that were set (Clocks.h), "core 1000 MHz, memory 877 MHz";
  /// empty if they are as described.
  std::string clocksSet;
  std::string chip, dramType;
  /// Sizes in KiB that the shared-memory carve-out can take, ascending.
  std::vector<unsigned> sharedCarveouts;
  /// Registers are allocated per block (compute capability 1.x), not per warp.
  bool registersPerBlock = false;
  /// Of atomics on shared memory: fetch-and-op with compare-and-swap, and the
  /// increments that the assembler makes of additions of 1 (ATOMS.POPC.INC).
  std::optional<AtomicTimes> sharedAtomicTimes, sharedPopcIncTimes;
  /// The fields above that are facts, with their sources, in a fixed order.
  std::vector<IdentityFact> identity;

  bool has(Q id) const { return entry(id).has_value(); }
  std::optional<double> find(Q id) const {
    const auto &slot = entry(id);
    return slot ? std::optional<double>(slot->value) : std::nullopt;
  }
  double valueOr(Q id, double otherwise) const {
    return find(id).value_or(otherwise);
  }
  /// The value of a Required number, or of one that is known to be there.
  double operator[](Q id) const {
    assert(has(id) && "optional quantity read without a check");
    return entry(id)->value;
  }
  const std::optional<Quantity> &quantity(Q id) const { return entry(id); }
  void set(Q id, Quantity quantity) {
    values[static_cast<unsigned>(id)] = std::move(quantity);
  }

  /// SM cycles per microsecond.
  double cyclesPerUs() const { return (*this)[Q::SMClock]; }

  /// How many numbers are of each SourceKind.
  std::array<unsigned, 4> countByKind() const;
  /// The other GPUs that numbers were taken from, the most used one first.
  std::vector<std::string> borrowedFrom() const;
  /// "70 documented, 9 measured, 4 derived, 2 assumed; borrows from A40; stands
  /// in for sm_87; core 1000 MHz": the line that says how far the numbers can
  /// be trusted.
  std::string provenanceText() const;

private:
  static constexpr unsigned Count = 0
#define AUSPEX_QUANTITY(ID, KEY, UNIT, LOW, HIGH, PRESENCE, DOC) +1
#include "auspex/HW/Quantities.def"
      ;
  std::array<std::optional<Quantity>, Count> values;

  const std::optional<Quantity> &entry(Q id) const {
    return values[static_cast<unsigned>(id)];
  }
};

/// "8.0" for 80.
std::string computeCapabilityText(unsigned arch);

/// Reads one description. The error holds every problem found, each with file,
/// line, key and what would be right: an unknown key, a missing source, kind,
/// unit or required value, a wrong unit, a value out of range, values that do
/// not fit together.
llvm::Expected<GPU> parseGPU(const Node &document);

/// What if: sets numbers by "key=value", in the units of Quantities.def. Their
/// kind becomes assumed, their source "set to V; was W". The whole is checked
/// again once all are set; on an error \p gpu is as before.
llvm::Error overrideQuantities(GPU &gpu,
                               llvm::ArrayRef<std::string> assignments);

/// The descriptions that come with Auspex.
llvm::ArrayRef<EmbeddedFile> embeddedDescriptions();

/// The description of \p name, unparsed; null if there is none. What counts as
/// the same name is said at findGPU.
const EmbeddedFile *findEmbedded(llvm::StringRef name);

/// The GPU called \p name: a canonical name or alias (case, '-', '_' and spaces
/// do not count), an architecture such as sm_80 (see gpuForArch; standsInFor
/// tells of another one), or the path of a description (anything with a '/' or
/// ending in .yaml). The error names the nearest names.
llvm::Expected<GPU> findGPU(llvm::StringRef name);

/// The canonical names of all descriptions that come with Auspex, sorted by
/// compute capability, then name.
std::vector<std::string> gpuNames();

/// The name of the GPU that stands for compute capability \p arch (80 for
/// sm_80): a fixed one for the common architectures, else the first by name of
/// the same capability, else that of the next lower one of the same generation
/// (5.x), else of the next higher one, else of older generations. Empty for a
/// capability below all.
llvm::StringRef gpuForArch(unsigned arch);

/// 80 for "sm_80", "compute_80", "sm_80a" or "8.0".
std::optional<unsigned> parseArch(llvm::StringRef text);

} // namespace auspex

#endif
