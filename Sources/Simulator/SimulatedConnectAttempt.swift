import BoardKit
import FleetModel

/// One attempt to connect over the simulated air.
struct SimulatedConnectAttempt: Sendable {
  let board: BoardID
  let adapter: AdapterID
  /// By uptime.
  let deadline: Duration

  /// Makes the link, or says why not. Cancelling the task abandons the attempt.
  func run(by radio: isolated SimulatedRadio) async throws(LinkFailure) -> any BoardLink {
    radio.adapters.attempts += 1
    radio.updateDiscovery()
    defer {
      radio.adapters.attempts -= 1
      radio.updateDiscovery()
    }
    let owner = radio.links.owner
    // The link of somebody who is no more: to connect is to take it over.
    if radio.isUsable, let number = radio.links.takeOver(board.address, via: adapter) {
      return SimulatedLink(board: board, adapter: adapter, number: number, radio: radio)
    }
    try check(by: radio)
    switch radio.air.attempt(on: board.address) {
    case .silence:
      try await radio.timekeeper.pause(radio.air.conditions.connectTimeout, until: deadline)
      throw LinkFailure(.unreachable, "le-connection-abort-by-local")
    case .refused(let delay):
      try await radio.timekeeper.pause(delay, until: deadline)
      throw LinkFailure(.refused, "le-connection-abort-by-local")
    case .opens(let delay):
      try await radio.timekeeper.pause(delay, until: deadline)
      if radio.boards.advertisement(at: board.address) == nil {
        try await radio.timekeeper.pause(radio.air.conditions.connectTimeout, until: deadline)
        throw LinkFailure(.unreachable, "le-connection-abort-by-local")
      }
      try check(by: radio)
      let number = linkUp(by: radio, of: owner)
      do {
        try await radio.timekeeper.pause(radio.air.discoveryTime(), until: deadline)
      } catch {
        radio.end(number, error)
        _ = radio.links.takeFailure(of: number)
        throw error
      }
      if let failure = radio.links.takeFailure(of: number) { throw failure }
      return SimulatedLink(board: board, adapter: adapter, number: number, radio: radio)
    }
  }

  private func check(by radio: isolated SimulatedRadio) throws(LinkFailure) {
    guard radio.isRunning else { throw LinkFailure(.serviceGone, "the simulation is not running") }
    try radio.adapters.require(adapter)
    try radio.links.requireRoom(for: board.address, on: adapter, slots: radio.air.conditions.slots)
  }

  private func linkUp(by radio: isolated SimulatedRadio, of owner: Int) -> UInt64 {
    let number = radio.links.add(board.address, via: adapter, of: owner)
    if let life = radio.air.linkLife() { radio.agenda.set(.loss(link: number), at: radio.uptime + life) }
    radio.report(.connection(board, adapter, isConnected: true))
    radio.change(board.address) { board, now in board.connected(at: now) }
    return number
  }
}

extension Timekeeper {
  /// A stage of an attempt to connect. Throws at once when cancelled, and at the deadline if that comes first.
  fileprivate func pause(_ duration: Duration, until deadline: Duration) async throws(LinkFailure) {
    let isLate = uptime + duration > deadline
    do {
      try await sleep(for: min(duration, deadline - uptime))
    } catch {
      throw LinkFailure(.closed, "the attempt was cancelled")
    }
    if isLate { throw LinkFailure(.timedOut, "no link within the time allowed") }
  }
}
