// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JsonReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"

using namespace auspex;
using llvm::StringRef;

namespace {

/// Recursive descent; every function returns false at the first thing that is
/// not JSON.
class JsonReader {
public:
  JsonReader(StringRef text, std::shared_ptr<const std::string> file,
             TextStart start, ItemSink *sink)
      : at(text.begin()), end(text.end()), line(start.line),
        file(std::move(file)), path(std::move(start.path)), sink(sink) {}

  std::optional<Node> read() {
    skipSpace();
    if (!readValue(root, 0))
      return std::nullopt;
    skipSpace();
    return at == end ? std::optional(std::move(root)) : std::nullopt;
  }

  bool isAtEnd() const { return at == end; }

private:
  const char *at, *end;
  unsigned line;
  std::shared_ptr<const std::string> file;
  /// Of the value that is being read.
  std::string path;
  Node root;
  ItemSink *sink;

  static bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }

  void skipSpace() {
    for (; at != end && isSpace(*at); ++at)
      line += *at == '\n';
  }

  bool eat(char c) {
    if (at == end || *at != c)
      return false;
    ++at;
    return true;
  }

  bool eat(StringRef word) {
    if (!StringRef(at, end - at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }

  bool readValue(Node &node, unsigned depth) {
    if (at == end || depth > MaxDocumentDepth)
      return false;
    node.file = file;
    node.path = path;
    node.line = line;
    switch (*at) {
    case '{':
      node.kind = Node::Kind::Mapping;
      return readMembers(node, depth);
    case '[':
      node.kind = Node::Kind::Sequence;
      return readItems(node, depth);
    case '"':
      node.kind = Node::Kind::Scalar;
      node.quoted = true;
      return readString(node.scalar);
    case 'n':
      node.scalar = "null";
      return eat("null");
    default:
      node.kind = Node::Kind::Scalar;
      return readWord(node.scalar);
    }
  }

  /// The YAML parser says that a list or mapping starts with what is inside.
  void open(Node &node) {
    ++at;
    skipSpace();
    node.line = line;
  }

  bool readItems(Node &node, unsigned depth) {
    open(node);
    if (eat(']'))
      return true;
    size_t outer = path.size();
    bool isPassedOn = sink && depth == 1 && root.isMapping();
    for (size_t number = 0;; ++number) {
      path += '[';
      path += std::to_string(number);
      path += ']';
      skipSpace();
      if (isPassedOn)
        node.items.clear();
      if (!readValue(node.items.emplace_back(), depth + 1))
        return false;
      path.resize(outer);
      if (isPassedOn && !sink->take(root, path, node.items.back()))
        return false;
      skipSpace();
      if (!eat(','))
        break;
    }
    if (isPassedOn)
      node.items.clear();
    return eat(']');
  }

  bool readMembers(Node &node, unsigned depth) {
    open(node);
    if (eat('}'))
      return true;
    // Most have some; moving nodes costs more than reading them.
    node.members.reserve(8);
    do {
      skipSpace();
      if (!readMember(node, depth))
        return false;
      skipSpace();
    } while (eat(','));
    return eat('}') && hasDistinctKeys(node);
  }

  bool readMember(Node &node, unsigned depth) {
    unsigned keyLine = line;
    Node::Member &member = node.members.emplace_back();
    if (at == end || *at != '"' || !readString(member.key))
      return false;
    skipSpace();
    if (!eat(':'))
      return false;
    size_t outer = path.size();
    if (outer)
      path += '.';
    path += member.key;
    skipSpace();
    if (!readValue(member.value, depth + 1))
      return false;
    path.resize(outer);
    if (member.value.isNull() || member.value.isScalar())
      member.value.line = keyLine;
    return true;
  }

  static bool hasDistinctKeys(const Node &node) {
    llvm::StringSet<> seen;
    if (node.members.size() > 16)
      return llvm::all_of(node.members, [&](const Node::Member &member) {
        return seen.insert(member.key).second;
      });
    for (size_t i = 1; i < node.members.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (node.members[i].key == node.members[j].key)
          return false;
    return true;
  }

  /// true, false or a number.
  bool readWord(std::string &text) {
    const char *begin = at;
    if (!eat("true") && !eat("false") && !skipNumber())
      return false;
    text.assign(begin, at);
    return true;
  }

  bool skipDigits() {
    const char *begin = at;
    while (at != end && llvm::isDigit(*at))
      ++at;
    return at != begin;
  }

  bool skipNumber() {
    eat('-');
    if (!eat('0') && !skipDigits())
      return false;
    if (eat('.') && !skipDigits())
      return false;
    if (!eat('e') && !eat('E'))
      return true;
    if (!eat('+'))
      eat('-');
    return skipDigits();
  }

  bool readString(std::string &text) {
    ++at;
    while (true) {
      const char *begin = at;
      while (at != end && *at != '"' && *at != '\\' &&
             static_cast<unsigned char>(*at) >= 0x20)
        ++at;
      text.append(begin, at);
      if (eat('"'))
        return true;
      if (!eat('\\') || !readEscape(text))
        return false;
    }
  }

  bool readEscape(std::string &text) {
    static constexpr StringRef names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
    if (at == end)
      return false;
    size_t which = names.find(*at);
    if (which != StringRef::npos) {
      text += values[which];
      ++at;
      return true;
    }
    unsigned code;
    if (!readUnit(code))
      return false;
    // Characters beyond the first plane are two units.
    if (code >= 0xd800 && code < 0xdc00) {
      unsigned low;
      if (!eat('\\') || !readUnit(low) || low < 0xdc00 || low > 0xdfff)
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *last = bytes;
    if (!llvm::ConvertCodePointToUTF8(code, last))
      return false;
    text.append(bytes, last);
    return true;
  }

  /// uXXXX
  bool readUnit(unsigned &code) {
    if (!eat('u') || end - at < 4 || StringRef(at, 4).getAsInteger(16, code))
      return false;
    at += 4;
    return true;
  }
};

} // namespace

bool ItemSink::take(const Node &root, StringRef key, const Node &item) {
  ++count;
  llvm::Error error = read(root, key, item);
  if (!error)
    return true;
  llvm::consumeError(std::move(problem));
  problem = std::move(error);
  return false;
}

static bool looksLikeJson(StringRef text) {
  text = text.ltrim(" \t\r\n");
  return text.starts_with("{") || text.starts_with("[");
}

bool auspex::isCutOffJson(StringRef text) {
  JsonReader reader(text.rtrim(), nullptr, {}, nullptr);
  return looksLikeJson(text) && !reader.read() && reader.isAtEnd();
}

std::optional<Node> auspex::readJson(StringRef text,
                                     std::shared_ptr<const std::string> file,
                                     TextStart start, ItemSink *sink) {
  if (!looksLikeJson(text))
    return std::nullopt;
  return JsonReader(text, std::move(file), std::move(start), sink).read();
}
