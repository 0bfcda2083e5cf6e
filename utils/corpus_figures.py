# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is understood of kernels, from their summaries as JSON.

How much of the traffic hangs on an access is estimated by drawing threads of a
launch in which every integer argument has one value: nothing here is a
prediction, but a loop body counts for more than what runs once.
"""
import collections
import random
import re

# Addresses that depend on data by the algorithm: gathers, scatters, queues.
DATA_DEPENDENT = {"indirect", "atomic", "float", "rank"}

ARGUMENT = 1024      # every integer argument
UNKNOWN_TRIPS = 8    # a loop of unknown length
GRID = 1024          # blocks in x
SAMPLES = 24         # threads drawn
MOST_TRIPS = 1 << 40


class Functions:
    """The functions of expressions, by the names they have in Python."""
    floordiv = staticmethod(lambda a, b: a // b)
    mod = staticmethod(lambda a, b: a % b)
    min_ = staticmethod(min)
    max_ = staticmethod(max)
    and_ = staticmethod(lambda a, b: int(a) & int(b))
    or_ = staticmethod(lambda a, b: int(a) | int(b))
    xor_ = staticmethod(lambda a, b: int(a) ^ int(b))
    pow2 = staticmethod(lambda a: 1 << min(int(a), 62))
    log2 = staticmethod(lambda a: max(int(a), 1).bit_length() - 1)


WORD = re.compile(r"[@A-Za-z_$][A-Za-z_0-9.$]*")
NAMES = {"min": "f.min_", "max": "f.max_", "and": "f.and_", "or": "f.or_",
         "xor": "f.xor_", "floordiv": "f.floordiv", "mod": "f.mod",
         "pow2": "f.pow2", "log2": "f.log2"}


def compiled(text):
    """An expression of a summary as Python's code."""
    text = text.replace("[", "int(").replace("]", ")").replace("/", "//")
    return compile(
        WORD.sub(lambda m: "int" if m[0] == "int"
                 else NAMES.get(m[0]) or f"v['{m[0]}']", text),
        "<expression>", "eval")


class Values(dict):
    """Symbols of one thread; arguments and data come into being when asked
    for."""

    def __init__(self, draw, kernel, block):
        super().__init__()
        self.draw = draw
        self.probability = {s["name"]: s.get("probability")
                            for s in kernel.get("dataSymbols", [])}
        for axis, side, blocks in zip("xyz", block, (GRID, 1, 1)):
            self["ntid." + axis] = side
            self["nctaid." + axis] = blocks
            self["tid." + axis] = draw.randrange(side)
            self["ctaid." + axis] = draw.randrange(blocks)

    def __missing__(self, name):
        value = ARGUMENT
        if name in self.probability:
            likely = self.probability[name]
            value = (UNKNOWN_TRIPS if likely is None
                     else int(self.draw.random() < likely))
        self[name] = value
        return value


def block_of(kernel):
    if kernel.get("requiredBlock"):
        return kernel["requiredBlock"]
    threads = min(kernel.get("maxThreadsPerBlock") or 256, 256)
    text = str(kernel["blocks"])
    if "tid.y" in text or any("tid.y" in str(a.get("offset"))
                              for a in kernel["accesses"]):
        return [min(16, threads), max(1, threads // 16), 1]
    return [threads, 1, 1]


def is_unknown(value):
    return isinstance(value, dict)


def block_weights(kernel):
    """How often a thread runs each block, on average."""
    draw = random.Random(0)
    loops = kernel.get("loops", [])
    trips = [None if is_unknown(l["tripCount"]) else compiled(l["tripCount"])
             for l in loops]
    guards = [None if is_unknown(b["guard"]) else compiled(b["guard"])
              for b in kernel["blocks"]]
    block = block_of(kernel)
    sums = [0.0] * len(guards)

    def value(code, values):
        try:
            return eval(code, {"f": Functions, "v": values})
        except (ArithmeticError, ValueError):
            return 0

    for _ in range(SAMPLES):
        values = Values(draw, kernel, block)
        times = []
        for loop, code in zip(loops, trips):
            count = UNKNOWN_TRIPS if code is None else value(code, values)
            count = min(max(count, 0), MOST_TRIPS)
            values[loop["iv"]] = draw.randrange(int(count)) if count >= 1 else 0
            around = times[loop["parent"]] if "parent" in loop else 1
            times.append(min(around * count, MOST_TRIPS))
        for i, (part, code) in enumerate(zip(kernel["blocks"], guards)):
            here = 0.5 if code is None else min(1, max(0, value(code, values)))
            if here:
                sums[i] += here * (times[part["loop"]] if "loop" in part else 1)
    return [s / SAMPLES for s in sums]


def figures(kernel):
    """Counts of one kernel."""
    weights = block_weights(kernel)
    result = {"accesses": 0, "known": 0, "dataDependent": 0, "loops": 0,
              "counted": 0, "dataLoops": 0, "traffic": 0.0,
              "knownTraffic": 0.0, "dataTraffic": 0.0,
              "causes": collections.Counter(),
              "trafficCauses": collections.Counter(),
              "loopCauses": collections.Counter()}
    for access in kernel["accesses"]:
        result["accesses"] += 1
        isGlobal = access["space"] in ("global", "unknown")
        bytes_ = weights[access["block"]] * access["bytesPerLane"] * isGlobal
        result["traffic"] += bytes_
        # Local memory costs the same whatever the address.
        if not is_unknown(access["offset"]) or access["space"] == "local":
            result["known"] += 1
            result["knownTraffic"] += bytes_
            continue
        reason = access["offset"]["unknown"]
        result["causes"][reason] += 1
        result["trafficCauses"][reason] += bytes_
        if reason in DATA_DEPENDENT:
            result["dataDependent"] += 1
            result["dataTraffic"] += bytes_
    for loop in kernel.get("loops", []):
        result["loops"] += 1
        if not is_unknown(loop["tripCount"]):
            result["counted"] += 1
            continue
        reason = loop["tripCount"]["unknown"]
        result["loopCauses"][reason] += 1
        result["dataLoops"] += reason in DATA_DEPENDENT
    return result


def without_templates(name):
    """A demangled name without template arguments: "f<4>(int)" is "f"."""
    depth, plain = 0, ""
    for char in name.split("(")[0] if "<" not in name else name:
        depth += (char == "<") - (char == ">")
        if depth == 0 and char == "(":
            break
        if depth == 0 and char != ">":
            plain += char
    return plain.split(" ")[-1]


def share(part, whole):
    return part / whole if whole else 1.0


def mean(values, otherwise=0.0):
    values = list(values)
    return sum(values) / len(values) if values else otherwise


class Corpus:
    """Sums over kernels; instances of one template count as one kernel."""

    def __init__(self):
        self.groups = collections.defaultdict(list)
        self.launches = self.understoodLaunches = self.knownGrids = 0

    def add(self, document):
        for kernel in document["kernels"]:
            name = without_templates(kernel.get("demangled", kernel["name"]))
            place = kernel.get("location", {})
            key = (place.get("file", ""), place.get("line", 0), name)
            self.groups[key].append(figures(kernel))
        for launch in document.get("launches", []):
            if launch["origin"] == "source":
                self.launches += 1
                self.knownGrids += "grid" in launch
                self.understoodLaunches += "grid" in launch and "block" in launch

    def mean_share(self, part, whole, without=None, otherwise=1.0):
        """Mean over the kernels that have any."""
        shares = []
        for instances in self.groups.values():
            own = [share(f[part], f[whole] - (f[without] if without else 0))
                   for f in instances if f[whole]]
            if own:
                shares.append(mean(own))
        return mean(shares, otherwise)

    def ranked(self, causes, whole):
        """Shares of a cause, mean over the kernels, largest first."""
        sums = collections.Counter()
        kernels = 0
        for instances in self.groups.values():
            own = [f for f in instances if f[whole]]
            kernels += bool(own)
            for f in own:
                for cause, amount in f[causes].items():
                    sums[cause] += amount / f[whole] / len(own)
        return {cause: amount / max(kernels, 1)
                for cause, amount in sums.most_common() if amount}

    def result(self):
        return {
            "kernels": len(self.groups),
            "instances": sum(map(len, self.groups.values())),
            "accesses": {
                "understood": self.mean_share("known", "accesses"),
                "dataDependent": self.mean_share("dataDependent", "accesses", otherwise=0.0),
                "understoodOfOthers":
                    self.mean_share("known", "accesses", "dataDependent"),
                "causes": self.ranked("causes", "accesses")},
            "loops": {
                "understood": self.mean_share("counted", "loops"),
                "dataDependent": self.mean_share("dataLoops", "loops", otherwise=0.0),
                "understoodOfOthers":
                    self.mean_share("counted", "loops", "dataLoops"),
                "causes": self.ranked("loopCauses", "loops")},
            "traffic": {
                "understood": self.mean_share("knownTraffic", "traffic"),
                "dataDependent": self.mean_share("dataTraffic", "traffic", otherwise=0.0),
                "understoodOfOthers":
                    self.mean_share("knownTraffic", "traffic", "dataTraffic"),
                "causes": self.ranked("trafficCauses", "traffic")},
            "launches": {"seen": self.launches, "withGrid": self.knownGrids,
                         "understood": self.understoodLaunches}}
