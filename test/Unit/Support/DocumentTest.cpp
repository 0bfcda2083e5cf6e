// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Document.h"

#include "auspex/Support/File.h"
#include "auspex/Support/Numbers.h"
#include "auspex/Support/Table.h"
#include "auspex/Support/TemporaryFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <clocale>

using namespace auspex;

namespace {

Node parse(llvm::StringRef text) {
  return llvm::cantFail(parseDocument(text, "in.yaml"));
}

std::string parseError(llvm::StringRef text) {
  auto result = parseDocument(text, "in.yaml");
  return result ? "no error" : llvm::toString(result.takeError());
}

TEST(Document, ReadsJsonWithItsLines) {
  Node root =
      parse("{\"a\": [1, 2.5,\n \"x\\u0041\"],\n \"b\": {\"c\": null}}");
  const Node *a = root.find("a");
  ASSERT_TRUE(a && a->isSequence());
  EXPECT_EQ(a->items.size(), 3u);
  EXPECT_EQ(llvm::cantFail(a->items[0].integer()), 1);
  EXPECT_EQ(llvm::cantFail(a->items[1].number()), 2.5);
  EXPECT_EQ(llvm::cantFail(a->items[2].text()), "xA");
  EXPECT_EQ(a->items[2].line, 2u);
  EXPECT_TRUE(root.find("b")->find("c")->isNull());
  EXPECT_EQ(root.find("b")->find("c")->path, "b.c");
}

TEST(Document, ReadsWhatStandsBeforeAComment) {
  Node root = parse("a: null # nothing\nb: 3 # three\n");
  EXPECT_TRUE(root.find("a")->isNull());
  EXPECT_EQ(llvm::cantFail(root.find("b")->integer()), 3);
}

std::string linesError(llvm::StringRef text) {
  llvm::Error error = parseJsonLines(text, "in.jsonl", [](const Node &node) {
    return node.find("bad") ? node.find("bad")->error("is bad")
                            : llvm::Error::success();
  });
  return llvm::toString(std::move(error));
}

TEST(JsonLines, AreReadOneByOne) {
  std::vector<unsigned> lines;
  llvm::cantFail(parseJsonLines("{\"a\": 1}\n\n{\"a\": 2}", "in.jsonl",
                                [&](const Node &node) {
                                  lines.push_back(node.find("a")->line);
                                  return llvm::Error::success();
                                }));
  EXPECT_EQ(lines, (std::vector<unsigned>{1, 3}));
}

TEST(JsonLines, NameTheLine) {
  EXPECT_EQ(linesError("{}\n{\"bad\": 1}\n"), "in.jsonl:2: bad: is bad");
  EXPECT_EQ(linesError("{}\n\n{\"a\": }\n").substr(0, 40),
            "in.jsonl:3: the line is no JSON value: [");
  EXPECT_EQ(linesError("{\"a\": 1, \"a\": 2}"),
            "in.jsonl:1: the line is no JSON value: a key is given twice");
  EXPECT_EQ(linesError("{\"a\": 1} # one").substr(0, 40),
            "in.jsonl:1: the line is no JSON value: [");
  EXPECT_EQ(linesError("\"\xff\"").substr(0, 11), "in.jsonl:1:");
}

TEST(JsonLines, MayNest100Levels) {
  auto nested = [](size_t depth, llvm::StringRef inside) {
    return std::string(depth, '[') + inside.str() + std::string(depth, ']');
  };
  llvm::StringRef tooDeep =
      "in.jsonl:1: the line is no JSON value: nested more "
      "than 100 levels deep";
  EXPECT_FALSE(parseJsonLines(nested(100, "1"), "in.jsonl", [](const Node &) {
    return llvm::Error::success();
  }));
  EXPECT_EQ(linesError(nested(101, "1")), tooDeep);
  EXPECT_EQ(linesError(std::string(300000, '[')), tooDeep);
  EXPECT_EQ(
      linesError("[\"" + std::string(300, '[') + "\\\"[\" 1]").substr(0, 40),
      "in.jsonl:1: the line is no JSON value: [");
}

TEST(Document, SurvivesTextThatIsNoYaml) {
  EXPECT_EQ(parseError("a:\n  - b: c\n    (d: {>e: ]]\n").substr(0, 8),
            "in.yaml:");
}

TEST(Document, NamesThePlaceOfSyntaxErrors) {
  EXPECT_EQ(parseError(""), "in.yaml: the file is empty");
  EXPECT_EQ(parseError("a: 1\nb: [1, 2\n").substr(0, 8), "in.yaml:");
  EXPECT_EQ(parseError("a: 1\na: 2\n"),
            "in.yaml:2: a: the key is given twice; remove one");
  EXPECT_EQ(parseError("a: 1\n---\nb: 2\n"),
            "in.yaml: holds more than one document; one is expected");
}

// The YAML parser makes nodes of what stands behind a syntax error.
TEST(Document, SurvivesTruncation) {
  llvm::StringRef text = "{\"a\": [{\"b\": \"c\"}, 1],\n\"d\": {\"e\": null}}";
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(parseError(text.take_front(size)), "no error") << size;
}

TEST(Document, RefusesDeepNesting) {
  std::string deep(2000, '[');
  EXPECT_NE(parseError(deep), "no error");
}

/// Everything in a tree, one line a node.
std::string dump(const Node &node) {
  std::string text =
      llvm::formatv("{0}:{1}: {2} {3} '{4}'\n", node.line, node.path,
                    static_cast<int>(node.kind), node.quoted, node.scalar);
  for (const Node &item : node.items)
    text += dump(item);
  for (const auto &[key, value] : node.members)
    text += key + " -> " + dump(value);
  return text;
}

TEST(Document, ReadsJsonAsItReadsYaml) {
  for (llvm::StringRef text : {
           "{}",
           "[]",
           "[[], {}, [{}]]",
           "{\n\"a\": [\n[\n1],\n{\n}\n]\n}",
           "{\"a\": 1, \"b\": [1.5, -2e3, true, null],\n\t\"c\":\n  {\"d\": "
           "\"x\"}}",
           "{\"\": {\"\": \"\"}, \"a\":\n\n1, \"n\":\n null}",
           "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\", \"\xc3\xa9\", \"null\", "
           "\"1\"]",
           "\n\n  {\"k\" :\r\n [ 0 , -0.5E+3 ] }\n ",
       })
    // A comment is not JSON, so the YAML parser has the second one.
    EXPECT_EQ(dump(parse(text)), dump(parse((text + " # YAML").str())))
        << text.str();
}

/// What loadDocumentByItems reads: the items, and what is around them.
std::string dumpByItems(llvm::StringRef text) {
  auto file = llvm::cantFail(TemporaryFile::create("yaml"));
  llvm::cantFail(writeFile(file.path(), text));
  std::string items;
  auto root = loadDocumentByItems(
      file.path(), [&](const Node &, llvm::StringRef key, const Node &item) {
        items += (key + ": ").str() + dump(item);
        return llvm::Error::success();
      });
  return root ? items + dump(*root) : llvm::toString(root.takeError());
}

/// The last lines make YAML of it, and nothing of the rest.
TEST(Document, ReadsListsOfLinesAsItReadsYaml) {
  for (llvm::StringRef text : {
           "# head\n\na: 1\nlist:\n- {\"x\": 1}\n- {\"y\": [2, {\"z\": null}]}",
           "a: {b: 1}\nlist: # of lines\n- {}\n- {\"x\": {}}",
           "list:\n- {\"x\": 1}\n- {y: 2}\n- {\"z\": 3}",
           "other:\n- {\"x\": 1}\nlist:\n- {\"y\": 2}",
           "list:\n- {\"x\": 1,\n   \"y\": 2}",
       }) {
    std::string lines = dumpByItems((text + "\n").str());
    EXPECT_EQ(lines, dumpByItems((text + "\n# YAML\n").str())) << text.str();
    EXPECT_NE(lines.find("list: "), std::string::npos) << lines;
  }
}

TEST(Document, ReadsCharactersThatOnlyJsonHas) {
  Node root = parse("[\"\\ud83d\\ude00\", \"\x7f\", \"\xef\xbb\xbf\"]");
  EXPECT_EQ(root.items[0].scalar, "\xf0\x9f\x98\x80");
  EXPECT_EQ(root.items[1].scalar, "\x7f");
  EXPECT_EQ(root.items[2].scalar, "\xef\xbb\xbf");
}

TEST(Document, LeavesToYamlWhatIsAlmostJson) {
  EXPECT_EQ(parse("{a: 1, 'b': 2,}").members.size(), 2u);
  EXPECT_EQ(parse("{\"a\": 01}").find("a")->scalar, "01");
  EXPECT_EQ(parse("{\"a\": .5, \"b\": 1., \"c\": NaN}").members.size(), 3u);
  EXPECT_EQ(parseError("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}"),
            "in.yaml:3: a: the key is given twice; remove one");
  EXPECT_NE(parseError("{\"a\": \"b"), "no error");
  EXPECT_NE(parseError("[1, 2"), "no error");
}

TEST(Document, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(parseError("{\"a\": 1,\n\"b\": \"\xff\"}"),
            "in.yaml:2: is not UTF-8 text");
  EXPECT_EQ(parseError("a: \xc3"), "in.yaml:1: is not UTF-8 text");
  EXPECT_EQ(parseError("{\"a\": \"\\ud83d\"}"),
            "in.yaml:1: a: holds an escape that stands for no character");
}

TEST(Document, LimitsNestingInJsonToo) {
  auto nested = [](unsigned depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(parseError(nested(101)), "no error");
  EXPECT_NE(parseError(nested(102)), "no error");
  EXPECT_NE(parseError(nested(1000000)), "no error");
  EXPECT_NE(parseError(std::string(1000000, '[')), "no error");
  EXPECT_NE(parseError(std::string(1000000, '{')), "no error");
}

TEST(Reader, KeepsTheFirstProblem) {
  Node root = parse("blocks: 0\nname: 7\n");
  Reader in(root);
  EXPECT_EQ(in.integer("blocks", 1), 0);
  in.integer("threads");
  EXPECT_EQ(llvm::toString(in.finish()),
            "in.yaml:1: blocks: 0 is out of range; it has to be at least 1");
}

TEST(Reader, PrintsRealBoundsAsPeopleWriteThem) {
  Node root = parse("delay: 0\nblocks: 1e12\n");
  auto problem = [&](llvm::StringRef key) {
    Reader in(root);
    in.number(key, 0.001, 1e9);
    return llvm::toString(in.finish());
  };
  EXPECT_EQ(problem("delay"),
            "in.yaml:1: delay: 0 is out of range; it has to be at least 0.001");
  EXPECT_EQ(problem("blocks"), "in.yaml:2: blocks: 1e12 is out of range; it "
                               "has to be at most 1000000000");
}

TEST(Reader, NamesMissingAndUnknownKeys) {
  Node root = parse("blocs: 3\n");
  {
    Reader in(root);
    in.integer("blocks");
    EXPECT_EQ(llvm::toString(in.finish()),
              "in.yaml:1: blocks: the key is missing; 'blocs' stands there");
  }
  {
    Reader in(root);
    in.integer("blocs");
    in.integer("blocks");
    EXPECT_EQ(llvm::toString(in.finish()),
              "in.yaml:1: blocks: the key is missing")
        << "what was read is no mistake";
  }
  Reader in(root);
  in.maybeInteger("blocks");
  EXPECT_EQ(llvm::toString(in.finish()),
            "in.yaml:1: blocs: unknown key; did you mean blocks?");
}

TEST(Reader, ChecksTypes) {
  Node root = parse("a: text\nb: \"3\"\nc: 1e3\nd: 1.5\ne: nan\n");
  auto error = [&](llvm::StringRef key, bool integer) {
    Reader in(root);
    integer ? (void)in.integer(key) : (void)in.number(key);
    return in.failed();
  };
  EXPECT_TRUE(error("a", false));
  EXPECT_TRUE(error("b", false)) << "a quoted number is text";
  EXPECT_FALSE(error("c", true)) << "1e3 is an integer";
  EXPECT_TRUE(error("d", true));
  EXPECT_TRUE(error("e", false));
}

TEST(Numbers, AreDecimalInEveryLocale) {
  EXPECT_EQ(parseInteger("010"), 10);
  EXPECT_EQ(parseInteger("-08"), -8);
  EXPECT_EQ(parseInteger("0x10"), 16);
  EXPECT_EQ(parseInteger("-0x10"), -16);
  for (llvm::StringRef none :
       {"", "-", "1.0", "1 ", "0b1", "9e3", "9223372036854775808"})
    EXPECT_FALSE(parseInteger(none)) << none.str();
  EXPECT_EQ(parseNumber("+1.5e3"), 1500);
  EXPECT_EQ(parseNumber("-.5"), -0.5);
  for (llvm::StringRef none : {"", "+", "+-1", "1,5", "1.5 ", "x"})
    EXPECT_FALSE(parseNumber(none)) << none.str();
  // Where there is such a locale, numbers are as without it.
  std::string before = setlocale(LC_ALL, nullptr);
  setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(parseNumber("0.5"), 0.5);
  EXPECT_EQ(formatNumber(0.5), "0.5");
  setlocale(LC_ALL, before.c_str());
}

TEST(NearestNames, RanksByDistance) {
  std::vector<std::string> names{"A100-40GB", "A100-80GB", "V100-PCIe", "T4"};
  EXPECT_EQ(nearestNames("a10040gb", names).front(), "A100-40GB");
  EXPECT_TRUE(nearestNames("zzzzzzzz", names).empty());
  EXPECT_EQ(didYouMean("v100pcie", {"V100-PCIe"}), "; did you mean V100-PCIe?");
}

} // namespace
