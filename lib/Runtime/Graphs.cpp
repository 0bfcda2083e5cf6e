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
  /// In a clone of a graph: the node that this is one of.
  const GraphNode *original = nullptr;
};

struct Graph {
  std::vector<std::shared_ptr<GraphNode>> nodes;
};

/// The work of a graph's nodes as it was when it was made.
struct GraphExec {
  std::vector<std::pair<const GraphNode *, Work>> steps;

  explicit GraphExec(const Graph &graph) { take(graph); }
  void take(const Graph &graph) {
    steps.clear();
    for (const std::shared_ptr<GraphNode> &node : graph.nodes)
      steps.emplace_back(node.get(), node->work);
  }
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
    endCapture(**graph);
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

/// What nodes of the kinds do, by what describes them. The values of a kernel's
/// arguments are those of now.
static cuda::Error
makeWork(Runtime &runtime, const KernelNodeParameters *parameters, Work &work) {
  Kernel *kernel = nullptr;
  if (Error error = findKernel(runtime, parameters->function, kernel);
      error != Success)
    return error;
  if (!parameters->arguments)
    return NotSupported; // the other form, "extra", is the driver's
  auto values = std::make_shared<std::vector<std::string>>();
  for (auto [index, parameter] : llvm::enumerate(kernel->info->parameters))
    values->emplace_back(
        static_cast<const char *>(parameters->arguments[index]),
        parameter.sizeInBytes);
  LaunchRequest request{parameters->grid, parameters->block,
                        parameters->dynamicSharedInBytes, false};
  work = [&runtime, function = parameters->function, request, values] {
    std::vector<void *> arguments;
    for (std::string &value : *values)
      arguments.push_back(value.data());
    return launch(runtime, function, request, arguments.data(), nullptr);
  };
  return Success;
}

static cuda::Error makeWork(Runtime &runtime, const Copy3D *copy, Work &work) {
  work = [&runtime, copy = *copy] { return copy3D(runtime, copy); };
  return Success;
}

static cuda::Error makeWork(Runtime &runtime, const FillNodeParameters *fill,
                            Work &work) {
  Box target{static_cast<char *>(fill->target), fill->pitch, 0};
  BoxSize size{fill->width * fill->elementSize, fill->height, 1};
  work = [=, &runtime, value = fill->value, elementSize = fill->elementSize] {
    return fillBox(runtime, target, value, elementSize, size);
  };
  return Success;
}

static cuda::Error makeWork(Runtime &, const HostNodeParameters *host,
                            Work &work) {
  work = [host = *host] {
    host.function(host.data);
    return Success;
  };
  return Success;
}

/// A copy of bytes that lie side by side.
struct PlainCopy {
  void *to;
  const void *from;
  size_t size;
  CopyKind kind;
};

static cuda::Error makeWork(Runtime &runtime, const PlainCopy *copy,
                            Work &work) {
  Box target{static_cast<char *>(copy->to), 0, 0};
  Box source{static_cast<char *>(const_cast<void *>(copy->from)), 0, 0};
  work = [=, &runtime, size = copy->size, kind = copy->kind] {
    return copyBox(runtime, target, source, {size, 1, 1}, kind);
  };
  return Success;
}

template <class Parameters>
static cuda::Error addWork(GraphNode **node, Graph *graph,
                           GraphNode *const *dependences, size_t count,
                           int type, const Parameters *parameters) {
  return call([&](Runtime &runtime) {
    Work work;
    if (!parameters)
      return InvalidValue;
    if (Error error = makeWork(runtime, parameters, work); error != Success)
      return error;
    return add(node, graph, dependences, count, type, std::move(work));
  });
}

template <class Parameters>
static cuda::Error setWork(GraphNode *node, const Parameters *parameters) {
  return call([&](Runtime &runtime) {
    if (!node || !parameters)
      return InvalidValue;
    return makeWork(runtime, parameters, node->work);
  });
}

/// Of the executable graph alone; \p node is that of the graph it was made of.
template <class Parameters>
static cuda::Error setWork(GraphExec *executable, GraphNode *node,
                           const Parameters *parameters) {
  return call([&](Runtime &runtime) {
    if (!executable || !parameters)
      return InvalidValue;
    for (auto &[original, work] : executable->steps)
      if (original == node)
        return makeWork(runtime, parameters, work);
    return InvalidValue;
  });
}

#define AUSPEX_GRAPH_NODE(NAME, TYPE, PARAMETERS)                              \
  AUSPEX_CUDA cuda::Error cudaGraphAdd##NAME##Node(                            \
      GraphNode **node, Graph *graph, GraphNode *const *dependences,           \
      size_t count, const PARAMETERS *parameters) {                            \
    return addWork(node, graph, dependences, count, TYPE, parameters);         \
  }                                                                            \
  AUSPEX_CUDA cuda::Error cudaGraph##NAME##NodeSetParams(                      \
      GraphNode *node, const PARAMETERS *parameters) {                         \
    return setWork(node, parameters);                                          \
  }                                                                            \
  AUSPEX_CUDA cuda::Error cudaGraphExec##NAME##NodeSetParams(                  \
      GraphExec *executable, GraphNode *node, const PARAMETERS *parameters) {  \
    return setWork(executable, node, parameters);                              \
  }
AUSPEX_GRAPH_NODE(Kernel, KernelNode, KernelNodeParameters)
AUSPEX_GRAPH_NODE(Memcpy, CopyNode, Copy3D)
AUSPEX_GRAPH_NODE(Memset, FillNode, FillNodeParameters)
AUSPEX_GRAPH_NODE(Host, HostNode, HostNodeParameters)
#undef AUSPEX_GRAPH_NODE

AUSPEX_CUDA cuda::Error cudaGraphAddMemcpyNode1D(GraphNode **node, Graph *graph,
                                                 GraphNode *const *dependences,
                                                 size_t count, void *to,
                                                 const void *from, size_t size,
                                                 CopyKind kind) {
  PlainCopy copy{to, from, size, kind};
  return addWork(node, graph, dependences, count, CopyNode, &copy);
}

AUSPEX_CUDA cuda::Error
cudaGraphMemcpyNodeSetParams1D(GraphNode *node, void *to, const void *from,
                               size_t size, CopyKind kind) {
  PlainCopy copy{to, from, size, kind};
  return setWork(node, &copy);
}

AUSPEX_CUDA cuda::Error
cudaGraphExecMemcpyNodeSetParams1D(GraphExec *executable, GraphNode *node,
                                   void *to, const void *from, size_t size,
                                   CopyKind kind) {
  PlainCopy copy{to, from, size, kind};
  return setWork(executable, node, &copy);
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

AUSPEX_CUDA cuda::Error cudaGraphClone(Graph **clone, Graph *graph) {
  return call([&](Runtime &) {
    if (!clone || !graphs().count(graph))
      return InvalidValue;
    *clone = new Graph;
    for (const std::shared_ptr<GraphNode> &node : graph->nodes) {
      auto copy = std::make_shared<GraphNode>(*node);
      copy->original = node.get();
      (*clone)->nodes.push_back(std::move(copy));
    }
    graphs().insert(*clone);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error
cudaGraphNodeFindInClone(GraphNode **found, GraphNode *original, Graph *clone) {
  return call([&](Runtime &) {
    if (!found || !graphs().count(clone))
      return InvalidValue;
    for (const std::shared_ptr<GraphNode> &node : clone->nodes)
      if (node->original == original) {
        *found = node.get();
        return Success;
      }
    return InvalidValue;
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
    *executable = new GraphExec(*graph);
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
    return enqueue(stream, [steps = executable->steps] {
      for (const auto &[node, work] : steps)
        if (Error error = work(); error != Success)
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
    executable->take(*graph);
    return Success;
  });
}
