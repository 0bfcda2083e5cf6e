#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Predicts the CUDA sources of a git repository at a commit and as they are now,
# and asks the gate whether a launch got slower.
#
#   auspex-gate.sh BASE [option of auspex gate]...
#
# The environment may say more:
#   AUSPEX_GPUS     GPUs, separated by spaces     (default: A100-40GB)
#   AUSPEX_SOURCES  git pathspecs of the sources  (default: *.cu)
#   AUSPEX_LAUNCHES a launches file, in the repository
#   AUSPEX_FLAGS    flags of clang, separated by spaces
#   AUSPEX_FOLDER   where the predictions stay, in base and head
#   AUSPEX          the program                   (default: auspex)
#
# Exit codes are those of auspex gate: 0 fine, 1 slower, 2 it could not be said.
# Pathspecs are git's to expand.
set -uf

fail() {
  echo "auspex-gate: $*" >&2
  exit 2
}

[ $# -ge 1 ] || fail "which commit is to be compared with? auspex-gate.sh BASE"
base=$1
shift
auspex=${AUSPEX:-auspex}
start=$PWD
root=$(git rev-parse --show-toplevel) || fail "this is no git repository"
# A hook's environment names the repository and its index, for all commands:
# also for those on the other work tree that is made here.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)
git -C "$root" rev-parse --quiet --verify "$base^{commit}" >/dev/null ||
  fail "there is no commit '$base'; a shallow clone has to be fetched deeper"
folder=$(mktemp -d) || exit 2
case ${AUSPEX_FOLDER:-} in
'') documents=$folder ;;
/*) documents=$AUSPEX_FOLDER ;;
*) documents=$start/$AUSPEX_FOLDER ;;
esac
clean() {
  git -C "$root" worktree remove --force "$folder/source" 2>/dev/null
  rm -rf "$folder"
}
trap clean EXIT
trap 'exit 2' HUP INT TERM

# predict SIDE: the sources in the current folder, one document each.
predict() {
  side=$1
  rm -rf "${documents:?}/$side"
  mkdir -p "$documents/$side"
  # A side without sources is a side without kernels.
  echo '{"schemaVersion": 1, "predictions": []}' >"$documents/$side/none.json"
  # Words of their own: lists separated by spaces.
  # shellcheck disable=SC2086
  git -c core.quotePath=false ls-files -- ${AUSPEX_SOURCES:-'*.cu'} >"$folder/sources" || return 1
  number=0
  while IFS= read -r source; do
    [ -f "$source" ] || continue
    number=$((number + 1))
    set --
    for gpu in ${AUSPEX_GPUS:-A100-40GB}; do
      set -- "$@" --gpu "$gpu"
    done
    [ -z "${AUSPEX_LAUNCHES:-}" ] || set -- "$@" --launches "$AUSPEX_LAUNCHES"
    # shellcheck disable=SC2086
    "$auspex" predict "$source" "$@" --format=json \
      -o "$documents/$side/$number.json" -- ${AUSPEX_FLAGS:-} </dev/null || return 1
  done <"$folder/sources"
}

git -C "$root" worktree add --quiet --detach "$folder/source" "$base" || exit 2
cd "$folder/source" || exit 2
predict base || fail "$base cannot be predicted"
cd "$root" || exit 2
predict head || fail "the sources cannot be predicted"
"$auspex" gate "$documents/base" "$documents/head" "$@"
