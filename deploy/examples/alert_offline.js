#!/usr/bin/env node
// Prints a line when a board goes offline or comes back: because it is, or because its gateway is.
//   ./alert_offline.js
const client = require('./broker').connect()

const known = { board: {}, gateway: {} }
const last = {}

client.subscribe(['metafleet/board/+/availability', 'metafleet/gateway/+/availability'], { qos: 1 })
client.on('message', (topic, payload) => {
  const [, kind, id] = topic.split('/')
  known[kind][id] = payload.length ? JSON.parse(payload) : {} // empty: it was forgotten
  for (const [board, says] of Object.entries(known.board)) {
    // The will of a gateway that crashed is all that speaks: its boards' own topics stay as they were.
    const gateway = known.gateway[says.gw]
    const { state = 'forgotten', reason = '' } =
      gateway && gateway.state !== 'online' ? { state: 'offline', reason: `gateway ${says.gw}` } : says
    if (state !== (last[board] || 'online')) console.log(new Date().toTimeString().slice(0, 8), board, state, reason)
    last[board] = state
  }
})
