#!/bin/bash
# Prints a value as it is measured: the board, seconds since 1970, the value. At most ten a second come on the live lane.
#
#   ./watch.sh acceleration az_g                             of every board
#   ./watch.sh temperature-die temperature_c c0ffee000001    of one

. "$(dirname "$0")/broker.sh"
[ $# -ge 2 ] || usage

mosquitto_sub "${broker[@]}" -t "metafleet/board/${3:-+}/live/$1" \
  | jq -r --unbuffered --arg field "$2" '"\(.board) \(.ts_ms / 1000) \(.[$field])"'
