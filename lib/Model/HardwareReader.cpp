// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/HardwareReader.h"

using namespace auspex;

std::optional<Supplied> auspex::supplyQuantity(const GPU &gpu, Q id,
                                               double scale) {
  const std::optional<Quantity> &quantity = gpu.quantity(id);
  if (!quantity)
    return std::nullopt;
  // The source of a derived value names the GPU it was borrowed from.
  std::string kind = toString(quantity->kind).str();
  if (quantity->kind == SourceKind::Derived && !quantity->source.empty())
    kind += ": " + quantity->source;
  std::string origin =
      (info(id).key + " of " + gpu.name + " (" + kind + ")").str();
  return Supplied{quantity->value * scale, std::move(origin)};
}

Supplied auspex::supplyDerived(const GPU &gpu, double value,
                               const llvm::Twine &how) {
  return {value, ("computed for " + gpu.name + ": " + how).str()};
}

double auspex::readCount(const Node &document, Reader &in,
                         llvm::StringRef key) {
  double count = in.number(key, 0, 1e12);
  if (count > 0 && count < 1e-6)
    in.fail(document.find(key)->error("a count has to be 0 or at least "
                                      "0.000001"));
  return count;
}

double HardwareReader::supplied(llvm::StringRef key, Supply supply) {
  std::optional<Supplied> found = gpu ? supply(*gpu) : std::nullopt;
  if (!found) {
    Place place = document.place();
    place.key = key.str();
    in.fail(makeInputError(
        place, gpu ? "the key is missing, and " + gpu->name + " does not say it"
                   : std::string("the key is missing; give it, or name a GPU "
                                 "that supplies it")));
    return 0;
  }
  if (origins)
    (*origins)[key.str()] = std::move(found->origin);
  return found->value;
}

double HardwareReader::number(llvm::StringRef key, double lo, double hi,
                              Supply supply) {
  std::optional<double> given = in.maybeNumber(key, lo, hi);
  return given || in.failed() ? given.value_or(0) : supplied(key, supply);
}

unsigned HardwareReader::integer(llvm::StringRef key, unsigned lo, unsigned hi,
                                 Supply supply) {
  std::optional<int64_t> given = in.maybeInteger(key, lo, hi);
  if (given || in.failed())
    return static_cast<unsigned>(given.value_or(0));
  return static_cast<unsigned>(supplied(key, supply));
}

llvm::Error
auspex::supplyFrom(const GPU &gpu,
                   llvm::function_ref<void(HardwareReader &)> read) {
  Node nothing;
  nothing.kind = Node::Kind::Mapping;
  Reader in(nothing);
  HardwareReader hardware(nothing, in, &gpu, nullptr);
  read(hardware);
  return in.finish();
}
