// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events. The time between two is what passed on the host: the emulation's,
// which says nothing of a GPU. Predictions are what `auspex run` prints.
#include "Streams.h"

#include <set>

namespace auspex::cuda {

struct Event {
  unsigned flags = 0;
  std::optional<double> timeInSeconds;
  /// Whether the event was last recorded into a graph; and into which, as long
  /// as that is being captured.
  bool isCaptured = false;
  Graph *capture = nullptr;
};

} // namespace auspex::cuda

using namespace auspex::cuda;

static constexpr unsigned DisableTiming = 2;

static std::set<Event *> &events() {
  static auto *all = new std::set<Event *>;
  return *all;
}

static bool exists(Event *event) { return events().count(event) != 0; }

void auspex::cuda::endCapture(const Graph &graph) {
  for (Event *event : events())
    if (event->capture == &graph)
      event->capture = nullptr;
}

AUSPEX_CUDA Error cudaEventCreateWithFlags(Event **handle, unsigned flags) {
  return call([&](Runtime &) {
    constexpr unsigned AllFlags = 7;
    if (!handle || flags > AllFlags)
      return InvalidValue;
    *handle = new Event;
    (*handle)->flags = flags;
    events().insert(*handle);
    return Success;
  });
}

AUSPEX_CUDA Error cudaEventCreate(Event **handle) {
  return cudaEventCreateWithFlags(handle, 0);
}

AUSPEX_CUDA Error cudaEventDestroy(Event *event) {
  return call([&](Runtime &) {
    if (!events().erase(event))
      return InvalidResourceHandle;
    delete event;
    return Success;
  });
}

AUSPEX_CUDA Error cudaEventRecordWithFlags(Event *event, Stream *handle,
                                           unsigned) {
  return call([&](Runtime &runtime) {
    Stream *stream = findStream(handle);
    if (!stream || !exists(event))
      return InvalidResourceHandle;
    event->capture = stream->capture;
    event->isCaptured = stream->capture != nullptr;
    if (!stream->capture)
      event->timeInSeconds = runtime.nowInSeconds();
    return Success;
  });
}

AUSPEX_CUDA Error cudaEventRecord(Event *event, Stream *stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

static Error wait(Event *event) {
  return call([&](Runtime &) {
    if (!exists(event))
      return InvalidResourceHandle;
    return event->isCaptured ? CapturedEvent : Success;
  });
}

AUSPEX_CUDA Error cudaEventSynchronize(Event *event) { return wait(event); }
AUSPEX_CUDA Error cudaEventQuery(Event *event) { return wait(event); }

/// A stream that waits for an event of a capture joins the capture.
AUSPEX_CUDA Error cudaStreamWaitEvent(Stream *handle, Event *event, unsigned) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream || !exists(event))
      return InvalidResourceHandle;
    if (!event->isCaptured)
      return Success;
    if (!event->capture)
      return CapturedEvent;
    if (stream->capture && stream->capture != event->capture)
      return StreamCaptureMerge;
    stream->capture = event->capture;
    return Success;
  });
}

AUSPEX_CUDA Error cudaEventElapsedTime(float *milliseconds, Event *start,
                                       Event *end) {
  return call([&](Runtime &) {
    if (!milliseconds)
      return InvalidValue;
    if (!exists(start) || !exists(end) || !start->timeInSeconds ||
        !end->timeInSeconds || ((start->flags | end->flags) & DisableTiming))
      return InvalidResourceHandle;
    *milliseconds =
        static_cast<float>(1e3 * (*end->timeInSeconds - *start->timeInSeconds));
    return Success;
  });
}

AUSPEX_CUDA Error cudaEventElapsedTime_v2(float *milliseconds, Event *start,
                                          Event *end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
