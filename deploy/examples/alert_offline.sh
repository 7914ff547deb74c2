#!/bin/bash
# Prints a line for every board and gateway that is not online, when it goes and when it comes back. Whoever is offline
# when this begins is told at once, for that is what stands on the broker.
#
#   ./alert_offline.sh

. "$(dirname "$0")/broker.sh"

declare -A last=()
mosquitto_sub "${broker[@]}" -q 1 -v -t 'metafleet/board/+/availability' -t 'metafleet/gateway/+/availability' \
  | while IFS=/\  read -r _ kind id _ document; do
    read -r state reason < <(jq -r '"\(.state) \(.reason // "")"' <<< "${document:-{\}}")
    if [ "$state" != "${last[$id]:-online}" ]; then
      printf '%(%H:%M:%S)T %s %s %s %s\n' -1 "$kind" "$id" "$state" "$reason"
    fi
    last[$id]=$state
  done
