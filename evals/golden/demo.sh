#!/usr/bin/env bash
# Judges three recorded sessions with one suite and checks that each exit code is the one it must be.
set -u
audition=${AUDITION:-audition}
suite=datasets/weather.yaml
recordings=tests/recordings/kagent/demo
wrong=0

judge() { # judge SESSION EXPECTED_EXIT WHAT
    echo "== $1: $3"
    "$audition" run "$suite" --session "$recordings/weather-$1.jsonl" ${EVAL_FLAGS:-} 2>/dev/null
    local code=$?
    echo "exit $code, expected $2"
    echo
    [ "$code" -eq "$2" ] || wrong=1
}

judge grounded 0 "the tool was called and its result told"
judge ungrounded 1 "the answer was made up: what requires the tool fails, the allowlist passes"
judge wrong-city 1 "London was asked for and Paris looked up: the arguments fail, nothing else"
exit "$wrong"
