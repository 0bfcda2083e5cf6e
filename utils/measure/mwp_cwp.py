# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory parameters of MWP-CWP from measured times.

S. Hong, H. Kim, "An analytical model for a GPU architecture with memory-level
and thread-level parallelism awareness", ISCA 2009, section 5.1: what fits the
micro-benchmarks best.
"""
import itertools
import math

PARAMETERS = ("mem_ld", "departure_del_uncoal", "departure_del_coal")


def exec_cycles(inputs):
    """Eq. 5 to 24, without barriers, as lib/Model/MwpCwp.cpp has them; the
    inputs are those of `auspex model mwp-cwp`, with memory instructions."""
    i = inputs
    n = i["active_blocks_per_sm"] * math.ceil(i["threads_per_block"] / 32)
    rep = i["blocks"] / (i["active_blocks_per_sm"] * i["active_sms"])
    memory = i["coal_mem_insts"] + i["uncoal_mem_insts"]
    uncoalesced = i["uncoal_mem_insts"] / memory
    mem_l_uncoal = (i["mem_ld"] +
                    (i["uncoal_per_mw"] - 1) * i["departure_del_uncoal"])
    mem_l = (mem_l_uncoal * uncoalesced + i["mem_ld"] * (1 - uncoalesced))
    delay = (i["departure_del_uncoal"] * i["uncoal_per_mw"] * uncoalesced +
             i["departure_del_coal"] * (1 - uncoalesced))
    bandwidth = i["freq_ghz"] * i["load_bytes_per_warp"] / mem_l
    mwp = min(mem_l / delay,
              i["mem_bandwidth_gbps"] / (bandwidth * i["active_sms"]), n)
    computing = i["issue_cycles"] * (i["comp_insts"] + memory)
    waiting = mem_l * memory
    cwp = min((waiting + computing) / computing, n)
    other = computing / memory * max(mwp - 1, 0)
    if mwp == n and cwp == n:
        return (waiting + computing + other) * rep
    if cwp >= mwp or computing > waiting:
        return (waiting * n / mwp + other) * rep
    return (mem_l + computing * n) * rep


def mean_square(runs, point):
    """Of the logarithms of predicted over measured."""
    values = dict(zip(PARAMETERS, map(math.exp, point)))
    return sum(math.log(exec_cycles({**inputs, **values}) / cycles) ** 2
               for inputs, cycles in runs) / len(runs)


def descend(runs, point):
    """From there along the axes, by ever smaller steps."""
    best, step = mean_square(runs, point), 0.5
    while step > 1e-4:
        for axis, sign in itertools.product(range(len(point)), (step, -step)):
            other = list(point)
            other[axis] += sign
            if (error := mean_square(runs, other)) < best:
                best, point = error, other
                break
        else:
            step /= 2
    return best, point


def fit(runs):
    """From pairs of the inputs of a launch and its cycles: the parameters that
    the times depend on, and the root mean square of the errors. A parameter
    that could as well be a fifth larger or smaller is not known."""
    start = [math.log(runs[0][0][name]) for name in PARAMETERS]
    starts = itertools.product(*([x - 1.5, x, x + 1.5] for x in start))
    best, point = min(descend(runs, list(s)) for s in starts)
    known = {}
    for axis, name in enumerate(PARAMETERS):
        others = []
        for sign in (1, -1):
            other = list(point)
            other[axis] += sign * math.log(1.2)
            others.append(mean_square(runs, other))
        if min(others) > 1.05 * best + 1e-5:
            known[name] = math.exp(point[axis])
    return known, math.sqrt(best)
