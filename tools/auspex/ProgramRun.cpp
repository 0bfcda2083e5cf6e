// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProgramRun.h"

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace auspex;
using Clock = std::chrono::steady_clock;

/// The environment of this process with \p added in it: what was there under
/// the same name goes.
static std::vector<std::string>
makeEnvironment(llvm::ArrayRef<std::pair<std::string, std::string>> added) {
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable) {
    llvm::StringRef name = llvm::StringRef(*variable).split('=').first;
    if (llvm::none_of(added,
                      [&](const auto &own) { return own.first == name; }))
      variables.push_back(*variable);
  }
  for (const auto &[name, value] : added)
    variables.push_back(name + "=" + value);
  return variables;
}

/// \p path in front of the list of paths that the variable \p name holds.
static std::pair<std::string, std::string> inFront(const char *name,
                                                   const std::string &path) {
  const char *rest = std::getenv(name);
  return {name, rest && *rest ? path + ":" + rest : path};
}

static std::string describe(int status) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0
               ? ""
               : "exited with " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  return "killed by signal " + std::to_string(signal) + " (" +
         strsignal(signal) + ")";
}

namespace {

/// Waits for a child, for an interrupt and for the time to run out.
class Watch {
public:
  explicit Watch(pid_t child) : child(child) {
    sigemptyset(&signals);
    for (int signal : {SIGCHLD, SIGINT, SIGTERM})
      sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, &before);
  }
  ~Watch() { sigprocmask(SIG_SETMASK, &before, nullptr); }

  std::string waitUntil(std::optional<Clock::time_point> limit,
                        const std::string &limitText) {
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      int signal = waitForSignal(limit);
      // Who is stopped and goes on has waited for nothing.
      if (signal == SIGCHLD || (signal < 0 && errno == EINTR))
        continue;
      // The program has a while to write its record. Who signals a process and
      // its group, as timeout does, means it once.
      constexpr std::chrono::seconds Grace(10), OneInterrupt(1);
      bool isLast = !reason.empty();
      if (isLast && signal > 0 && Clock::now() < told + OneInterrupt)
        continue;
      told = Clock::now();
      reason = signal < 0 && reason.empty() ? limitText : "interrupted";
      limit = Clock::now() + Grace;
      kill(child, isLast ? SIGKILL : SIGINT);
    }
    return reason.empty() ? describe(status) : reason;
  }

private:
  pid_t child;
  sigset_t signals, before;
  /// Why it was told to stop, and when.
  std::string reason;
  Clock::time_point told;

  /// The signal that came, or -1 when the time is over or, with errno EINTR,
  /// something else woke us.
  int waitForSignal(std::optional<Clock::time_point> limit) const {
    if (!limit)
      return sigwaitinfo(&signals, nullptr);
    auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::max(Clock::duration(0), *limit - Clock::now()))
                    .count();
    constexpr int64_t Second = 1000000000;
    timespec time{left / Second, left % Second};
    return sigtimedwait(&signals, nullptr, &time);
  }
};

} // namespace

llvm::Expected<ProgramEnd> auspex::runToItsEnd(const ProgramRun &run,
                                               llvm::StringRef libraries) {
  const std::string &name = run.command.front();
  auto program = llvm::sys::findProgramByName(name);
  if (!program || !llvm::sys::fs::can_execute(*program))
    return makeInputError({name, 0, ""}, "there is no such program");
  auto added = run.environment;
  added.push_back(inFront("LD_LIBRARY_PATH", libraries.str()));
  added.push_back(inFront("LD_PRELOAD", libraries.str() + "/libauspexrt.so"));
  std::vector<std::string> environment = makeEnvironment(added);
  std::vector<llvm::StringRef> arguments(run.command.begin(),
                                         run.command.end()),
      variables(environment.begin(), environment.end());

  std::string problem;
  bool failed = false;
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      *program, arguments, llvm::ArrayRef(variables), {}, 0, &problem, &failed);
  if (failed)
    return makeInputError({name, 0, ""}, "it does not run: " + problem);
  std::optional<Clock::time_point> limit;
  if (run.timeLimitInSeconds > 0)
    limit = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(run.timeLimitInSeconds));
  char text[64];
  snprintf(text, sizeof(text), "stopped after %g s", run.timeLimitInSeconds);
  return ProgramEnd{Watch(process.Pid).waitUntil(limit, text)};
}
