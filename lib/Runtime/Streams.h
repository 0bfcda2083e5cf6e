// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Streams: where work is put. It is done at once, or kept for a graph while
/// the stream is being captured.
#ifndef AUSPEX_LIB_RUNTIME_STREAMS_H
#define AUSPEX_LIB_RUNTIME_STREAMS_H

#include "Runtime.h"

namespace auspex::cuda {

using Work = std::function<Error()>;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  /// The graph that work goes to instead of being done; null: it is done.
  Graph *capture = nullptr;
  /// Whether the capture began here.
  bool isCaptureOrigin = false;
};

/// The stream behind a handle; the default streams have small numbers as
/// handles. Null if there is none.
Stream *findStream(Stream *handle);
/// Calls \p visit for every stream.
void forEachStream(llvm::function_ref<void(Stream &)> visit);

/// Does \p work in the order of \p handle's stream.
Error enqueue(Stream *handle, Work work);
/// What cannot be part of a graph, such as waiting for a stream: an error while
/// the stream is being captured.
Error checkNotCaptured(Stream *handle);

/// Events that are in \p graph are in none that is being captured.
void endCapture(const Graph &graph);

/// Adds to a graph; returns the node.
GraphNode *addNode(Graph &graph, Work work);

} // namespace auspex::cuda

#endif
