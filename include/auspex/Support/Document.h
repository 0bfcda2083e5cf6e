// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading YAML and JSON (which is YAML) into a tree that remembers lines, so
/// that every complaint names file, line and key. Values are read through a
/// Reader, which checks types and ranges and rejects keys nobody asked for.
#ifndef AUSPEX_SUPPORT_DOCUMENT_H
#define AUSPEX_SUPPORT_DOCUMENT_H

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// One value of a document.
struct Node {
  enum class Kind { Null, Scalar, Sequence, Mapping };

  Kind kind = Kind::Null;
  unsigned line = 0;
  /// The text of a scalar; quoted says that it was written as a string.
  std::string scalar;
  bool quoted = false;
  std::vector<Node> items;
  /// The members of a mapping in the order they are written.
  struct Member;
  std::vector<Member> members;
  /// The file and the dotted path of keys, for messages.
  std::shared_ptr<const std::string> file;
  std::string path;

  bool isNull() const { return kind == Kind::Null; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isSequence() const { return kind == Kind::Sequence; }
  bool isMapping() const { return kind == Kind::Mapping; }

  /// The member called \p key, or null.
  const Node *find(llvm::StringRef key) const;

  Place place() const { return {file ? *file : std::string(), line, path}; }
  llvm::Error error(const llvm::Twine &message) const {
    return makeInputError(place(), message);
  }

  /// The value as a number, integer, boolean or text, or an error that says
  /// what stands there instead.
  llvm::Expected<double> number() const;
  llvm::Expected<int64_t> integer() const;
  llvm::Expected<bool> boolean() const;
  llvm::Expected<std::string> text() const;

  /// "a mapping", "a list", "the text 'x'", for messages.
  std::string description() const;
};

struct Node::Member {
  std::string key;
  Node value;
};

/// Parses one YAML or JSON document. \p name stands in messages. Duplicate
/// keys, more than one document, nesting over 100 levels and bytes that are not
/// UTF-8 are errors.
llvm::Expected<Node> parseDocument(llvm::StringRef text, llvm::StringRef name);

/// Reads the file at \p path ("-" is standard input) and parses it.
llvm::Expected<Node> loadDocument(llvm::StringRef path);

/// Reads JSON Lines: one JSON value a line, each gone before the next one is
/// parsed; empty lines are skipped. Lines in messages are those of \p text. The
/// result is the first error, of \p read or of a line that is no JSON.
llvm::Error parseJsonLines(llvm::StringRef text, llvm::StringRef name,
                           llvm::function_ref<llvm::Error(const Node &)> read);

/// Gets an item of a list that is a member of the document: \p root is what
/// stands before the list, \p key the name of the list.
using ItemReader = llvm::function_ref<llvm::Error(
    const Node &root, llvm::StringRef key, const Node &item)>;

/// The same for documents with long lists: the items of the lists at its top
/// are given to \p read one after the other, each gone before the next one is
/// parsed. The result is the document with empty lists, or the first error.
llvm::Expected<Node> loadDocumentByItems(llvm::StringRef path, ItemReader read);

/// Reads the members of one mapping. The first problem is kept and every later
/// read returns a default, so code reads straight through and asks once:
///
///   Reader in(node);
///   input.blocks = in.integer("blocks", 1);
///   input.freqInGHz = in.number("freq_ghz", 0, 100);
///   if (llvm::Error problem = in.finish())
///     return problem;
class Reader {
public:
  explicit Reader(const Node &mapping);
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;
  ~Reader() { llvm::consumeError(std::move(problem)); }

  bool has(llvm::StringRef key) const { return node.find(key) != nullptr; }

  /// Required members. A value outside [lo, hi] is an error.
  double number(llvm::StringRef key, double lo = -1e300, double hi = 1e300);
  int64_t integer(llvm::StringRef key, int64_t lo = INT64_MIN,
                  int64_t hi = INT64_MAX);
  bool boolean(llvm::StringRef key);
  std::string text(llvm::StringRef key);
  /// One of \p choices; the result is its position.
  unsigned choice(llvm::StringRef key, llvm::ArrayRef<llvm::StringRef> choices);

  /// Optional members; null counts as absent.
  std::optional<double> maybeNumber(llvm::StringRef key, double lo = -1e300,
                                    double hi = 1e300);
  std::optional<int64_t> maybeInteger(llvm::StringRef key,
                                      int64_t lo = INT64_MIN,
                                      int64_t hi = INT64_MAX);
  std::optional<bool> maybeBoolean(llvm::StringRef key);
  std::optional<std::string> maybeText(llvm::StringRef key);

  /// The member itself for nested reading; null if it is absent (an error was
  /// kept) or, for maybeMember, simply absent.
  const Node *member(llvm::StringRef key);
  const Node *maybeMember(llvm::StringRef key);

  /// Calls \p read for every item of the list \p key until one fails.
  void each(llvm::StringRef key,
            llvm::function_ref<llvm::Error(const Node &)> read,
            bool required = true);

  /// Keeps \p error unless there was one before.
  void fail(llvm::Error error);
  bool failed() const { return static_cast<bool>(hasProblem); }

  /// The first problem; else an error for a member that was never read.
  llvm::Error finish();

private:
  const Node &node;
  llvm::SmallPtrSet<const Node *, 16> used;
  std::vector<std::string> asked;
  llvm::Error problem = llvm::Error::success();
  bool hasProblem = false;

  std::string misspelt(llvm::StringRef key) const;
  template <typename T>
  std::optional<T> read(const Node *value,
                        llvm::Expected<T> (Node::*get)() const);
  template <typename T>
  std::optional<T> inRange(const Node *value, std::optional<T> number, T lo,
                           T hi);
};

/// One of \p values by the word that toString has for it.
template <typename Enum>
Enum readWord(Reader &in, llvm::StringRef key,
              std::initializer_list<Enum> values) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  for (Enum value : values)
    words.push_back(toString(value));
  return values.begin()[in.choice(key, words)];
}

} // namespace auspex

#endif
