// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: lists of work, in an order that its dependences allow. What is added
// can depend only on what is there, so the order of adding is one; so is the
// order of the calls while a stream is captured.
#include "Copies.h"
#include "Launches.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace auspex::cuda {

struct GraphNode {
  Work work;
  int type = 0;
  std::vector<GraphNode *> dependences;
};

struct Graph {
  std::vector<std::shared_ptr<GraphNode>> nodes;
};

struct GraphExec {
  std::vector<std::shared_ptr<GraphNode>> nodes;
};

} // namespace auspex::cuda

using namespace auspex;
using namespace auspex::cuda;

namespace {
/// cudaGraphNodeType.
enum NodeType {
  KernelNode,
  CopyNode,
  FillNode,
  HostNode,
  ChildNode,
  EmptyNode
};
} // namespace

static std::set<Graph *> &graphs() {
  static auto *all = new std::set<Graph *>;
  return *all;
}

GraphNode *cuda::addNode(Graph &graph, Work work) {
  auto node = std::make_shared<GraphNode>();
  node->work = std::move(work);
  // A stream's work is one after the other.
  if (!graph.nodes.empty())
    node->dependences.push_back(graph.nodes.back().get());
  graph.nodes.push_back(node);
  return node.get();
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaStreamBeginCapture(Stream *handle, int) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream)
      return InvalidResourceHandle;
    // The default stream cannot be captured.
    if (stream != handle)
      return StreamCaptureUnsupported;
    if (stream->capture)
      return IllegalState;
    stream->capture = new Graph;
    stream->isCaptureOrigin = true;
    graphs().insert(stream->capture);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaStreamEndCapture(Stream *handle, Graph **graph) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream || !graph)
      return InvalidResourceHandle;
    if (!stream->capture)
      return IllegalState;
    if (!stream->isCaptureOrigin)
      return StreamCaptureUnmatched;
    *graph = stream->capture;
    forEachStream([&](Stream &other) {
      if (other.capture != *graph)
        return;
      other.capture = nullptr;
      other.isCaptureOrigin = false;
    });
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaStreamIsCapturing(Stream *handle, int *status) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream || !status)
      return InvalidResourceHandle;
    *status = stream->capture ? 1 : 0;
    return Success;
  });
}

/// Only whether, and what graph: the further results are of other forms in
/// other versions of CUDA, and nobody needs them to go on.
AUSPEX_CUDA cuda::Error cudaStreamGetCaptureInfo(Stream *handle, int *status,
                                                 unsigned long long *id) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream || !status)
      return InvalidResourceHandle;
    *status = stream->capture ? 1 : 0;
    if (id)
      *id = reinterpret_cast<uintptr_t>(stream->capture);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaThreadExchangeStreamCaptureMode(int *) {
  return call([](Runtime &) { return Success; });
}

//===----------------------------------------------------------------------===//
// Building by hand
//===----------------------------------------------------------------------===//

static cuda::Error add(GraphNode **handle, Graph *graph,
                       GraphNode *const *dependences, size_t count, int type,
                       Work work) {
  if (!graphs().count(graph))
    return InvalidValue;
  auto node = std::make_shared<GraphNode>();
  node->work = std::move(work);
  node->type = type;
  node->dependences.assign(dependences, dependences + count);
  graph->nodes.push_back(node);
  if (handle)
    *handle = node.get();
  return Success;
}

AUSPEX_CUDA cuda::Error cudaGraphCreate(Graph **graph, unsigned) {
  return call([&](Runtime &) {
    *graph = new Graph;
    graphs().insert(*graph);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGraphDestroy(Graph *graph) {
  return call([&](Runtime &) {
    if (!graphs().erase(graph))
      return InvalidValue;
    delete graph;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error
cudaGraphAddKernelNode(GraphNode **node, Graph *graph,
                       GraphNode *const *dependences, size_t count,
                       const KernelNodeParameters *parameters) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, parameters->function, kernel);
        error != Success)
      return error;
    if (!parameters->arguments)
      return NotSupported; // the other form, "extra", is the driver's
    // The values are those of now.
    auto values = std::make_shared<std::vector<std::string>>();
    for (auto [index, parameter] : llvm::enumerate(kernel->info->parameters))
      values->emplace_back(
          static_cast<const char *>(parameters->arguments[index]),
          parameter.sizeInBytes);
    LaunchRequest request{parameters->grid, parameters->block,
                          parameters->dynamicSharedInBytes, false};
    return add(node, graph, dependences, count, KernelNode,
               [&runtime, function = parameters->function, request, values] {
                 std::vector<void *> arguments;
                 for (std::string &value : *values)
                   arguments.push_back(value.data());
                 return launch(runtime, function, request, arguments.data(),
                               nullptr);
               });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphAddMemcpyNode(GraphNode **node, Graph *graph,
                                               GraphNode *const *dependences,
                                               size_t count,
                                               const Copy3D *copy) {
  return call([&](Runtime &runtime) {
    return add(node, graph, dependences, count, CopyNode,
               [&runtime, copy = *copy] { return copy3D(runtime, copy); });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphAddMemcpyNode1D(GraphNode **node, Graph *graph,
                                                 GraphNode *const *dependences,
                                                 size_t count, void *to,
                                                 const void *from, size_t size,
                                                 CopyKind kind) {
  return call([&](Runtime &runtime) {
    Box target{static_cast<char *>(to), 0, 0};
    Box source{static_cast<char *>(const_cast<void *>(from)), 0, 0};
    return add(node, graph, dependences, count, CopyNode, [=, &runtime] {
      return copyBox(runtime, target, source, {size, 1, 1}, kind);
    });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphAddMemsetNode(GraphNode **node, Graph *graph,
                                               GraphNode *const *dependences,
                                               size_t count,
                                               const FillNodeParameters *fill) {
  return call([&](Runtime &runtime) {
    Box target{static_cast<char *>(fill->target), fill->pitch, 0};
    BoxSize size{fill->width * fill->elementSize, fill->height, 1};
    return add(
        node, graph, dependences, count, FillNode,
        [=, &runtime, value = fill->value, elementSize = fill->elementSize] {
          return fillBox(runtime, target, value, elementSize, size);
        });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphAddHostNode(GraphNode **node, Graph *graph,
                                             GraphNode *const *dependences,
                                             size_t count,
                                             const HostNodeParameters *host) {
  return call([&](Runtime &) {
    return add(node, graph, dependences, count, HostNode, [host = *host] {
      host.function(host.data);
      return Success;
    });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphAddEmptyNode(GraphNode **node, Graph *graph,
                                              GraphNode *const *dependences,
                                              size_t count) {
  return call([&](Runtime &) {
    return add(node, graph, dependences, count, EmptyNode,
               [] { return Success; });
  });
}

AUSPEX_CUDA cuda::Error
cudaGraphAddChildGraphNode(GraphNode **node, Graph *graph,
                           GraphNode *const *dependences, size_t count,
                           Graph *child) {
  return call([&](Runtime &) {
    if (!graphs().count(child))
      return InvalidValue;
    return add(node, graph, dependences, count, ChildNode,
               [nodes = child->nodes] {
                 for (const std::shared_ptr<GraphNode> &inner : nodes)
                   if (Error error = inner->work(); error != Success)
                     return error;
                 return Success;
               });
  });
}

AUSPEX_CUDA cuda::Error cudaGraphGetNodes(Graph *graph, GraphNode **nodes,
                                          size_t *count) {
  return call([&](Runtime &) {
    if (!graphs().count(graph) || !count)
      return InvalidValue;
    for (size_t i = 0; nodes && i < *count; ++i)
      nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    if (!nodes)
      *count = graph->nodes.size();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGraphNodeGetType(GraphNode *node, int *type) {
  return call([&](Runtime &) {
    *type = node->type;
    return Success;
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The three further arguments of CUDA before 12 are outputs that may be null.
AUSPEX_CUDA cuda::Error cudaGraphInstantiate(GraphExec **executable,
                                             Graph *graph, uint64_t) {
  return call([&](Runtime &) {
    if (!executable || !graphs().count(graph))
      return InvalidValue;
    *executable = new GraphExec{graph->nodes};
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGraphInstantiateWithFlags(GraphExec **executable,
                                                      Graph *graph,
                                                      uint64_t flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

AUSPEX_CUDA cuda::Error cudaGraphExecDestroy(GraphExec *executable) {
  return call([&](Runtime &) {
    delete executable;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGraphUpload(GraphExec *, Stream *) {
  return call([](Runtime &) { return Success; });
}

AUSPEX_CUDA cuda::Error cudaGraphLaunch(GraphExec *executable, Stream *stream) {
  return call([&](Runtime &) {
    if (!executable)
      return InvalidValue;
    return enqueue(stream, [nodes = executable->nodes] {
      for (const std::shared_ptr<GraphNode> &node : nodes)
        if (Error error = node->work(); error != Success)
          return error;
      return Success;
    });
  });
}

/// The new graph takes the place of the old one.
AUSPEX_CUDA cuda::Error cudaGraphExecUpdate(GraphExec *executable, Graph *graph,
                                            void *) {
  return call([&](Runtime &) {
    if (!executable || !graphs().count(graph))
      return InvalidValue;
    executable->nodes = graph->nodes;
    return Success;
  });
}
