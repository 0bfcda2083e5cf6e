# interrupt.sh SIGNAL FOLDER COMMAND...: sends the signal to the command while
# its clang reads FOLDER/pipe.h, and fails if FOLDER/temporaries is not empty
# then, or fills again when the pipe has come to its end.
signal=$1 folder=$2
shift 2
isEmpty() { [ -z "$(ls "$folder/temporaries")" ]; }
fail() { echo "$1"; kill -KILL $command $child 2>/dev/null; exit 1; }
set -m
exec 9<>"$folder/pipe.h"
TMPDIR=$folder/temporaries "$@" 9>&- &
command=$! child=
for _ in $(seq 300); do
  for candidate in $(cat /proc/$command/task/*/children 2>/dev/null); do
    ls -l /proc/$candidate/fd 2>/dev/null | grep -q pipe.h && child=$candidate
  done
  [ -n "$child" ] && break
  sleep 0.1
done
[ -n "$child" ] || fail "nobody reads the pipe"
isEmpty && fail "there are no temporary files"
kill -$signal $command
wait $command
for _ in $(seq 300); do
  kill -0 $child 2>/dev/null || break
  sleep 0.1
done
kill -0 $child 2>/dev/null && fail "clang goes on"
exec 9>&-
isEmpty || fail "$(ls "$folder/temporaries")"
