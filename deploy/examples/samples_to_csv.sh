#!/bin/bash
# Prints every sample of a stream as CSV: microseconds since 1970, board, number, fields.
#
#   ./samples_to_csv.sh acceleration ax_g ay_g az_g > samples.csv

. "$(dirname "$0")/broker.sh"
[ $# -ge 2 ] || usage
stream=$1
shift
fields=$(printf '%s\n' "$@" | jq -Rnc '[inputs]')

jq -nr --argjson fields "$fields" '["ts_us", "board", "seq", $fields[]] | @csv'
# While this program is away, the broker keeps what comes under the session's name (-i, -c, -q 1).
mosquitto_sub "${broker[@]}" -i "csv-sh-$stream" -c -q 1 \
  -t "metafleet/board/+/record/$stream" -t "metafleet/board/+/log/$stream" \
  | jq -r --unbuffered --argjson fields "$fields" '
    . as $batch | range($batch.count) as $n | $batch.samples[$n] as $sample
    | [$sample.ts_us, $batch.board, $batch.seq + $n, $sample[$fields[]]] | @csv'
