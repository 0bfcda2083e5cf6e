// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler of signals may do next to nothing: it sets the flag that stops the
// launch and wakes a thread, which does the rest.
#include "Signals.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

using namespace auspex::cuda;

static int wakeUp[2];
static std::atomic<bool> *stopFlag = nullptr;
static constexpr int Handled[] = {SIGINT, SIGTERM, SIGABRT};

static void handle(int signal) {
  int before = errno;
  stopFlag->store(true);
  char number = static_cast<char>(signal);
  ssize_t written = write(wakeUp[1], &number, 1);
  // abort() ends the program when this returns.
  while (signal == SIGABRT && written == 1)
    pause();
  errno = before;
}

/// A child of the program has no thread that waits, and shares the pipe with
/// its parent's.
static void restoreInChild() {
  for (int signal : Handled) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == handle)
      std::signal(signal, SIG_DFL);
  }
}

static void waitForSignal(Runtime &runtime) {
  char number = 0;
  ssize_t got;
  do
    got = read(wakeUp[0], &number, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1) // the program has closed what it did not open
    return;
  if (number != SIGABRT) {
    // Held until the launch has stopped.
    std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    runtime.recorder.addProblem("The program was interrupted.");
    runtime.recorder.write();
  } else if (std::unique_lock<std::recursive_mutex> lock(runtime.mutex,
                                                         std::try_to_lock);
             lock) {
    // Who aborts within the runtime keeps it.
    runtime.recorder.write();
  }
  std::signal(number, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, number);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  kill(getpid(), number);
}

void auspex::cuda::writeRecordOnSignals(Runtime &runtime) {
  if (pipe2(wakeUp, O_CLOEXEC) != 0)
    return;
  stopFlag = &runtime.stop;
  pthread_atfork(nullptr, nullptr, restoreInChild);
  for (int signal : Handled) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL)
      continue;
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
  // The program's signals are the program's: this thread takes none.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &previous);
  std::thread([&runtime] { waitForSignal(runtime); }).detach();
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}
