# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies a problem matcher of GitHub to stdin, and prints what it takes."""
import json
import re
import sys

(matcher,) = json.load(open(sys.argv[1]))["problemMatcher"]
(pattern,) = matcher["pattern"]
for line in sys.stdin:
    if found := re.search(pattern["regexp"], line.rstrip("\n")):
        print(matcher["severity"],
              *(found[pattern[key]]
                for key in ("file", "line", "column", "message")))
