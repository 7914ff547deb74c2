package import FleetModel

/// What we know of a board between two links and across restarts. JSON and the driver's bytes are opaque here.
package struct BoardMemory: Hashable, Sendable {
  package var board: BoardID
  /// What the board family wants back at the next link.
  package var driverMemory: [UInt8] = []
  /// The last interview, as JSON; nil before the first.
  package var description: [UInt8]?
  /// The board's own reset counter when it was last read.
  package var resetID: Int?
  /// When it last started, as far as we can tell.
  package var bootTime: Timestamp?
  /// Resets as this fleet has seen them; `boot` in batches, starts at 1.
  package var bootCount: Int = 1
  /// What verbs have changed of the profile, as JSON; empty for nothing.
  package var overlay: [UInt8] = []
  package var advertisedName: String?
  /// The last LED state set, as JSON.
  package var led: [UInt8]?

  /// Sessions of its streams that went on when the gateway was killed, oldest first; not saved with the others.
  package var cutOff: [OpenStream] = []

  /// Since when nobody wants the board; nil while somebody does. Not saved with the others, but taken back by a save.
  package var leftSince: Timestamp?

  package init(board: BoardID) { self.board = board }
}
