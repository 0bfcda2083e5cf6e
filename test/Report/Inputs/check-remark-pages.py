# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-remark-pages.py PAGES WORK OPT LIBRARIES CLANG [FLAG...]

Compiles the example of every page in the folder PAGES, predicts it as the page
says, with the pass or with the compiler plugin in LIBRARIES, and fails where
the page's message is not among what is printed. Times and percentages may
differ: they are the model's business.
"""
import pathlib
import re
import subprocess
import sys

pages, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
opt, libraries, clang = sys.argv[3], sys.argv[4], sys.argv[5:]


def only(pattern, text, page):
    found = re.findall(pattern, text, re.DOTALL)
    if len(found) != 1:
        sys.exit(f"{page.name}: {len(found)} matches of {pattern!r}")
    return found[0]


def comparable(text):
    text = re.sub(r"[\d.]+ (ns|us|ms|s|%)(?!\w)", r"# \1", text)
    return " ".join(text.split())


def compile_with_plugin(folder, flags):
    """The remarks of the compiler."""
    return subprocess.run(
        clang + [flags, f"-fplugin={libraries}/AuspexClang.so", "-S", "k.cu",
                 "-Rpass-analysis=auspex", "-o", "/dev/null"],
        cwd=folder, check=True, stderr=subprocess.PIPE,
        encoding="utf-8").stderr


def run_pass(folder, launch, gpu):
    """The prediction of one launch."""
    subprocess.run(clang + ["-fno-discard-value-names", "-O2", "-g", "-S",
                            "-emit-llvm", "k.cu", "-o", "k.ll"],
                   cwd=folder, check=True)
    # The pipeline parser takes commas for its own.
    parameters = f"gpu={gpu};launch={launch}".replace(",", ";")
    passes = f"print<auspex-prediction;{parameters}>"
    return subprocess.run(
        [opt, f"-load-pass-plugin={libraries}/AuspexPasses.so",
         "-passes=" + passes, "-disable-output", "k.ll"],
        cwd=folder, check=True, stdout=subprocess.PIPE,
        encoding="utf-8").stdout


def predict(page):
    """What the page promises, and what is printed."""
    text = page.read_text()
    example = only(r"\n## Example\n(.*?)\n## ", text, page)
    source = only(r"```cuda\n(.*?)```", example, page)
    message = only(r"```text\n(.*?)```", example, page)

    folder = work / page.stem
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.cu").write_text(source)
    flags = re.findall(r"\n`(-O\d)`, compiled with the plugin:\n", example)
    if flags:
        return message, compile_with_plugin(folder, flags[0])
    launch, gpu = only(r"\n`(k=[^`]*)` on an ([\w-]+):\n", example, page)
    return message, run_pass(folder, launch, gpu)


failed = False
for page in sorted(pages.glob("*.md")):
    message, printed = predict(page)
    if comparable(message) not in comparable(printed):
        failed = True
        print(f"{page.name} says\n{message}but this is printed:\n{printed}")
sys.exit(failed)
