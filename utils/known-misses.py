#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what `auspex validate` says into docs/known-misses.md.

    utils/known-misses.py [--check] [--auspex PATH] [--page FILE] MEASUREMENTS

The page has its commands in comments, each before what it wrote:

    <!-- validate: nvdvfs.jsonl.gz --map utils/validate/dvfs.yaml -->
    ...
    <!-- end -->

Files of measurements are those of the folder MEASUREMENTS; other paths start in
the source tree. With --check nothing is written: the exit status is 1 if the
page is not what it would be.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTION = re.compile(r"(<!-- validate: (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def validate(options, command):
    file, *rest = shlex.split(command)
    return subprocess.run(
        [options.auspex, "validate", options.measurements / file, *rest,
         "--format=md"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--check", action="store_true")
parser.add_argument("--auspex", default=ROOT / "build" / "bin" / "auspex")
parser.add_argument("--page", type=pathlib.Path,
                    default=ROOT / "docs" / "known-misses.md")
parser.add_argument("measurements", type=pathlib.Path)
options = parser.parse_args()
options.measurements = options.measurements.resolve()
before = options.page.read_text()
after = SECTION.sub(
    lambda found: found[1] + "\n" + validate(options, found[2]) + "\n" +
    found[3], before)
if options.check:
    sys.exit(0 if after == before else
             f"{options.page} is not what 'auspex validate' says; write it "
             "anew with utils/known-misses.py")
options.page.write_text(after)
