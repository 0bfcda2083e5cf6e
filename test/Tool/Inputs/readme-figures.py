# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme-figures.py README PAGE

Fails if a line of the README's section on accuracy has numbers that are not on
the page that has all of them: those of a row of a table in one table there.
What belongs to a name, as in V100, is no number.
"""
import pathlib
import re
import sys


def numbers(text):
    return set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)", text))


readme, page = (pathlib.Path(path).read_text() for path in sys.argv[1:])
section = readme.split("\n## Accuracy\n", 1)[1].split("\n## ", 1)[0]
tables = [numbers(table) for table in
          re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)]
lines = [line for line in section.splitlines() if numbers(line)]
missing = [line for line in lines
           if not any(numbers(line) <= known for known in
                      (tables if line.startswith("|") else [numbers(page)]))]
if not lines or missing:
    sys.exit(f"not in {sys.argv[2]}:\n" + "\n".join(missing))
