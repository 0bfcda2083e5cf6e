# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a sweep over the edge n of a cube (CSV) and prints n and the bytes that
DRAM loads per cell, by n."""
import csv
import sys

rows = csv.DictReader(sys.stdin)
for edge, volume in sorted((int(row["n"]), float(row["dram_load_bytes"]))
                           for row in rows):
    print(edge, f"{volume / edge ** 3:.1f}")
