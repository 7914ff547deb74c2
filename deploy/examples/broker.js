// The broker of the examples: where the environment says that it is, as for `metafleet` itself.
const { readFileSync } = require('fs')
const mqtt = require('mqtt')

const { METAFLEET_MQTT_HOST, METAFLEET_MQTT_PORT, METAFLEET_MQTT_USERNAME, METAFLEET_MQTT_PASSWORD_FILE } = process.env
const login = METAFLEET_MQTT_USERNAME
  ? { username: METAFLEET_MQTT_USERNAME, password: readFileSync(METAFLEET_MQTT_PASSWORD_FILE, 'utf8').split('\n')[0] }
  : {}

/** A client that connects again, and subscribes again, when the broker was away. */
exports.connect = options =>
  mqtt.connect(`mqtt://${METAFLEET_MQTT_HOST || 'localhost'}:${METAFLEET_MQTT_PORT || 1883}`, { ...login, ...options })

/** Ends with the comment at the top of the program when there are fewer arguments. */
exports.arguments = least => {
  const given = process.argv.slice(2)
  if (given.length >= least) return given
  console.error(readFileSync(process.argv[1], 'utf8').split('\n').filter(line => line.startsWith('// ')).join('\n'))
  process.exit(64)
}
