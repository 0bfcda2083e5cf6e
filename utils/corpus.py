#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Auspex understands of a folder of code.

    utils/corpus.py [options] PATH... [-- clang flags]

PATH is a CUDA source, LLVM IR (.bc, .ll), a compile_commands.json, or a folder
that is searched for sources and IR. Sources are compiled as `auspex predict`
does it; include paths, macros and the language standard come from the compile
commands where there are any. docs/corpus.md says what the figures mean.

The exit status is 1 if Auspex crashed or ran out of time or memory on a file,
and 2 for wrong usage.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from corpus_figures import Corpus

ROOT = pathlib.Path(__file__).resolve().parent.parent
IR = {".bc", ".ll"}
# In the order in which they are printed; failures are Auspex's own.
OUTCOMES = ["ok", "no kernels", "does not compile", "crash", "timeout",
            "out of memory"]
FAILURES = {"crash", "timeout", "out of memory"}


def parse_arguments():
    arguments = sys.argv[1:]
    flags = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120,
                        help="seconds a file")
    parser.add_argument("--memory", type=float, default=4,
                        help="GB a file; 0 is no limit")
    parser.add_argument("--overhead", action="store_true",
                        help="compile without Auspex too, for the time added; "
                        "take --jobs 1")
    parser.add_argument("--top", type=int, default=10,
                        help="how many slow files and causes to print")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args(arguments)
    options.flags = flags
    for path in options.paths:
        if not path.exists():
            parser.error(f"{path}: no such file or folder")
    return options


# ---------------------------------------------------------------------------
# What there is to do
# ---------------------------------------------------------------------------

def words_of_command(entry):
    return entry.get("arguments") or shlex.split(entry["command"])


def says_cuda(words):
    """Whether a compile command says of a file of any name that it is CUDA, as
    clang or nvcc is told."""
    text = " ".join(words)
    return any(option in text for option in
               ("-x cuda", "-xcuda", "-x cu ", "-x=cu ", "--x=cu "))


def flags_of_command(entry):
    """The flags of a compile command that say what the source means, with
    absolute paths."""
    words = words_of_command(entry)
    folder = pathlib.Path(entry["directory"])
    flags, rest = [], iter(words[1:])
    for word in rest:
        for option in ("-isystem", "-iquote", "-include", "-I"):
            if word == option or word == "-" + option:
                flags += [option, str(folder / next(rest))]
                break
            if word.startswith(option) and option == "-I":
                flags.append("-I" + str(folder / word[2:]))
                break
        else:
            if word in ("-D", "-U"):
                flags.append(word + next(rest))
            elif word.startswith(("-D", "-U", "-std=", "--std=")):
                flags.append(word.replace("--std", "-std"))
    return flags


def read_commands(path):
    entries = json.loads(path.read_text())
    for entry in entries:
        source = pathlib.Path(entry["directory"]) / entry["file"]
        if source.suffix == ".cu" or says_cuda(words_of_command(entry)):
            yield source, flags_of_command(entry)


def find_files(paths):
    """Files in order, each once, with the flags of its own."""
    found = {}
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.suffix in IR | {".cu"} and file.is_file():
                    found.setdefault(file, [])
        elif path.suffix == ".json":
            found.update(read_commands(path))
        else:
            found.setdefault(path, [])
    return found


# ---------------------------------------------------------------------------
# One file
# ---------------------------------------------------------------------------

def toolkit_flags():
    headers = ROOT / "share/cuda"
    for path in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"),
                 "/usr/local/cuda"):
        if path is not None:
            break
    if path and os.path.exists(path + "/nvvm/libdevice/libdevice.10.bc"):
        return [f"--config={headers}/with-toolkit.cfg", f"--cuda-path={path}",
                "-isystem", path + "/include/cccl"]
    return [f"--config={headers}/without-toolkit.cfg"]


def command_for(file, own_flags, summary, options):
    """The command with Auspex, and the same without; what the first prints is
    the summary if it is IR that is read."""
    if file.suffix in IR:
        plain = [options.opt, "-disable-output", str(file)]
        return (plain[:1] + [
            f"-load-pass-plugin={options.build}/lib/AuspexPasses.so",
            "-passes=print<auspex-summary;json>"] + plain[1:], plain)
    plain = [options.clang, "-x", "cuda", "--cuda-device-only", "-S", "-O2",
             "-w", *toolkit_flags(), f"--cuda-gpu-arch={options.arch}",
             f"-I{file.parent}", *own_flags, *options.flags, str(file), "-o",
             os.devnull]
    return (plain[:1] + [f"-fplugin={options.build}/lib/AuspexClang.so",
                         f"-fplugin-arg-auspex-summary={summary}"] + plain[1:],
            plain)


def run(command, options):
    """Exit status (None out of time), seconds on the clock and of processor
    time, stdout, stderr."""
    def limit():
        os.setsid()
        if options.memory:
            size = int(options.memory * 2**30)
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    expired = threading.Event()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, preexec_fn=limit)

        def expire():
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(options.timeout, expire)
        timer.start()
        # Of this process and those it started.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return (None if expired.is_set() else process.returncode,
            (seconds, usage.ru_utime + usage.ru_stime), *texts)


def classify(status, err):
    if status is None:
        return "timeout"
    if "out of memory" in err or "bad_alloc" in err:
        return "out of memory"
    if status < 0 or status >= 128 or "PLEASE submit a bug report" in err \
            or "Sanitizer" in err or "runtime error:" in err \
            or "auspex predicts nothing" in err \
            or "auspex reads no launches" in err:
        return "crash"
    return "ok" if status == 0 else "does not compile"


def try_file(file, own_flags, options):
    """Outcome, seconds, document or None, message."""
    with tempfile.TemporaryDirectory() as folder:
        summary = pathlib.Path(folder) / "summary.json"
        command, plain = command_for(file, own_flags, summary, options)
        status, seconds, out, err = run(command, options)
        outcome = classify(status, err)
        record = {"file": str(file), "outcome": outcome,
                  "seconds": round(seconds[0], 3)}
        if outcome in FAILURES - {"timeout"}:
            # Not Auspex's, if it happens without it.
            if classify(*run(plain, options)[::3]) != "ok":
                record["outcome"] = "does not compile"
        if record["outcome"] != "ok":
            lines = [l for l in err.splitlines() if "error" in l.lower()]
            record["message"] = (lines or err.splitlines() or [""])[0][:300]
            return record, None
        if options.overhead:
            without = run(plain, options)[1]
            for key, a, b in zip(("addedSeconds", "addedProcessorSeconds"),
                                 seconds, without):
                record[key] = round(a - b, 3)
        text = out if file.suffix in IR else (
            summary.read_text() if summary.exists() else "")
        document = json.loads(text) if text.strip() else {"kernels": []}
        if not document["kernels"]:
            record["outcome"] = "no kernels"
        return record, document


# ---------------------------------------------------------------------------
# Printing
# ---------------------------------------------------------------------------

def print_added(records, out):
    print("\nadded to a compilation, ms" + " " * 8 + "mean    median", file=out)
    for key, title in (("addedSeconds", "on the clock"),
                       ("addedProcessorSeconds", "processor time")):
        added = [1000 * r[key] for r in records if key in r]
        if added:
            print(f"  {title:20}{statistics.mean(added):16.0f}"
                  f"{statistics.median(added):10.0f}", file=out)


def print_text(result, options, out):
    outcomes = result["outcomes"]
    print(f"{len(result['files'])} files: " + ", ".join(
        f"{outcomes[o]} {o}" for o in OUTCOMES if outcomes[o]), file=out)
    print(f"{result['kernels']} kernels ({result['instances']} with all "
          "instances of templates); shares are means over the kernels\n",
          file=out)
    print(f"{'':22}{'understood':>12}{'data':>10}{'without data':>14}",
          file=out)
    for name in ("accesses", "traffic", "loops"):
        row = result[name]
        title = "global traffic" if name == "traffic" else name
        print(f"  {title:20}{100 * row['understood']:10.1f} %"
              f"{100 * row['dataDependent']:8.1f} %"
              f"{100 * row['understoodOfOthers']:12.1f} %", file=out)
    launches = result["launches"]
    if launches["seen"]:
        print(f"  {'launches':20}{launches['understood']} of "
              f"{launches['seen']} with grid and block", file=out)
    for name in ("accesses", "traffic", "loops"):
        causes = list(result[name]["causes"].items())[:options.top]
        if causes:
            title = "global traffic" if name == "traffic" else name
            print(f"\n{title} not understood, by cause", file=out)
            for cause, amount in causes:
                print(f"  {cause:20}{100 * amount:10.1f} %", file=out)
    if options.overhead:
        print_added(result["files"], out)
    key = "addedSeconds" if options.overhead else "seconds"
    slowest = sorted(result["files"], key=lambda r: -r.get(key, 0))
    print(f"\nslowest files, seconds{' added' if options.overhead else ''}",
          file=out)
    for record in slowest[:options.top]:
        print(f"  {record.get(key, 0):8.2f}  {record['file']}", file=out)
    bad = [r for r in result["files"] if r["outcome"] in FAILURES]
    if bad:
        print("\nfailures", file=out)
    for record in bad:
        print(f"  {record['outcome']}: {record['file']}: {record['message']}",
              file=out)


def main():
    options = parse_arguments()
    files = find_files(options.paths)
    if not files:
        print("corpus.py: no CUDA sources and no IR there", file=sys.stderr)
        return 2
    corpus, records = Corpus(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(try_file, file, own, options)
                for file, own in files.items()]
        for job in jobs:
            record, document = job.result()
            if document:
                record["kernels"] = len(document["kernels"])
                corpus.add(document)
            records.append(record)
    result = {"schemaVersion": 1,
              "outcomes": {o: sum(r["outcome"] == o for r in records)
                           for o in OUTCOMES}}
    result |= corpus.result()
    result["files"] = records
    out = options.output.open("w") if options.output else sys.stdout
    if options.format == "json":
        json.dump(result, out, indent=2)
        print(file=out)
    else:
        print_text(result, options, out)
    return 1 if any(r["outcome"] in FAILURES for r in records) else 0


if __name__ == "__main__":
    sys.exit(main())
