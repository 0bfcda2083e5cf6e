# interrupt.sh SIGNAL FOLDER COMMAND...: sends the signal to the command while
# its clang reads FOLDER/pipe.h, and fails if FOLDER/temporaries is not empty
# then, or fills again when the pipe has come to its end.
signal=$1 folder=$2
shift 2
isEmpty() { [ -z "$(ls "$folder/temporaries")" ]; }
set -m # so that the command heeds an interrupt
exec 9<>"$folder/pipe.h"
TMPDIR=$folder/temporaries "$@" 9>&- &
command=$!
reads() { ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c "$folder/pipe.h"; }
for _ in $(seq 300); do
  [ "$(reads)" -gt 1 ] && break
  sleep 0.1
done
[ "$(reads)" -gt 1 ] && ! isEmpty || { echo "it reads nothing"; exit 1; }
kill -$signal $command
wait $command
for _ in $(seq 50); do
  [ "$(reads)" -eq 1 ] && break
  sleep 0.1
done
exec 9>&-
sleep 0.2
isEmpty || { ls "$folder/temporaries"; exit 1; }
