#!/bin/bash
# Sends a command to a board and waits for its final reply. Exit status 0: done; 1: failed or unknown; 2: no final reply.
#
#   ./command.sh c0ffee000001 led '{"color": "green"}'
#   ./command.sh c0ffee000001 led '{"color": "green"}' ID    the same once more: it runs at most once, whatever was lost

. "$(dirname "$0")/broker.sh"
[ $# -ge 3 ] || usage
id=${4:-$(cat /proc/sys/kernel/random/uuid)}
session=(-i "command-$$-$RANDOM" -q 1 -t "metafleet/board/$1/reply/$2")

# The reply may come at once: the broker keeps it for a session that is subscribed first.
mosquitto_sub "${broker[@]}" "${session[@]}" -c -E || exit 2
mosquitto_pub "${broker[@]}" -q 1 -t "metafleet/board/$1/cmd/$2" -m "{\"id\":\"$id\",\"args\":$3}" || exit 2
status=2
while read -r reply; do
  [ "$(jq -r .id <<< "$reply")" = "$id" ] || continue
  printf '%s\n' "$reply"
  case $(jq -r .stage <<< "$reply") in
    done) status=0 && break ;;
    failed | unknown) status=1 && break ;;
  esac
done < <(exec mosquitto_sub "${broker[@]}" "${session[@]}" -c -W 60)
kill $! 2> /dev/null || true
[ $status -ne 2 ] || echo "no final reply within a minute; ask again with the id $id" >&2
mosquitto_sub "${broker[@]}" "${session[@]}" -E # without -c: the broker forgets the session
exit $status
