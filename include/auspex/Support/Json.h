// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What LLVM's JSON writer lacks: numbers with as many digits as they have (it
/// prints 33.1 as 33.100000000000001), text of any bytes, and records of one
/// line each in a document that is indented.
///
/// Every program of this tree writes JSON through llvm::json::OStream, which
/// keeps the order of the keys, and these functions.
#ifndef AUSPEX_SUPPORT_JSON_H
#define AUSPEX_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <utility>

namespace auspex {

/// The shortest text that reads back as \p value; without an exponent for
/// ordinary sizes: 33.1, 100000, 1e-09. JSON has no infinities and no NaN: they
/// are "null".
std::string shortestNumber(double value);

/// Writes a value of an array, or the value of an attribute that has begun.
void writeNumber(llvm::json::OStream &out, double value);
/// Bytes that are not UTF-8, as file names may have, become U+FFFD.
void writeText(llvm::json::OStream &out, llvm::StringRef text);
/// Any value; the members of an object are sorted.
void writeValue(llvm::json::OStream &out, const llvm::json::Value &value);

/// The same as attributes of an object.
void writeNumber(llvm::json::OStream &out, llvm::StringRef key, double value);
/// \p value in a way that no reader takes for an integer: 1.0.
std::string floatText(double value);
/// The member \p key of the object, as such a text.
void writeFloat(llvm::json::OStream &out, llvm::StringRef key, double value);
/// A number or null, and its range under a key of its own, if there is one.
void writeNumber(llvm::json::OStream &out, llvm::StringRef key,
                 const std::optional<double> &value, llvm::StringRef rangeKey,
                 const std::optional<std::pair<double, double>> &range);
void writeText(llvm::json::OStream &out, llvm::StringRef key,
               llvm::StringRef text);
void writeValue(llvm::json::OStream &out, llvm::StringRef key,
                const llvm::json::Value &value);

/// Writes one value on one line, whatever the indentation of \p out: lists of
/// records stay short, and a diff shows which record changed.
void writeOnOneLine(llvm::json::OStream &out,
                    llvm::function_ref<void(llvm::json::OStream &)> write);

} // namespace auspex

#endif
