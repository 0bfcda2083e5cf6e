// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, and functions of the host in them.
#include "Streams.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex::cuda;

namespace {

/// The last of the handles of the default stream: 0 is that of a launch without
/// one, 1 the legacy stream, 2 the one per thread.
constexpr uintptr_t PerThreadHandle = 2;

struct Streams {
  Stream defaultStream;
  std::vector<std::unique_ptr<Stream>> created;
  uint64_t lastId = 2;
};

} // namespace

static Streams &streams() {
  static Streams *all = new Streams;
  return *all;
}

Stream *auspex::cuda::findStream(Stream *handle) {
  if (reinterpret_cast<uintptr_t>(handle) <= PerThreadHandle)
    return &streams().defaultStream;
  for (const std::unique_ptr<Stream> &stream : streams().created)
    if (stream.get() == handle)
      return handle;
  return nullptr;
}

void auspex::cuda::forEachStream(llvm::function_ref<void(Stream &)> visit) {
  visit(streams().defaultStream);
  for (const std::unique_ptr<Stream> &stream : streams().created)
    visit(*stream);
}

Error auspex::cuda::enqueue(Stream *handle, Work work) {
  Stream *stream = findStream(handle);
  if (!stream)
    return InvalidResourceHandle;
  if (!stream->capture)
    return work();
  addNode(*stream->capture, std::move(work));
  return Success;
}

Error auspex::cuda::checkNotCaptured(Stream *handle) {
  Stream *stream = findStream(handle);
  if (!stream)
    return InvalidResourceHandle;
  return stream->capture ? StreamCaptureUnsupported : Success;
}

static Error create(Stream **handle, unsigned flags, int priority) {
  return call([&](Runtime &) {
    constexpr unsigned NonBlocking = 1;
    if (!handle || flags > NonBlocking)
      return InvalidValue;
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->priority = std::clamp(priority, -5, 0);
    stream->id = ++streams().lastId;
    *handle = stream.get();
    streams().created.push_back(std::move(stream));
    return Success;
  });
}

AUSPEX_CUDA Error cudaStreamCreate(Stream **handle) {
  return create(handle, 0, 0);
}

AUSPEX_CUDA Error cudaStreamCreateWithFlags(Stream **handle, unsigned flags) {
  return create(handle, flags, 0);
}

AUSPEX_CUDA Error cudaStreamCreateWithPriority(Stream **handle, unsigned flags,
                                               int priority) {
  return create(handle, flags, priority);
}

AUSPEX_CUDA Error cudaStreamDestroy(Stream *handle) {
  return call([&](Runtime &) {
    auto found = llvm::find_if(streams().created, [&](const auto &stream) {
      return stream.get() == handle;
    });
    if (found == streams().created.end())
      return InvalidResourceHandle;
    streams().created.erase(found);
    return Success;
  });
}

/// There is nothing to wait for.
AUSPEX_CUDA Error cudaStreamSynchronize(Stream *handle) {
  return call([&](Runtime &) { return checkNotCaptured(handle); });
}

AUSPEX_CUDA Error cudaStreamQuery(Stream *handle) {
  return call([&](Runtime &) { return checkNotCaptured(handle); });
}

/// Sets \p result to something of the stream.
template <class T, class Get>
static Error query(Stream *handle, T *result, Get get) {
  return call([&](Runtime &) {
    Stream *stream = findStream(handle);
    if (!stream)
      return InvalidResourceHandle;
    if (!result)
      return InvalidValue;
    *result = get(*stream);
    return Success;
  });
}

AUSPEX_CUDA Error cudaStreamGetFlags(Stream *handle, unsigned *flags) {
  return query(handle, flags, [](Stream &stream) { return stream.flags; });
}

AUSPEX_CUDA Error cudaStreamGetPriority(Stream *handle, int *priority) {
  return query(handle, priority,
               [](Stream &stream) { return stream.priority; });
}

AUSPEX_CUDA Error cudaStreamGetId(Stream *handle, unsigned long long *id) {
  return query(handle, id, [](Stream &stream) { return stream.id; });
}

AUSPEX_CUDA Error cudaStreamGetDevice(Stream *handle, int *device) {
  return query(handle, device, [](Stream &) { return 0; });
}

// Policies of caches and of waiting change nothing here.
AUSPEX_CUDA Error cudaStreamSetAttribute(Stream *handle, int, const void *) {
  return call([&](Runtime &) {
    return findStream(handle) ? Success : InvalidResourceHandle;
  });
}

AUSPEX_CUDA Error cudaStreamGetAttribute(Stream *handle, int, void *value) {
  return call([&](Runtime &) {
    constexpr size_t SizeOfValue = 64;
    if (!findStream(handle) || !value)
      return InvalidValue;
    std::memset(value, 0, SizeOfValue);
    return Success;
  });
}

AUSPEX_CUDA Error cudaStreamCopyAttributes(Stream *, Stream *) {
  return call([&](Runtime &) { return Success; });
}

AUSPEX_CUDA Error cudaStreamAttachMemAsync(Stream *, void *, size_t, unsigned) {
  return call([&](Runtime &) { return Success; });
}

AUSPEX_CUDA Error cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return call([&](Runtime &) {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = -5;
    return Success;
  });
}

AUSPEX_CUDA Error cudaLaunchHostFunc(Stream *handle, HostFunction function,
                                     void *data) {
  return call([&](Runtime &) {
    if (!function)
      return InvalidValue;
    return enqueue(handle, [=] {
      function(data);
      return Success;
    });
  });
}

AUSPEX_CUDA Error cudaStreamAddCallback(Stream *handle, StreamCallback function,
                                        void *data, unsigned flags) {
  return call([&](Runtime &) {
    if (!function || flags != 0)
      return InvalidValue;
    if (Error error = checkNotCaptured(handle); error != Success)
      return error;
    function(handle, Success, data);
    return Success;
  });
}
