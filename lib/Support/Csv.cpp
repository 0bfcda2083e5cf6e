// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Csv.h"

using namespace auspex;
using llvm::StringRef;

/// Takes a cell off the front of \p text, with neither quotes nor the sign that
/// ends it; false if its quote does not end.
static bool takeCell(StringRef &text, std::string &cell) {
  if (!text.consume_front("\"")) {
    StringRef plain =
        text.take_until([](char c) { return c == ',' || c == '\n'; });
    text = text.drop_front(plain.size());
    cell = plain.rtrim('\r').str();
    return true;
  }
  while (true) {
    size_t quote = text.find('"');
    if (quote == StringRef::npos)
      return false;
    cell += text.take_front(quote);
    text = text.drop_front(quote + 1);
    if (!text.consume_front("\""))
      break;
    cell += '"';
  }
  text.consume_front("\r");
  return true;
}

llvm::Expected<std::vector<CsvRow>> auspex::parseCsv(StringRef text,
                                                     StringRef name) {
  std::vector<CsvRow> rows;
  StringRef rest = text;
  unsigned line = 1;
  while (!rest.empty()) {
    StringRef before = rest;
    CsvRow row{line, {}};
    do {
      if (!takeCell(rest, row.cells.emplace_back()))
        return makeInputError({name.str(), line, ""},
                              "a quote does not end in this row");
      if (!rest.empty() && rest.front() != ',' && rest.front() != '\n')
        return makeInputError({name.str(), line, ""},
                              "a comma has to follow a cell in quotes");
    } while (rest.consume_front(","));
    rest.consume_front("\n");
    line += before.drop_back(rest.size()).count('\n');
    if (row.cells.size() > 1 || !row.cells.front().empty())
      rows.push_back(std::move(row));
  }
  return rows;
}

std::string auspex::csvCell(StringRef text) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos)
    return text.str();
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

void auspex::writeCsvRow(llvm::ArrayRef<std::string> cells,
                         llvm::raw_ostream &os) {
  for (size_t i = 0; i < cells.size(); ++i)
    os << (i ? "," : "") << csvCell(cells[i]);
  os << '\n';
}
