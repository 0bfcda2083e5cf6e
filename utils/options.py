#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of options in docs/ from what `auspex COMMAND --help` says.

    utils/options.py [--check] [--auspex PATH]

A table stands between two comments:

    <!-- options: run -->
    ...
    <!-- end -->

With --check nothing is written: the exit status is 1 if a page is not what it
would be.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTION = re.compile(r"(<!-- options: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
OPTION = re.compile(r"  (--?[\w-]+)(?:\[?[= ](<.*?>)\]?)? +- (.*)")
CHOICE = re.compile(r"    =(\S+) +- +(.*)")


def table(auspex, command):
    """A row an option, with the words that it takes."""
    text = subprocess.run([auspex, command, "--help"], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout
    rows, choices = [], False
    for line in text.split("Generic Options")[0].splitlines():
        if match := OPTION.fullmatch(line):
            name, value, meaning = match.groups()
            rows.append((f"{name} {value}" if value else name, meaning))
            choices = False
        elif match := CHOICE.fullmatch(line):
            name, meaning = rows[-1]
            name = name.replace(" <value>", "")
            separator = "; " if choices else ": "
            rows[-1] = name, f"{meaning}{separator}`{match[1]}`, {match[2]}"
            choices = True
    return "| option | |\n|---|---|\n" + "".join(
        f"| `{name}` | {meaning.replace('|', chr(92) + '|')} |\n"
        for name, meaning in rows)


parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--check", action="store_true")
parser.add_argument("--auspex", default=ROOT / "build" / "bin" / "auspex")
options = parser.parse_args()
changed = False
for page in sorted((ROOT / "docs").glob("*.md")):
    before = page.read_text()
    after = SECTION.sub(
        lambda match: match[1] + table(options.auspex, match[2]) + match[3],
        before)
    if after == before:
        continue
    changed = True
    if options.check:
        print(f"{page} is not what 'auspex --help' says; write it anew with "
              "utils/options.py", file=sys.stderr)
    else:
        page.write_text(after)
sys.exit(options.check and changed)
