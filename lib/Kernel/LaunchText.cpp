// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;

/// The first of \p chars outside all brackets: kernel names hold commas and
/// '=' inside of them.
static size_t findOutsideBrackets(StringRef text, StringRef chars) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("<([{").contains(text[i]))
      ++depth;
    else if (StringRef(">)]}").contains(text[i]))
      --depth;
    else if (depth <= 0 && chars.contains(text[i]))
      return i;
  }
  return StringRef::npos;
}

static llvm::SmallVector<StringRef> splitAtCommas(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  for (;;) {
    size_t comma = findOutsideBrackets(text, ",");
    parts.push_back(text.take_front(comma).trim());
    if (comma == StringRef::npos)
      return parts;
    text = text.drop_front(comma + 1);
  }
}

/// Where the colon or equals sign behind a key is: not that of "ns::count".
static size_t findSeparator(StringRef part) {
  size_t skipped = 0;
  while (true) {
    size_t at = findOutsideBrackets(part.drop_front(skipped), ":=");
    if (at == StringRef::npos)
      return at;
    at += skipped;
    if (!part.drop_front(at).starts_with("::"))
      return at;
    skipped = at + 2;
  }
}

/// Takes "saxpy=" off "saxpy=grid:80,n=3"; not "n=" off "n=3".
static StringRef takeKernelName(StringRef &text) {
  size_t equals = findOutsideBrackets(text, "=");
  if (equals == StringRef::npos)
    return "";
  StringRef first = splitAtCommas(text).front();
  StringRef value = first.drop_front(std::min(equals + 1, first.size()));
  if (equals >= first.size() ||
      (!value.empty() && value.find_first_of(":=") == StringRef::npos))
    return "";
  StringRef name = text.take_front(equals).trim();
  text = text.drop_front(equals + 1).trim();
  return name;
}

namespace {

/// Builds the tree that a launches file would have for the same launch.
class TreeBuilder {
public:
  explicit TreeBuilder(Place place)
      : file(std::make_shared<const std::string>(place.file)), line(place.line),
        prefix(std::move(place.key)) {}

  Expected<Node> build(StringRef text) {
    Node root = node(Node::Kind::Mapping, "");
    Node arguments = node(Node::Kind::Mapping, "args");
    StringRef name = takeKernelName(text);
    if (!name.empty())
      root.members.push_back({"kernel", scalar(name, "kernel")});
    if (text.trim().empty())
      return root.error("nothing is stated; expected for instance "
                        "grid:80x1x1, block:256, n=1024");
    for (StringRef part : splitAtCommas(text))
      if (llvm::Error problem = add(part, root, arguments))
        return problem;
    if (!arguments.members.empty())
      root.members.push_back({"args", std::move(arguments)});
    return root;
  }

private:
  std::shared_ptr<const std::string> file;
  unsigned line;
  std::string prefix;

  Node node(Node::Kind kind, StringRef key) const {
    Node result;
    result.kind = kind;
    result.line = line;
    result.file = file;
    result.path = prefix;
    if (!key.empty())
      result.path += (prefix.empty() ? "" : ": ") + key.str();
    return result;
  }
  Node scalar(StringRef text, StringRef key) const {
    Node result = node(Node::Kind::Scalar, key);
    result.scalar = text.str();
    return result;
  }

  /// KEY:value is a part of the launch, name=value an argument.
  llvm::Error add(StringRef part, Node &root, Node &arguments) const {
    size_t at = findSeparator(part);
    StringRef key = part.take_front(at).trim();
    if (at == StringRef::npos || key.empty())
      return root.error("expected KEY:value, for instance grid:80x1x1, or an "
                        "argument as name=value, found '" +
                        part + "'");
    Node value = scalar(part.drop_front(at + 1).trim(), key);
    if (value.scalar.empty())
      return value.error("the value is missing");
    Node &parent = part[at] == ':' ? root : arguments;
    // These have no text form.
    if (part[at] == ':' && (key == "kernel" || key == "args"))
      return value.error(
          key == "kernel" ? "write the name in front: name=grid:80,block:256"
                          : "write arguments without 'args:', as name=value");
    if (part[at] == ':' &&
        llvm::is_contained({"hangsOn", "chosenBlock", "gridOfArguments",
                            "objectsInBytes", "inHostMemory", "variesByRound"},
                           key))
      return value.error("a launches file states it");
    if (parent.find(key))
      return value.error("the key is given twice; remove one");
    parent.members.push_back({key.str(), std::move(value)});
    return llvm::Error::success();
  }
};

} // namespace

Expected<LaunchConfig> auspex::parseLaunchText(llvm::StringRef text,
                                               LaunchOrigin origin,
                                               Place place) {
  Expected<Node> tree = TreeBuilder(std::move(place)).build(text.trim());
  if (!tree)
    return tree.takeError();
  return readLaunch(*tree, origin, /*needsKernel=*/false);
}

Expected<LaunchConfig> auspex::parseNamedLaunchText(llvm::StringRef text,
                                                    Place place) {
  auto launch = parseLaunchText(text, LaunchOrigin::CommandLine, place);
  if (!launch || !launch->kernel.empty())
    return launch;
  place.key = "kernel";
  return makeInputError(std::move(place), "the name is missing; write 'NAME=" +
                                              text.ltrim(" =") + "'");
}
