// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Document.h"

#include "JsonReader.h"
#include "auspex/Support/File.h"
#include "auspex/Support/Numbers.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <cmath>
#include <utility>

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

const Node *Node::find(StringRef key) const {
  for (const auto &[name, value] : members)
    if (name == key)
      return &value;
  return nullptr;
}

std::string Node::description() const {
  switch (kind) {
  case Kind::Null:
    return "nothing";
  case Kind::Sequence:
    return "a list";
  case Kind::Mapping:
    return "a mapping";
  case Kind::Scalar:
    return "'" + scalar + "'";
  }
  llvm_unreachable("covered switch");
}

Expected<double> Node::number() const {
  std::optional<double> value;
  if (isScalar() && !quoted)
    value = parseNumber(scalar);
  if (!value || !std::isfinite(*value))
    return error("expected a number, found " + description());
  return *value;
}

Expected<int64_t> Node::integer() const {
  if (isScalar() && !quoted) {
    if (std::optional<int64_t> value = parseInteger(scalar))
      return *value;
    // 1e6 and 128.0 are integers too.
    std::optional<double> real = parseNumber(scalar);
    if (real && std::abs(*real) < 9e15 && *real == std::floor(*real))
      return static_cast<int64_t>(*real);
  }
  return error("expected an integer, found " + description());
}

Expected<bool> Node::boolean() const {
  if (isScalar() && !quoted && (scalar == "true" || scalar == "false"))
    return scalar == "true";
  return error("expected true or false, found " + description());
}

Expected<std::string> Node::text() const {
  if (!isScalar())
    return error("expected text, found " + description());
  return scalar;
}

namespace {

/// Turns LLVM's YAML nodes into ours.
class TreeBuilder {
public:
  TreeBuilder(llvm::SourceMgr &sources, std::shared_ptr<const std::string> file)
      : sources(sources), file(std::move(file)) {}

  Expected<Node> build(llvm::yaml::Node *source, std::string path,
                       unsigned depth = 0) {
    Node node;
    node.file = file;
    node.path = std::move(path);
    if (!source)
      return node;
    node.line = lineOf(*source);
    if (depth > MaxDocumentDepth)
      return node.error(
          llvm::formatv("nested more than {0} levels deep", MaxDocumentDepth));
    if (auto *scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(source))
      return buildScalar(*scalar, std::move(node));
    if (auto *block = llvm::dyn_cast<llvm::yaml::BlockScalarNode>(source)) {
      node.kind = Node::Kind::Scalar;
      node.scalar = block->getValue().str();
      node.quoted = true;
      return node;
    }
    if (auto *sequence = llvm::dyn_cast<llvm::yaml::SequenceNode>(source))
      return buildSequence(*sequence, std::move(node), depth);
    if (auto *mapping = llvm::dyn_cast<llvm::yaml::MappingNode>(source))
      return buildMapping(*mapping, std::move(node), depth);
    if (llvm::isa<llvm::yaml::AliasNode>(source))
      return node.error("YAML aliases are not supported; write the value out");
    return node; // null
  }

private:
  llvm::SourceMgr &sources;
  std::shared_ptr<const std::string> file;

  /// 0 for the nodes that stand behind a syntax error: they have no place.
  unsigned lineOf(const llvm::yaml::Node &source) const {
    llvm::SMLoc start = source.getSourceRange().Start;
    unsigned buffer =
        start.isValid() ? sources.FindBufferContainingLoc(start) : 0;
    return buffer ? sources.getLineAndColumn(start, buffer).first : 0;
  }

  Expected<Node> buildScalar(llvm::yaml::ScalarNode &scalar, Node node) {
    llvm::SmallString<64> storage;
    // A comment behind it leaves blanks.
    StringRef raw = scalar.getRawValue().trim();
    node.scalar = scalar.getValue(storage).str();
    // The text is UTF-8, but a \u escape can stand for half a character.
    if (!llvm::json::isUTF8(node.scalar))
      return node.error("holds an escape that stands for no character");
    node.quoted = raw.starts_with("\"") || raw.starts_with("'");
    bool null = !node.quoted &&
                (raw.empty() || raw == "~" || raw == "null" || raw == "Null");
    node.kind = null ? Node::Kind::Null : Node::Kind::Scalar;
    return node;
  }

  Expected<Node> buildSequence(llvm::yaml::SequenceNode &sequence, Node node,
                               unsigned depth) {
    node.kind = Node::Kind::Sequence;
    for (llvm::yaml::Node &item : sequence) {
      std::string path =
          llvm::formatv("{0}[{1}]", node.path, node.items.size());
      Expected<Node> child = build(&item, std::move(path), depth + 1);
      if (!child)
        return child.takeError();
      node.items.push_back(std::move(*child));
    }
    return node;
  }

  Expected<Node> buildMapping(llvm::yaml::MappingNode &mapping, Node node,
                              unsigned depth) {
    node.kind = Node::Kind::Mapping;
    llvm::StringSet<> seen;
    for (llvm::yaml::KeyValueNode &entry : mapping) {
      auto *key =
          llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(entry.getKey());
      if (!key)
        return node.error("every key has to be plain text");
      llvm::SmallString<32> storage;
      std::string name = key->getValue(storage).str();
      if (!llvm::json::isUTF8(name))
        return node.error("a key holds an escape that stands for no character");
      std::string path = node.path.empty() ? name : node.path + "." + name;
      // Keys have their own line, which a null value does not have.
      unsigned line = lineOf(*key);
      Expected<Node> child = build(entry.getValue(), path, depth + 1);
      if (!child)
        return child.takeError();
      if (child->isNull() || child->isScalar())
        child->line = line;
      if (!seen.insert(name).second)
        return child->error("the key is given twice; remove one");
      node.members.push_back({std::move(name), std::move(*child)});
    }
    return node;
  }
};

/// Collects the parser's first complaint instead of printing it.
struct FirstDiagnostic {
  unsigned line = 0;
  std::string message;

  static void handle(const llvm::SMDiagnostic &diagnostic, void *context) {
    auto *self = static_cast<FirstDiagnostic *>(context);
    if (!self->message.empty())
      return;
    self->line = std::max(diagnostic.getLineNo(), 0);
    self->message = diagnostic.getMessage().str();
  }
};

} // namespace

Expected<Node> auspex::parseDocument(StringRef text, StringRef name) {
  auto file = std::make_shared<const std::string>(name.str());
  size_t bad;
  if (!llvm::json::isUTF8(text, &bad))
    return makeInputError(
        {*file, static_cast<unsigned>(text.take_front(bad).count('\n') + 1),
         ""},
        "is not UTF-8 text");
  if (std::optional<Node> root = readJson(text, file))
    return std::move(*root);
  llvm::SourceMgr sources;
  FirstDiagnostic first;
  sources.setDiagHandler(FirstDiagnostic::handle, &first);
  llvm::yaml::Stream stream(text, sources, /*ShowColors=*/false);
  auto document = stream.begin();
  Expected<Node> root = Node();
  if (document != stream.end())
    root = TreeBuilder(sources, file).build(document->getRoot(), "");
  if (!first.message.empty() || stream.failed()) {
    llvm::consumeError(root.takeError());
    if (isCutOffJson(text))
      return makeInputError(
          {*file, static_cast<unsigned>(text.rtrim().count('\n') + 1), ""},
          "the file ends in the middle of a value: it is cut off");
    std::string message = first.message.empty()
                              ? "cannot be read as YAML or JSON"
                              : first.message;
    return makeInputError({*file, first.line, ""}, message);
  }
  if (!root)
    return root.takeError();
  root->file = file;
  if (root->isNull())
    return makeInputError({*file, 0, ""}, "the file is empty");
  if (++document != stream.end())
    return makeInputError({*file, 0, ""},
                          "holds more than one document; one is expected");
  return root;
}

/// Whether brackets of \p text, other than those in strings, nest deeper than a
/// document may.
static bool isNestedTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      inString = !inString;
    else if (inString)
      i += c == '\\'; // what follows is no quote
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
    if (depth > MaxDocumentDepth)
      return true;
  }
  return false;
}

/// What keeps \p line from being one JSON value, in the words of LLVM's parser.
static std::string jsonProblem(StringRef line) {
  // That one recurses as deep as they nest.
  if (isNestedTooDeep(line))
    return "nested more than " + std::to_string(MaxDocumentDepth) +
           " levels deep";
  Expected<llvm::json::Value> value = llvm::json::parse(line);
  return value ? "a key is given twice" : llvm::toString(value.takeError());
}

Error auspex::parseJsonLines(StringRef text, StringRef name,
                             llvm::function_ref<Error(const Node &)> read) {
  auto file = std::make_shared<const std::string>(name.str());
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    std::optional<Node> root = llvm::json::isUTF8(line)
                                   ? readJson(line, file, {number, ""})
                                   : std::nullopt;
    if (!root)
      return makeInputError({*file, number, ""},
                            "the line is no JSON value: " + jsonProblem(line));
    if (Error error = read(*root))
      return error;
  }
  return Error::success();
}

static StringRef nameOf(StringRef path) {
  return path == "-" ? "<stdin>" : path;
}

Expected<Node> auspex::loadDocument(StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseDocument((*buffer)->getBuffer(), nameOf(path));
}

/// YAML that ends with a list of JSON values, one a line, as baselines do: the
/// parser for JSON is much the faster one. None if it is anything else, or if
/// there was a problem.
static std::optional<Node> readListOfLines(StringRef text, StringRef name,
                                           ItemSink &sink) {
  size_t start = text.find("\n- {") + 1;
  if (start == 0)
    return std::nullopt;
  StringRef head = text.take_front(start), lines = text.drop_front(start);
  auto root = parseDocument(head, name);
  if (!root) {
    llvm::consumeError(root.takeError());
    return std::nullopt;
  }
  if (root->members.empty() || !root->members.back().value.isNull())
    return std::nullopt;
  auto &[key, list] = root->members.back();
  list.kind = Node::Kind::Sequence;
  list.line = head.count('\n') + 1;
  for (unsigned number = 0; !lines.empty(); ++number) {
    StringRef line;
    std::tie(line, lines) = lines.split('\n');
    if (!line.consume_front("- "))
      return std::nullopt;
    auto item =
        readJson(line, root->file,
                 {list.line + number, llvm::formatv("{0}[{1}]", key, number)});
    if (!item || !sink.take(*root, key, *item))
      return std::nullopt;
  }
  return std::move(*root);
}

Expected<Node> auspex::loadDocumentByItems(StringRef path, ItemReader read) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef text = (*buffer)->getBuffer();
  ItemSink sink(read);
  if (llvm::json::isUTF8(text)) {
    auto root =
        readJson(text, std::make_shared<std::string>(nameOf(path)), {}, &sink);
    if (!root && sink.count == 0)
      root = readListOfLines(text, nameOf(path), sink);
    if (root)
      return std::move(*root);
    if (sink.problem)
      return std::move(sink.problem);
  }
  // The other parser knows YAML, or what is wrong; what was read stays read.
  auto root = parseDocument(text, nameOf(path));
  if (!root)
    return root.takeError();
  size_t number = 0;
  for (auto &[key, value] : root->members) {
    std::vector<Node> items = std::exchange(value.items, {});
    for (const Node &item : items)
      if (number++ >= sink.count)
        if (Error error = read(*root, key, item))
          return std::move(error);
  }
  return root;
}

Reader::Reader(const Node &mapping) : node(mapping) {
  if (!node.isMapping())
    fail(node.error("expected a mapping, found " + node.description()));
}

void Reader::fail(Error error) {
  if (!error)
    return;
  if (hasProblem) {
    llvm::consumeError(std::move(error));
    return;
  }
  llvm::consumeError(std::move(problem));
  problem = std::move(error);
  hasProblem = true;
}

const Node *Reader::maybeMember(StringRef key) {
  asked.push_back(key.str());
  const Node *value = node.find(key);
  if (value)
    used.insert(value);
  return value && !value->isNull() ? value : nullptr;
}

const Node *Reader::member(StringRef key) {
  const Node *value = maybeMember(key);
  if (!value) {
    Place place = node.place();
    place.key = node.path.empty() ? key.str() : node.path + "." + key.str();
    fail(
        makeInputError(std::move(place), "the key is missing" + misspelt(key)));
  }
  return value;
}

/// What stands there instead of \p key, or "".
std::string Reader::misspelt(StringRef key) const {
  constexpr unsigned MostMistakes = 2;
  for (const auto &[name, value] : node.members) {
    unsigned mistakes = key.edit_distance(name);
    if (!used.contains(&value) && mistakes <= MostMistakes &&
        mistakes < key.size() / 2)
      return "; '" + name + "' stands there";
  }
  return "";
}

template <typename T>
std::optional<T> Reader::read(const Node *value,
                              Expected<T> (Node::*get)() const) {
  if (!value || hasProblem)
    return std::nullopt;
  Expected<T> result = (value->*get)();
  if (result)
    return std::move(*result);
  fail(result.takeError());
  return std::nullopt;
}

static std::string boundText(int64_t bound) { return std::to_string(bound); }
static std::string boundText(double bound) { return formatNumber(bound, 6); }

template <typename T>
std::optional<T> Reader::inRange(const Node *value, std::optional<T> number,
                                 T lo, T hi) {
  if (number && !(*number >= lo && *number <= hi)) {
    std::string bounds =
        *number < lo ? "at least " + boundText(lo) : "at most " + boundText(hi);
    fail(value->error(llvm::formatv("{0} is out of range; it has to be {1}",
                                    value->scalar, bounds)));
    return std::nullopt;
  }
  return number;
}

double Reader::number(StringRef key, double lo, double hi) {
  const Node *value = member(key);
  return inRange(value, read(value, &Node::number), lo, hi).value_or(0);
}

int64_t Reader::integer(StringRef key, int64_t lo, int64_t hi) {
  const Node *value = member(key);
  return inRange(value, read(value, &Node::integer), lo, hi).value_or(0);
}

bool Reader::boolean(StringRef key) {
  return read(member(key), &Node::boolean).value_or(false);
}

std::string Reader::text(StringRef key) {
  return read(member(key), &Node::text).value_or("");
}

unsigned Reader::choice(StringRef key, llvm::ArrayRef<StringRef> choices) {
  const Node *value = member(key);
  std::optional<std::string> name = read(value, &Node::text);
  if (!name)
    return 0;
  for (size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == *name)
      return i;
  fail(value->error("'" + *name + "' is not one of " +
                    llvm::join(choices, ", ")));
  return 0;
}

std::optional<double> Reader::maybeNumber(StringRef key, double lo, double hi) {
  const Node *value = maybeMember(key);
  return inRange(value, read(value, &Node::number), lo, hi);
}

std::optional<int64_t> Reader::maybeInteger(StringRef key, int64_t lo,
                                            int64_t hi) {
  const Node *value = maybeMember(key);
  return inRange(value, read(value, &Node::integer), lo, hi);
}

std::optional<bool> Reader::maybeBoolean(StringRef key) {
  return read(maybeMember(key), &Node::boolean);
}

std::optional<std::string> Reader::maybeText(StringRef key) {
  return read(maybeMember(key), &Node::text);
}

void Reader::each(StringRef key, llvm::function_ref<Error(const Node &)> read,
                  bool required) {
  const Node *list = required ? member(key) : maybeMember(key);
  if (!list || hasProblem)
    return;
  if (!list->isSequence()) {
    fail(list->error("expected a list, found " + list->description()));
    return;
  }
  for (const Node &item : list->items) {
    fail(read(item));
    if (hasProblem)
      return;
  }
}

/// What would be right in place of \p name: the nearest, or all if they are
/// few.
static std::string keysInstead(StringRef name, std::vector<std::string> keys) {
  constexpr size_t Few = 20;
  llvm::sort(keys);
  keys.erase(llvm::unique(keys), keys.end());
  std::string near = didYouMean(name, keys);
  if (!near.empty() || keys.empty() || keys.size() > Few)
    return near;
  return "; there are " + llvm::join(keys, ", ");
}

Error Reader::finish() {
  if (!hasProblem)
    for (const auto &[name, value] : node.members)
      if (!used.contains(&value)) {
        fail(value.error("unknown key" + keysInstead(name, asked)));
        break;
      }
  Error result = std::move(problem);
  problem = Error::success();
  hasProblem = false;
  return result;
}
