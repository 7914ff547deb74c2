import BoardKit
import FleetModel
import Simulator

/// What goes wrong in a seeded run. One that lasts is taken back by itself.
enum SeededFault: Sendable, Equatable {
  // One board.
  case dropLink(BoardID)
  case refuseConnects(BoardID, LinkFailure.Reason, times: Int)
  /// No answer at all, until the daemon gives up.
  case ignoreConnects(BoardID, times: Int)
  /// The link stays up, but nothing comes from the board.
  case mute(BoardID, Duration)
  case vanish(BoardID, Duration)
  case resetBoard(BoardID)
  case lowBattery(BoardID)
  /// Packets the board never ordered, all at once.
  case flood(BoardID, Int)
  case malformed(BoardID, Int)
  /// Its advertisements carry a name that hopes to be taken for something else.
  case evilName(BoardID)
  case pressButton(BoardID)
  /// Something goes wrong with its bootloader, should it come to that.
  case bootloader(BoardID, BootloaderDefect)

  // The radio.
  case delayPackets(Duration)
  case losePackets(Duration)
  case adapterOff(Duration)
  case adapterRemoved(Duration)
  /// Pulled, and back at once under another name.
  case adapterRenamed
  case serviceGone(Duration)

  // The broker.
  case brokerAway(Duration)
  case brokerReset
  case brokerForgets
  case brokerRefuses(Duration)
  /// Messages arrive, acknowledgements do not; then the connection breaks.
  case brokerMute(Duration)
  /// Messages are lost on their way; then the connection breaks.
  case brokerSwallows(Duration)

  // The daemon.
  case kill(downFor: Duration)
  case restart(downFor: Duration)

  // And somebody wants something.
  case command(SeededCommand)
}

extension SeededFault {
  /// The board it happens to; nil where it happens to all.
  var board: BoardID? {
    switch self {
    case .dropLink(let board), .refuseConnects(let board, _, _), .ignoreConnects(let board, _),
      .mute(let board, _), .vanish(let board, _), .resetBoard(let board), .lowBattery(let board),
      .flood(let board, _), .malformed(let board, _), .evilName(let board), .pressButton(let board),
      .bootloader(let board, _):
      board
    case .command(let command): command.board
    default: nil
    }
  }

  /// Whether links over the radio, or the daemon that holds them, may suffer.
  var touchesLinks: Bool {
    switch self {
    case .lowBattery, .evilName, .pressButton, .bootloader, .brokerAway, .brokerReset, .brokerForgets,
      .brokerRefuses,
      .brokerMute, .brokerSwallows:
      false
    case .command(let command): command.endsLink
    default: true
    }
  }
}
