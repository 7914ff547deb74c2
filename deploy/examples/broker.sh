# shellcheck shell=bash
# Sourced by the examples. The broker: where the environment says that it is, as for `metafleet` itself. A password on a
# command line is seen by everybody on this machine: put it into ~/.config/mosquitto_sub and ~/.config/mosquitto_pub.
broker=(-h "${METAFLEET_MQTT_HOST:-localhost}" -p "${METAFLEET_MQTT_PORT:-1883}")

# usage: prints the comment at the top of the program, and ends.
usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
  exit 64
}
