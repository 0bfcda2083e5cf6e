// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex explain [ID]: the page of a remark, or the list of them.
#include "Command.h"

#include "auspex/Model/Remark.h"
#include "auspex/Report/RemarkPages.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::SubCommand Sub("explain",
                          "What a remark means and what to do about it");
static cl::opt<std::string> Id(cl::Positional, cl::sub(Sub),
                               cl::desc("[remark]"));

static FormatOption OutputFormat(Sub);

static void printList() {
  Table table({"remark", "kind", "what it says"});
  for (const RemarkInfo &remark : remarkInfos())
    table.add({remark.id.str(), toString(remark.kind).str(), remark.doc.str()});
  table.print(llvm::outs());
}

static void writeHead(json::OStream &out, const RemarkInfo &remark) {
  out.attribute("id", remark.id);
  out.attribute("kind", toString(remark.kind));
  out.attribute("summary", remark.doc);
}

static void writeList() {
  json::OStream out(llvm::outs(), 2);
  out.object([&] {
    out.attribute("schemaVersion", 1);
    out.attributeArray("remarks", [&] {
      for (const RemarkInfo &remark : remarkInfos())
        writeOnOneLine(out, [&](json::OStream &line) {
          line.object([&] { writeHead(line, remark); });
        });
    });
  });
  llvm::outs() << '\n';
}

static void writeRemark(const RemarkInfo &remark, StringRef page) {
  json::OStream out(llvm::outs(), 2);
  out.object([&] {
    out.attribute("schemaVersion", 1);
    writeHead(out, remark);
    out.attribute("page", page);
  });
  llvm::outs() << '\n';
}

static Expected<const RemarkInfo *> findNamed() {
  if (const RemarkInfo *remark = findRemark(Id))
    return remark;
  std::vector<std::string> known;
  for (const RemarkInfo &remark : remarkInfos())
    known.push_back(remark.id.str());
  std::string near = didYouMean(Id, known);
  if (near.empty())
    near = "; 'auspex explain' lists them";
  return makeInputError({}, "unknown remark '" + Id + "'" + near);
}

static Expected<ExitCode> run() {
  if (Id.empty()) {
    OutputFormat.isJson() ? writeList() : printList();
    return ExitFine;
  }
  Expected<const RemarkInfo *> remark = findNamed();
  if (!remark)
    return remark.takeError();
  // Every remark has one: a test sees to it.
  StringRef page = remarkPage((*remark)->id).value_or("");
  if (OutputFormat.isJson())
    writeRemark(**remark, page);
  else
    writePage(page, llvm::outs());
  return ExitFine;
}

static Command Register(Sub, run);
