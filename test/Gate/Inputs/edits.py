# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits of the examples: those that cost something, and those that do not.

Each is a text of one of the examples and what stands in its place. `before` are
edits that make the base from the example, `after` those that make the head from
the base. A costly edit also says in which line of the head the gate has to see
the cause, which one it is, and, where there is one, the remark it names.
"""

NAIVE_LOOP = """    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
"""

COSTLY = {
    "lost padding": dict(
        example="transpose.cu",
        after=[("values[tile][tile + 1]", "values[tile][tile]")],
        # The second of two such lines, in transposePadded.
        line=("out[(y + j) * height + x] = values[threadIdx.x]", 2),
        cause="shared-memory", remark="BankConflict"),
    "stride change": dict(
        example="saxpy.cu",
        after=[("y[i] = a * x[i] + y[i];", "y[i] = a * x[8 * i] + y[i];")],
        line=("x[8 * i]", 1), cause="global-memory",
        remark="UncoalescedAccess"),
    "float to double": dict(
        example="saxpy.cu", after=[("float", "double"), ("2.5f", "2.5")],
        line=("y[i] = a * x[i] + y[i];", 1), cause="global-memory",
        remark="GlobalAccess"),
    "removed __restrict__": dict(
        example="matmul.cu",
        before=[(NAIVE_LOOP, """    c[row * n + column] = 0;
    for (int k = 0; k < n; ++k)
      c[row * n + column] += a[row * n + k] * b[k * n + column];
"""), ("matmulNaive(const float *a, const float *b, float *c, int n)",
       "matmulNaive(const float *__restrict__ a, const float *__restrict__ b,"
       " float *__restrict__ c, int n)")],
        after=[("__restrict__ ", "")],
        line=("c[row * n + column] +=", 1), cause="global-memory"),
    "unroll removed": dict(
        example="nbody.cu", after=[("#pragma unroll 8", "#pragma unroll 1")],
        line=("for (int j = 0; j < tile; ++j)", 1), cause="unrolling"),
    "block size": dict(
        example="saxpy.cu", after=[("blockSize = 256", "blockSize = 32")],
        line=("saxpy<<<", 1), cause="launch", remark="BlockSize"),
    "extra barrier": dict(
        example="matmul.cu",
        after=[("      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];\n",
                "      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x],\n"
                "          __syncthreads(); // no need\n")],
        line=("// no need", 1), cause="barriers"),
    "spill": dict(
        example="matmul.cu",
        after=[("    float sum = 0;\n    for (int k = 0; k < n; ++k)\n"
                "      sum +=", "    float parts[32] = {}, sum = 0;\n"
                "    for (int k = 0; k < n; ++k)\n      parts[k & 31] +=")],
        line=("parts[k & 31] +=", 1), cause="local-memory",
        remark="LocalMemory"),
    "divergence": dict(
        example="divergent.cu",
        after=[("if ((threadIdx.x / 32) & 1)", "if (threadIdx.x & 1) // now")],
        line=("// now", 1), cause="divergence", remark="DivergentBranch"),
    "global instead of shared": dict(
        example="matmul.cu",
        after=[("* tileB[k][threadIdx.x];", "* b[(first + k) * n + column];")],
        line=("* b[(first + k) * n + column];", 1), cause="global-memory"),
    "wider type": dict(
        example="vectoradd.cu",
        after=[("const float *a, const float *b, float *result",
                "const float *a, const float *b, long long *result"),
               ("DeviceArray<float> result(size)",
                "DeviceArray<long long> result(size)"),
               ("return compare(label, result.copyBack(), expected);",
                "return true;")],
        line=("result[i] = a[i] + b[i];", 1), cause="global-memory",
        remark="GlobalAccess"),
    # The grid is assumed: it shrinks with what is resident.
    "lost occupancy": dict(
        example="stream.cu",
        after=[("6144 / sizeof(double)", "40960 / sizeof(double)")],
        line=("__global__ void readKernel", 1), cause="occupancy",
        remark="Occupancy"),
    "narrow block": dict(
        example="star2d.cu", after=[("test.run<32, 8>()", "test.run<1, 256>()")],
        line=("star<Field><<<", 1), cause="launch", remark="BlockSize"),
    "argument of a launch": dict(
        example="strided_copy.cu",
        after=[("deviceOut.get(), 2);", "deviceOut.get(), 16);")],
        line=("deviceOut.get(), 16);", 1), cause="launch"),
    "division": dict(
        example="nbody.cu",
        after=[("rsqrtf(distance2)", "1 / sqrtf(distance2)")],
        line=("1 / sqrtf", 1), cause="floating-point"),
    # As many instructions as before, of another kind.
    "double in the loop": dict(
        example="nbody.cu",
        after=[("sum.x += dx * scale;", "sum.x += double(dx) * scale;")],
        line=("double(dx)", 1), cause="floating-point"),
    # It keeps the loop from being unrolled too.
    "barrier in an unrolled loop": dict(
        example="matmul.cu",
        before=[("    for (int k = 0; k < n; ++k)\n      sum += a[row",
                 "#pragma unroll 4\n    for (int k = 0; k < n; ++k)\n"
                 "      sum += a[row")],
        after=[("      sum += a[row * n + k]",
                "      __syncthreads(), sum += a[row * n + k]")],
        line=("__syncthreads(), sum", 1), cause="barriers"),
    "atomics of all lanes": dict(
        example="saxpy.cu",
        before=[("y[i] = a * x[i] + y[i];",
                 "if (i % 32 == 0) atomicAdd(y, a * x[i]);")],
        after=[("if (i % 32 == 0) atomicAdd", "atomicAdd")],
        line=("atomicAdd(y, a * x[i]);", 1), cause="global-memory"),
    # Its addresses are data, so that the time has a range on both sides. Of
    # few pixels the sum of all blocks takes most of it.
    "wider type of data": dict(
        example="histogram.cu",
        before=[("size = 1 << 20", "size = 1 << 24")],
        after=[("const unsigned *pixels", "const unsigned long long *pixels"),
               ("DeviceArray<unsigned> device(pixels), counts",
                "DeviceArray<unsigned long long> device(\n"
                "      std::vector<unsigned long long>(pixels.begin(), "
                "pixels.end()));\n  DeviceArray<unsigned> counts")],
        line=("unsigned pixel = pixels[i];", 2), cause="global-memory",
        remark="GlobalAccess"),
    "unroll removed from loads": dict(
        example="matmul.cu",
        before=[("    for (int k = 0; k < n; ++k)\n      sum += a[row",
                 "#pragma unroll 4\n    for (int k = 0; k < n; ++k)\n"
                 "      sum += a[row")],
        after=[("#pragma unroll 4", "#pragma unroll 1")],
        line=("for (int k = 0; k < n; ++k)", 1), cause="unrolling"),
    # The loads wait for each other; there are as many as before.
    "unroll removed from a sum": dict(
        example="saxpy.cu",
        before=[("  if (i < n)\n    y[i] = a * x[i] + y[i];",
                 "  float sum = 0;\n#pragma unroll 4\n"
                 "  for (int k = 0; k < n / 4096; ++k)\n"
                 "    sum += x[k * 32768 + i];\n  y[i] = sum;"),
                ("blockSize = 256", "blockSize = 64"),
                ("(n + blockSize - 1) / blockSize", "512")],
        after=[("#pragma unroll 4", "#pragma unroll 1")],
        line=("for (int k = 0", 1), cause="unrolling"),
    # It is set where it is declared; what costs is further below.
    "array in local memory": dict(
        example="nbody.cu",
        after=[("  float3 sum = make_float3(0, 0, 0);\n",
                "  float3 sum = make_float3(0, 0, 0);\n"
                "  float parts[16] = {};\n"),
               ("      sum = interact(sum, self, others[j]);\n",
                "      sum = interact(sum, self, others[j]),\n"
                "      parts[(i + j) & 15] += sum.x;\n"),
               ("(sum.x, sum.y,", "(parts[0] + parts[i & 15], sum.y,")],
        line=("parts[(i + j) & 15]", 1), cause="local-memory",
        remark="LocalMemory"),
    "bodies from global memory": dict(
        example="nbody.cu",
        after=[("others[j]);", "bodies[first + j]);")],
        line=("bodies[first + j]", 1), cause="global-memory"),
    "hoisted load": dict(
        example="matmul.cu",
        before=[(NAIVE_LOOP, """    float sum = 0, first = a[row * n], top = b[column];
    for (int k = 0; k < n; ++k) {
      sum += (a[row * n + k] - first) * (b[k * n + column] - top);
      c[row * n + column] = sum;
    }
""")],
        after=[(", first = a[row * n], top = b[column]", ""),
               ("- first)", "- a[row * n])"), ("- top)", "- b[column])")],
        line=("- a[row * n])", 1), cause="global-memory"),
}

HARMLESS = {
    "rename of a parameter": dict(
        example="saxpy.cu",
        after=[("const float *x", "const float *input"),
               ("y[i] = a * x[i]", "y[i] = a * input[i]")]),
    "rename of a variable": dict(
        example="transpose.cu", after=[("values", "buffer")]),
    "comment": dict(
        example="transpose.cu",
        after=[("__global__ void transposeTiled",
                "// One more line.\n// And another.\n"
                "__global__ void transposeTiled")]),
    "reordered declarations": dict(
        example="transpose.cu",
        after=[("  int x = blockIdx.x * tile + threadIdx.x;\n"
                "  int y = blockIdx.y * tile + threadIdx.y;\n",
                "  int y = blockIdx.y * tile + threadIdx.y;\n"
                "  int x = blockIdx.x * tile + threadIdx.x;\n")]),
    "host code": dict(
        example="saxpy.cu",
        after=[("  return finish(", "  std::printf(\"done\\n\");\n"
                "  return finish(")]),
    "layout": dict(
        example="saxpy.cu",
        after=[("    y[i] = a * x[i] + y[i];",
                "    y[i] =\n        a * x[i]\n        + y[i];")]),
    "named constant": dict(
        example="transpose.cu",
        after=[("constexpr int rowsPerPass = 8;",
                "constexpr int eight = 8;\nconstexpr int rowsPerPass = eight;")
               ]),
    "unused function": dict(
        example="nbody.cu",
        after=[("// A block reads", "__device__ float unused(float x) "
                "{ return x * x; }\n\n// A block reads")]),
    "rename of a function": dict(
        example="nbody.cu", after=[("interact", "attract")]),
    "another kernel": dict(
        example="saxpy.cu",
        after=[("int main", "__global__ void other(float *p) "
                "{ p[threadIdx.x] = 1; }\n\nint main")]),
    "rename of a namespace": dict(
        example="nbody.cu", after=[("namespace nbody", "namespace gravity"),
                                   ("nbody::", "gravity::")]),
    "order of launches": dict(
        example="star2d.cu",
        after=[("  bool passed = test.run<32, 8>();\n"
                "  passed &= test.run<64, 4>();",
                "  bool passed = test.run<64, 4>();\n"
                "  passed &= test.run<32, 8>();")]),
    "one more launch": dict(
        example="saxpy.cu",
        after=[("  return finish(", "  saxpy<<<1, 32>>>(1, 2.5f, nullptr, "
                "nullptr);\n  return finish(")]),
    "early return": dict(
        example="gather.cu",
        after=[("  if (i < n)\n    y[i]", "  if (i >= n)\n    return;\n  y[i]")]),
    "order of kernels": dict(
        example="vectoradd.cu",
        after=[("#include \"check.h\"\n", "#include \"check.h\"\n"
                "__global__ void first(float *p) { p[threadIdx.x] = 2; }\n")]),
    "block in braces": dict(
        example="saxpy.cu",
        after=[("  if (i < n)\n    y[i] = a * x[i] + y[i];",
                "  if (i < n) {\n    y[i] = a * x[i] + y[i];\n  }")]),
}


def apply(text, edits):
    for old, new in edits:
        if old not in text:
            raise SystemExit(f"the example does not hold {old!r} any more")
        text = text.replace(old, new)
    return text


def line_of(text, place):
    """The number of the n-th line that holds a text."""
    part, count = place
    numbers = [number for number, line in enumerate(text.splitlines(), 1)
               if part in line]
    return numbers[count - 1]
