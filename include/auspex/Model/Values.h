// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What goes into a model and what comes out of it, as names and values in the
/// order of the model's page (docs/models). The renderers read these lists, so
/// that a name, its unit and its place are written down once, by the model.
#ifndef AUSPEX_MODEL_VALUES_H
#define AUSPEX_MODEL_VALUES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// One input or output of a model: a number, a name, an object of
/// numbers, or a list.
struct NamedValue {
  /// The key in JSON; a literal.
  llvm::StringRef key;
  /// "1" for a ratio, empty for a name.
  llvm::StringRef unit;
  llvm::json::Value value;
};

class NamedValues {
public:
  void add(llvm::StringRef key, llvm::StringRef unit, double value) {
    values.push_back({key, unit, value});
  }
  /// A number that does not apply is left out.
  void add(llvm::StringRef key, llvm::StringRef unit,
           std::optional<double> value) {
    if (value)
      add(key, unit, *value);
  }
  void addName(llvm::StringRef key, const llvm::Twine &name) {
    values.push_back({key, "", name.str()});
  }
  void addObject(llvm::StringRef key, llvm::StringRef unit,
                 llvm::json::Object object) {
    values.push_back({key, unit, std::move(object)});
  }
  void addList(llvm::StringRef key, llvm::StringRef unit,
               llvm::json::Array list) {
    values.push_back({key, unit, std::move(list)});
  }

  auto begin() const { return values.begin(); }
  auto end() const { return values.end(); }

  llvm::json::Object toJSON() const;

private:
  std::vector<NamedValue> values;
};

/// For each input that a GPU supplied, by key, what of the GPU it is: "sm_clock
/// of A100-40GB (documented)".
using ValueOrigins = std::map<std::string, std::string>;

} // namespace auspex

#endif
