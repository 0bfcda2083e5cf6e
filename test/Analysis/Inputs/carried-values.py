# Compares the addresses of carried-values.cu, as the summary on stdin has them,
# with those of a thread that runs through the loops, one by one.
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "utils"))
from corpus_figures import Functions, compiled

STEPS = 23


def ring(n, size):
    a, b, c, d = 0, 3, n, 0
    for _ in range(STEPS):
        yield [a, b, c, d]
        a = 0 if a + 1 == size else a + 1
        b = (b + 2) % 5
        c = max(c - 4, 0)
        d ^= 1


def doubling(n, size):
    a, b = 1, n
    for _ in range(STEPS):
        yield [a, b]
        a = 2 * a + 1
        b = size - b


def previous(n, size):
    a, first = n, 1
    for k in range(STEPS):
        yield [a, first]
        a, first = 3 * k, 0


def chosen(n, size):
    a, last = n, None
    for k in range(STEPS):
        if n < 20:
            last, a = a, a + size
        yield [a if n < 20 and k < STEPS - 1 else None, a, last]


def through(n, size):
    a = n
    for i in range(3):
        for j in range(size):
            for k in range(STEPS):
                yield {"i0": i, "i1": j, "i2": k}, [None, a]
                a += n
            a -= 2
        yield {"i0": i}, [a, None]


def deeply(n, size):
    a = 0
    for i in range(2):
        for j in range(size):
            for k in range(STEPS):
                for l in {0, n - 1} if n else ():
                    yield {"i0": i, "i1": j, "i2": k, "i3": l}, [a + l]
                a += n


def main():
    failed = 0
    kernels = json.load(sys.stdin)["kernels"]
    for kernel in kernels:
        model = globals()[kernel["demangled"].split("(")[0]]
        offsets = [compiled(a["offset"]) for a in kernel["accesses"]]
        for n, size in ((0, 1), (7, 3), (29, 8), (130, 31)):
            values = {"tid.x": 5, "arg1": n, "arg2": size, "arg3": STEPS}
            for i, indices in enumerate(model(n, size)):
                counters = {"i0": i}
                if isinstance(indices, tuple):  # of several loops
                    counters, indices = indices
                values |= counters
                for k, (index, code) in enumerate(zip(indices, offsets)):
                    if index is None:  # not accessed
                        continue
                    found = eval(code, {"f": Functions, "v": values})
                    if found != 256 * index + 20:
                        print(f"{kernel['name']}: n {n}, size {size}, "
                              f"{counters}, access {k}: {found}, not "
                              f"{256 * index + 20}")
                        failed += 1
        print(f"{kernel['demangled']}: {len(offsets)} accesses compared")
    return 1 if failed else 0


sys.exit(main())
