#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Auspex costs: time and memory beyond the compile's own.

    utils/benchmark.py [--build DIR] [--runs N] [--json FILE]

With and without the plugin in turns, medians of N pairs:

  examples   a device compile of each example; target 20 ms or 5 % added
  growth     generated kernels of about 10,000 and 50,000 instructions, both
             with the remarks asked for, as clang's own lines for them take
             time; targets at most 6 times the time added, 1 s and 200 MB
  predict    auspex predict of a summary; target 10 ms
  sweep      every block of at least 32 threads for a stencil of 25 points, on
             four GPUs, about 100,000 configurations: microseconds of processor
             time for each, and memory; targets 200 us and 300 MB
  project    auspex predict -p of the examples, three times each: on one core, on
             all of them, and again with nothing changed; targets 0.8 of the
             cores as often as fast, and 0.1 of the time
  gate       auspex gate of 2000 launches on each side, in a file, a folder and a
             baseline, of which none or all are slower; target 1 s and 200 MB

Run it on an idle machine. Nothing is judged by the exit status: it is no test.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
parser.add_argument("--clang", default="clang++-22")
parser.add_argument("--runs", type=int, default=21)
parser.add_argument("--json", type=pathlib.Path)
options = parser.parse_args()

COMPILE = [
    options.clang, f"--config={ROOT}/share/cuda/without-toolkit.cfg",
    "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-O2"]
REMARKS = ["-Rpass-analysis=auspex", "-Rpass-missed=auspex"]
PLUGIN = [f"-fplugin={options.build}/lib/AuspexClang.so", *REMARKS]


def cost(command, allowed=(0,)):
    """Milliseconds and peak MB of a command and what it starts."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = 1e3 * (time.perf_counter() - start)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in allowed:
        raise SystemExit("failed: " + " ".join(map(str, command)))
    return elapsed, usage.ru_maxrss / 1024


def pairs(command, runs):
    """Medians without and with the plugin: ms, ms, MB, MB."""
    plain, plugged = [], []
    for _ in range(runs):
        plain.append(cost(command))
        plugged.append(cost(command + PLUGIN))
    median = statistics.median
    return (median(ms for ms, _ in plain), median(ms for ms, _ in plugged),
            median(mb for _, mb in plain), median(mb for _, mb in plugged))


def examples(folder):
    print(f"{'example':20}{'without':>10}{'with':>10}{'added':>10}   target")
    result = {}
    for source in sorted((ROOT / "examples").glob("*.cu")):
        command = COMPILE + ["-S", str(source), "-o", str(folder / "out.s")]
        plain, plugged, *_ = pairs(command, options.runs)
        added, allowed = plugged - plain, max(20, 0.05 * plain)
        result[source.stem] = {"withoutInMs": plain, "withInMs": plugged}
        print(f"{source.stem:20}{plain:7.1f} ms{plugged:7.1f} ms{added:7.1f} ms"
              f"   {allowed:.1f} ms: {'met' if added <= allowed else 'missed'}")
    return result


def straight(count):
    """One block: loads and dependent arithmetic."""
    return "".join(
        f"  a = a * x[i + {7 * k}] + b; b = b * {k % 9}.5f + a;\n"
        for k in range(count // 6))


def branches(count):
    """Conditions on threads, with an access on each side."""
    return "".join(
        f"  if (i % {k % 61 + 2} == {k % 2}) y[i + {k}] = a += x[i * {k % 9}];\n"
        f"  else b = b * x[i + {k}] + a;\n" for k in range(count // 19))


def loops(count):
    """Loops with trip counts from arguments and threads."""
    return "".join(
        f"  for (int j = threadIdx.x; j < n + {k}; j += {k % 7 + 1})\n"
        f"    a += x[j * {k % 5 + 1}] * b;\n" for k in range(count // 20))


def instructions(source, folder):
    """Instructions of the kernel after the optimiser."""
    file = folder / "kernel.ll"
    subprocess.run(COMPILE + ["-S", "-emit-llvm", str(source), "-o", str(file)],
                   check=True)
    return sum(line.startswith("  ") for line in file.read_text().splitlines())


def growth(folder):
    print(f"\n{'generated kernel':20}{'instructions':>13}{'without':>10}"
          f"{'added':>10}{'added':>10}   target")
    result = {}
    for shape in (straight, branches, loops):
        times = []
        for size in (10000, 50000):
            source = folder / "kernel.cu"
            source.write_text(
                "__global__ void k(const float *x, float *y, int n) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  float a = 0, b = 1;\n" + shape(size) +
                "  y[i] = a + b;\n}\n")
            count = instructions(source, folder)
            plain, plugged, plainMB, pluggedMB = pairs(
                COMPILE + REMARKS +
                ["-S", str(source), "-o", str(folder / "out.s")],
                max(3, options.runs // 7))
            added, memory = plugged - plain, pluggedMB - plainMB
            times.append(added / count)
            result[f"{shape.__name__}-{size}"] = {
                "instructions": count, "withoutInMs": plain,
                "withInMs": plugged, "addedInMB": memory}
            verdict = ""
            if size == 50000:
                factor = times[1] / times[0] * 5
                met = factor <= 6 and added <= 1000 and memory <= 200
                verdict = (f"   {factor:.1f} times for 5 times the code: "
                           f"{'met' if met else 'missed'}")
            print(f"{shape.__name__:20}{count:13}{plain:7.0f} ms{added:7.0f} ms"
                  f"{memory:7.0f} MB{verdict}")
    return result


def summarize(example, folder):
    """The summary of an example's kernels."""
    summary = folder / f"{example}.json"
    subprocess.run(
        COMPILE + ["-S", str(ROOT / f"examples/{example}.cu"), "-o",
                   "/dev/null", PLUGIN[0],
                   f"-fplugin-arg-auspex-summary={summary}"],
        check=True)
    return summary


def predict(folder):
    summary = summarize("transpose", folder)
    command = [str(options.build / "bin/auspex"), "predict", str(summary)]
    milliseconds = statistics.median(
        cost(command)[0] for _ in range(options.runs))
    print(f"\nauspex predict of a summary: {milliseconds:.1f} ms   10 ms: "
          f"{'met' if milliseconds <= 10 else 'missed'}")
    return {"inMs": milliseconds}


def sweep(folder):
    """User time, as the progress and the cores at hand do not matter to it."""
    table = folder / "sweep.csv"
    gpus = ["A100-40GB", "V100-PCIe", "H100-SXM", "A40"]
    command = [str(options.build / "bin/auspex"), "sweep",
               str(summarize("stencil25", folder)),
               "--kernel", "star<Large, 1, 1>", "--format=csv", "-o", str(table),
               "--block", "x=1..1024,y=1..1024,z=1..64,threads=32..1024"]
    for gpu in gpus:
        command += ["--gpu", gpu]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("failed: " + " ".join(command))
    with table.open() as rows:
        count = sum(1 for _ in rows) - 1
    each = 1e6 * usage.ru_utime / count
    memory = usage.ru_maxrss / 1024
    met = each <= 200 and memory <= 300
    print(f"\nauspex sweep of {count} configurations: {each:.0f} us each, "
          f"{memory:.0f} MB   200 us, 300 MB: {'met' if met else 'missed'}")
    return {"configurations": count, "inUsEach": each, "inMB": memory}


def project(folder):
    """Each source under three names, so that there is work for many cores."""
    commands = [{"directory": str(ROOT), "file": str(source),
                 "arguments": ["nvcc", "-arch=sm_80", f"-DCOPY={copy}", "-c",
                               str(source), "-o", f"{copy}.o"]}
                for source in sorted((ROOT / "examples").glob("*.cu"))
                for copy in range(3)]
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    all_cores = os.sched_getaffinity(0)
    seconds = {}
    for name, cores, out in (("one core", {min(all_cores)}, "one"),
                             ("all cores", all_cores, "all"),
                             ("unchanged", all_cores, "all")):
        os.sched_setaffinity(0, cores)
        seconds[name] = cost(
            [str(options.build / "bin/auspex"), "predict", "-p", str(folder),
             "-o", str(folder / out)])[0] / 1e3
        os.sched_setaffinity(0, all_cores)
    factor = seconds["one core"] / seconds["all cores"]
    rest = seconds["unchanged"] / seconds["all cores"]
    print(f"\nauspex predict -p of {len(commands)} sources: "
          f"{seconds['one core']:.1f} s on one core, {factor:.2f} times as fast "
          f"on {len(all_cores)}: "
          f"{'met' if factor >= 0.8 * len(all_cores) else 'missed'}; "
          f"{seconds['unchanged']:.1f} s when nothing changed: "
          f"{'met' if rest <= 0.1 else 'missed'}")
    return {"sources": len(commands), "inS": seconds}


def gate(folder):
    """The predictions of an example, under 2000 names."""
    auspex = str(options.build / "bin/auspex")
    single = folder / "single.json"
    subprocess.run([auspex, "predict", str(ROOT / "examples/matmul.cu"),
                    "--gpu", "A100-40GB", "--format=json", "-o", str(single)],
                   check=True, stderr=subprocess.DEVNULL)
    kernels = json.loads(single.read_text())["predictions"]
    sides = {}
    for side, factor in (("base", 1), ("head", 1.5)):
        parts, sides[side] = folder / side, folder / f"{side}.json"
        parts.mkdir()
        # Piece by piece: what this process once held would be counted as the
        # memory of those it starts.
        document = sides[side].open("w")
        document.write('{"schemaVersion": 1, "predictions": [\n')
        for number in range(2000):
            one = json.loads(json.dumps(kernels[number % len(kernels)]))
            name = f"kernel{number}"
            one["kernel"], one["demangled"] = f"_Z{len(name)}{name}v", f"{name}()"
            one["timeInUs"] *= factor
            mix = one["inputs"]["operational"]["mix"]
            mix["int_add"] = mix.get("int_add", 0) * factor
            document.write((",\n" if number else "") + json.dumps(one, indent=2))
            (parts / f"{name}.json").write_text(json.dumps(
                {"schemaVersion": 1, "predictions": [one]}))
        document.write("]}\n")
        document.close()
    baseline = folder / "base.yaml"
    subprocess.run([auspex, "gate", "--write-baseline", str(baseline),
                    str(sides["base"])], check=True)
    size = sides["base"].stat().st_size / 1e6
    print(f"\n2000 launches, {size:.0f} MB a side, a baseline of "
          f"{baseline.stat().st_size / 1e6:.1f} MB")
    result = {}
    for name, base, head in (
            ("unchanged", sides["base"], sides["base"]),
            ("folders", folder / "base", folder / "base"),
            ("baseline", baseline, sides["base"]),
            ("all slower", sides["base"], sides["head"])):
        runs = [cost([auspex, "gate", str(base), str(head), "--strict"],
                     (0, 1)) for _ in range(max(3, options.runs // 7))]
        milliseconds = statistics.median(ms for ms, _ in runs)
        memory = max(mb for _, mb in runs)
        result[name] = {"inMs": milliseconds, "inMB": memory}
        met = milliseconds < 1000 and memory < 200
        print(f"{name:20}{milliseconds:7.0f} ms{memory:7.0f} MB   1 s, 200 MB: "
              f"{'met' if met else 'missed'}")
    return result


with tempfile.TemporaryDirectory() as name:
    temporary = pathlib.Path(name)
    report = {"examples": examples(temporary), "growth": growth(temporary),
              "predict": predict(temporary), "sweep": sweep(temporary),
              "project": project(temporary), "gate": gate(temporary)}
if options.json:
    options.json.write_text(json.dumps(report, indent=2) + "\n")
