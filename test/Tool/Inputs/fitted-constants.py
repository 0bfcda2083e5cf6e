# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fitted-constants.py SOURCE

Fails if a constant in the tables of docs/accuracy.md does not have the value
that stands there in the file that stands there, shortly after its name.
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = (source / "docs" / "accuracy.md").read_text()
rows = re.findall(r"^\| `(\w+)` \| (.*?) \| `(.*?)` \|",
                  page.split("\n## Fitted constants\n", 1)[1], re.MULTILINE)
wrong = [f"{name} {value} in {file}" for name, value, file in rows
         if not re.search(rf"\b{name}\b.{{0,60}}?(?<![\w.]){re.escape(value)}"
                          r"(?![\w.])", (source / file).read_text(), re.DOTALL)]
if not rows or wrong:
    sys.exit("not found:\n" + "\n".join(wrong))
