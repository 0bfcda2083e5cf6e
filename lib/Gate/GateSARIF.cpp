// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (OASIS standard of 27 March 2020). Rules are the remarks that the
// results name, with their pages as help; fingerprints do not depend on lines,
// so that a viewer knows a result again after edits above it.
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
#include "auspex/Model/Remark.h"
#include "auspex/Report/RemarkPages.h"
#include "auspex/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace auspex;
using llvm::StringRef;
using llvm::json::OStream;

/// A path as a URI reference: what is no part of one is %XX.
static std::string uriOf(StringRef path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (unsigned char c : path)
    if (llvm::isAlnum(c) || StringRef("/-._~+,=@").contains(c))
      uri += c;
    else
      uri += "%" + llvm::toHex(StringRef(reinterpret_cast<char *>(&c), 1));
  return uri;
}

static void writeMessage(OStream &out, StringRef key, StringRef text) {
  out.attributeObject(key, [&] { writeText(out, "text", text); });
}

static void writeLocation(OStream &out, const SourceLocation &location,
                          const KernelRecord &record, StringRef message) {
  out.object([&] {
    out.attributeObject("physicalLocation", [&] {
      out.attributeObject("artifactLocation",
                          [&] { out.attribute("uri", uriOf(location.file)); });
      out.attributeObject("region", [&] {
        out.attribute("startLine", location.line);
        if (location.column)
          out.attribute("startColumn", location.column);
      });
    });
    out.attributeArray("logicalLocations", [&] {
      out.object([&] {
        writeText(out, "fullyQualifiedName", record.demangled);
        out.attribute("kind", "function");
      });
    });
    if (!message.empty())
      writeMessage(out, "message", message);
  });
}

static void writeRule(OStream &out, StringRef id) {
  out.object([&] {
    out.attribute("id", id);
    out.attribute("name", id);
    const RemarkInfo *info = findRemark(id);
    writeMessage(out, "shortDescription", info ? info->doc : id);
    std::optional<StringRef> page = remarkPage(id);
    if (!page)
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    writePage(*page, os);
    out.attributeObject("help", [&] {
      writeText(out, "text", text);
      writeText(out, "markdown", *page);
    });
  });
}

static void writeResult(OStream &out, const Comparison &comparison,
                        unsigned rule) {
  const KernelRecord &record = comparison.any();
  out.object([&] {
    out.attribute("ruleId", ruleOf(comparison));
    out.attribute("ruleIndex", rule);
    out.attribute("level", comparison.trips() ? "error" : "note");
    writeMessage(out, "message", sentence(comparison));
    SourceLocation location = comparison.location();
    if (location.isKnown())
      out.attributeArray("locations",
                         [&] { writeLocation(out, location, record, ""); });
    out.attributeArray("relatedLocations", [&] {
      for (const Cause &cause : comparison.causes)
        if (cause.location.isKnown())
          writeLocation(out, cause.location, record, causeText(cause));
    });
    out.attributeObject("partialFingerprints", [&] {
      out.attribute("auspexLaunch/v1", fingerprintOf(comparison));
    });
  });
}

void auspex::writeGateSARIF(const GateResult &result, StringRef version,
                            llvm::raw_ostream &os) {
  std::vector<const Comparison *> shown;
  std::map<std::string, unsigned> rules;
  for (const Comparison &comparison : result.comparisons)
    if (comparison.trips() || comparison.verdict == Verdict::Uncertain) {
      shown.push_back(&comparison);
      rules.emplace(ruleOf(comparison), 0);
    }
  unsigned number = 0;
  for (auto &[id, index] : rules)
    index = number++;

  OStream out(os, 2);
  out.object([&] {
    out.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    out.attribute("version", "2.1.0");
    out.attributeArray("runs", [&] {
      out.object([&] {
        out.attributeObject("tool", [&] {
          out.attributeObject("driver", [&] {
            out.attribute("name", "auspex");
            out.attribute("version", version);
            out.attributeArray("rules", [&] {
              for (const auto &[id, index] : rules)
                writeRule(out, id);
            });
          });
        });
        // Columns are clang's: bytes of UTF-8. Both kinds agree on ASCII.
        out.attribute("columnKind", "unicodeCodePoints");
        out.attributeArray("results", [&] {
          for (const Comparison *comparison : shown)
            writeResult(out, *comparison, rules[ruleOf(*comparison)]);
        });
      });
    });
  });
  os << '\n';
}
