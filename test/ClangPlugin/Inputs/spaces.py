"""spaces.py SUMMARY.json: of each kernel its local memory, its registers, and
how many accesses of the source go to global and to local memory."""
import collections
import json
import sys

for kernel in json.load(open(sys.argv[1]))["kernels"]:
    kinds = collections.Counter(
        (access["space"], access["kind"]) for access in kernel["accesses"])
    spaces = [
        f"{space}: {kinds[space, 'load']} load {kinds[space, 'store']} store"
        for space in ("global", "local")
        if kinds[space, "load"] + kinds[space, "store"]]
    print(f"{kernel['demangled'].split('(')[0]}: "
          f"{kernel.get('localInBytes', 0)} B local, "
          f"registers {kernel['registers']}, {', '.join(spaces)}")
