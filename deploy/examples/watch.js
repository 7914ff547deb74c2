#!/usr/bin/env node
// Prints a value as it is measured: the board, seconds since 1970, the value. At most ten a second come on the live lane.
//   ./watch.js acceleration az_g                             of every board
//   ./watch.js temperature-die temperature_c c0ffee000001    of one
const broker = require('./broker')

const [stream, field, board = '+'] = broker.arguments(2)
const client = broker.connect()

client.subscribe(`metafleet/board/${board}/live/${stream}`)
client.on('message', (topic, payload) => {
  const sample = JSON.parse(payload)
  console.log(sample.board, sample.ts_ms / 1000, sample[field])
})
