"""Prints of each prediction in a file: kernel, integer additions and
multiplications, control instructions."""
import json
import sys

for prediction in json.load(open(sys.argv[1]))["predictions"]:
    mix = prediction["inputs"]["operational"]["mix"]
    print(
        prediction["demangled"].split("(")[0],
        *(round(mix.get(c, 0)) for c in ("int_add", "int_mul", "control")),
    )
