package import BoardKit
package import FleetModel

/// A board without hardware, whatever its family: attributes, an advertisement, and a life of its own in between.
/// A value without clock and without I/O; radios drive it with the time of their world.
package protocol SimulatedBoard: Sendable {
  /// A random static address.
  var address: BluetoothAddress { get }

  /// Nil while nothing is advertised, as during a connection.
  var advertisement: Advertisement? { get }

  /// What a central finds now; other services after a restart into a bootloader.
  var services: [AttributeService] { get }

  /// The largest packet of the attribute protocol that it agrees to.
  var mtu: UInt16 { get }

  /// When `advance(to:)` next has something to do; nil if nothing happens by itself.
  var nextEvent: Duration? { get }

  /// Lets time pass.
  mutating func advance(to now: Duration) -> [BoardEffect]

  /// A central opened the link.
  mutating func connected(at now: Duration) -> [BoardEffect]

  /// The link is gone, by whatever cause.
  mutating func disconnected(at now: Duration) -> [BoardEffect]

  /// The central switched notifications or indications of a characteristic; those of the last link ended with it.
  mutating func subscribed(_ isOn: Bool, to characteristic: Characteristic, at now: Duration) -> [BoardEffect]

  /// The central wrote a value; effects are what the board does at once because of it.
  mutating func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind, at now: Duration
  ) throws(AttributeError) -> [BoardEffect]

  /// The central reads a value.
  mutating func read(_ characteristic: Characteristic, at now: Duration) throws(AttributeError) -> [UInt8]

  /// Something goes wrong with it.
  mutating func apply(_ boardFault: BoardFault, at now: Duration) -> [BoardEffect]

  /// Somebody does something with it.
  mutating func feel(_ stimulus: Stimulus, at now: Duration) -> [BoardEffect]
}

extension SimulatedBoard {
  /// The smallest that there is, of which 20 bytes are payload.
  static var smallestMTU: UInt16 { 23 }
  static var usualMTU: UInt16 { 247 }

  package var mtu: UInt16 { Self.usualMTU }

  package mutating func feel(_ stimulus: Stimulus, at now: Duration) -> [BoardEffect] { [] }

  package mutating func subscribed(
    _ isOn: Bool, to characteristic: Characteristic, at now: Duration
  ) -> [BoardEffect] { [] }
}

/// What may go wrong with a board by itself.
package enum BoardFault: Equatable, Sendable {
  /// Its processor starts anew, as after a failing supply.
  case reset
  /// Its battery holds so much.
  case battery(percent: Int)
  /// Something inside it goes wrong from now on.
  case defect(BoardDefect)
  /// What went wrong inside it is over: one kind of it, or all.
  case healed(LastingFault.Kind?)
  /// Another host was there, and left its recording running.
  case foreignHost
}

/// What a board does to the world outside, in order.
package enum BoardEffect: Equatable, Sendable {
  /// Whoever carries it drops it if the central did not enable notifications.
  case notify(Characteristic, [UInt8])
  /// The board ends the link by itself.
  case dropLink
  /// What the board advertises, or whether it does, may be different from now on.
  case advertisementChanged
  /// It is at another address from now on. Said by whoever looks after boards, behind whatever else they do.
  case moved(to: BluetoothAddress)
  /// Something to be written down for onlookers, and when it happened.
  case noted(LedgerEntry, at: Duration)
}
