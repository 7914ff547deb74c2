#!/usr/bin/env node
// Sends a command to a board and waits for its final reply. Exit status 0: done; 1: failed or unknown; 2: no final reply.
//   ./command.js c0ffee000001 led '{"color": "green"}'
//   ./command.js c0ffee000001 led '{"color": "green"}' ID    the same once more: it runs at most once, whatever was lost
const { randomUUID } = require('crypto')
const broker = require('./broker')

const [board, verb, args, id = randomUUID()] = broker.arguments(3)
const request = JSON.stringify({ id, args: JSON.parse(args) })
const client = broker.connect({ resubscribe: false })

client.on('connect', () => {
  // The reply may come at once, so the subscription comes first.
  client.subscribe(`metafleet/board/${board}/reply/${verb}`, { qos: 1 }, () => {
    client.publish(`metafleet/board/${board}/cmd/${verb}`, request, { qos: 1 })
  })
})
client.on('message', (topic, payload) => {
  const reply = JSON.parse(payload)
  if (reply.id !== id) return
  console.log(JSON.stringify(reply))
  if (['done', 'failed', 'unknown'].includes(reply.stage)) process.exit(reply.stage === 'done' ? 0 : 1)
})
setTimeout(() => {
  console.error(`no final reply within a minute; ask again with the id ${id}`)
  process.exit(2)
}, 60000)
