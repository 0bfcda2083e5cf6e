# Compares the trip counts of halved-ranges.cu, as the summary on stdin has
# them, with the fewest and the most that data can make of the loops.
import functools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "utils"))
from corpus_figures import Functions, compiled


def trips(halves, least, length):
    """The fewest and the most halvings until the length is below least."""

    @functools.cache
    def of(length):
        if length < least:
            return 0, 0
        after = [of(half) for half in halves(length)]
        return 1 + min(a for a, _ in after), 1 + max(b for _, b in after)

    return of(length)


def lower(n):
    return trips(lambda n: (n // 2, n - n // 2 - 1), 1, n)


def inner(n):
    return lower(255)


def found(n):
    # The header, where the loop is left, runs once more than the body, or it
    # is in its first run that the search ends.
    return 1, lower(n)[1] + 1


textbook = found


def bracket(n):
    return trips(lambda n: (n // 2, n - n // 2), 2, n)


def roundedUp(n):
    return trips(lambda n: (n - n // 2, n - n // 2), 2, n)


lengths = lower
distance = bracket


def main():
    failed = 0
    for kernel in json.load(sys.stdin)["kernels"]:
        name = kernel["demangled"].split("(")[0]
        count = kernel["loops"][0]["tripCount"]
        if isinstance(count, dict):
            print(f"{name}: unknown")
            continue
        code = compiled(count)
        extremes = []
        for n in range(2, 1000):
            model = globals()[name](n)
            for extreme, data in ((0, 0), (1, 1 << 20)):
                values = {"arg2": n}
                for symbol in kernel["dataSymbols"]:
                    values[symbol["name"]] = data
                found = eval(code, {"f": Functions, "v": values})
                extremes.append(found)
                if found != model[extreme]:
                    print(f"{name}: n {n}: {found}, not {model[extreme]}")
                    failed += 1
        print(f"{name}: {min(extremes)} to {max(extremes)} trips")
    return 1 if failed else 0


sys.exit(main())
