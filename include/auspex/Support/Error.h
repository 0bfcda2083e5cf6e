// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Errors in what the user gave us. Each names the place (file, line, key),
/// what is wrong and what would be right, on one line:
///
///   launches.yaml:4: block: 2048 threads exceed the 1024 a block can have
///
/// Library code returns llvm::Error; only the programs in tools/ print it.
#ifndef AUSPEX_SUPPORT_ERROR_H
#define AUSPEX_SUPPORT_ERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace auspex {

/// Where in the user's input something stands. An empty file or key and a line
/// of 0 are left out when the place is printed.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string key;

  /// "file:line: key: ", with what is known.
  std::string prefix() const;
};

/// An error in the user's input.
class InputError : public llvm::ErrorInfo<InputError> {
public:
  static char ID;

  InputError(Place place, const llvm::Twine &message)
      : place(std::move(place)), message(message.str()) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  Place place;
  std::string message;
};

/// An InputError at \p place; \p message says what is wrong and what is right.
llvm::Error makeInputError(Place place, const llvm::Twine &message);

/// The candidates closest to \p name by edit distance, at most \p limit and
/// none that differs in more than half of its letters; closest first.
std::vector<std::string> nearestNames(llvm::StringRef name,
                                      llvm::ArrayRef<std::string> candidates,
                                      unsigned limit = 3);

/// "; did you mean A, B or C?" from nearestNames, or "" if nothing is near.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<std::string> candidates);

} // namespace auspex

#endif
