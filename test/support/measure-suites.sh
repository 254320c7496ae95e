#!/usr/bin/env bash
# What suites take, three at a time, for test/support/suites.json: seconds, and how many processors each needs meanwhile.
# What every run costs beside its suite is taken off.
#   bash test/support/measure-suites.sh test/e2e/slow-readers.spec.ts test/fault/driver.spec.ts …
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/node_modules/.bin:$PATH" NODE_OPTIONS=--experimental-vm-modules TIMEFORMAT='%R %U %S'

measure() { { time jest --maxWorkers=1 "$1" >/dev/null 2>&1; } 2>&1; }
export -f measure

run=$(measure src/platform/money.spec.ts)
measured() {
  awk -v suite="${2%.spec.ts}" '{ real = $4 - $1; busy = $5 + $6 - $2 - $3 }
    END { printf "\"%s\": [%.0f, %.1f],\n", suite, real, busy / real }' <<<"$1 $(measure "$2")"
}
export -f measured
printf '%s\0' "$@" | xargs -0 -P 3 -I {} bash -c 'measured "$1" "$2"' _ "$run" {}
