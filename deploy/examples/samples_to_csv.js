#!/usr/bin/env node
// Prints every sample of a stream as CSV: microseconds since 1970, board, number, fields.
//   ./samples_to_csv.js acceleration > samples.csv
const broker = require('./broker')

const [stream] = broker.arguments(1)
// While this program is away, the broker keeps what comes under the session's name.
const client = broker.connect({ clientId: `csv-js-${stream}`, clean: false })
const seen = new Set()
let fields

client.subscribe(['record', 'log'].map(lane => `metafleet/board/+/${lane}/${stream}`), { qos: 1 })
client.on('message', (topic, payload) => {
  const batch = JSON.parse(payload)
  if (seen.has(batch.batch_id)) return // QoS 1 may bring a batch twice, with the same id
  seen.add(batch.batch_id)
  if (!fields) {
    fields = Object.keys(batch.samples[0]).filter(key => key !== 'ts_us')
    console.log(['ts_us', 'board', 'seq', ...fields].join())
  }
  batch.samples.forEach((sample, n) =>
    console.log([sample.ts_us, batch.board, batch.seq + n, ...fields.map(key => sample[key])].join()))
})
