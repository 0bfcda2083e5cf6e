"""Prints of each prediction in a file: kernel, and the instructions of the
classes that are named."""
import json
import sys

for prediction in json.load(open(sys.argv[1]))["predictions"]:
    inputs = prediction["inputs"]["operational"]
    print(
        prediction["demangled"].split("(")[0],
        *(
            round(inputs["insts"] if c == "all" else inputs["mix"].get(c, 0))
            for c in sys.argv[2:]
        ),
    )
