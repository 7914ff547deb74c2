/// What is wrong inside a board, until it is used up or healed.
package enum BoardDefect: Hashable, Sendable {
  /// So many writes to a register are acknowledged by the link, and the register keeps what it held.
  case lostWrites(RegisterPlace, Int)
  /// So many reads of a register get no answer.
  case unreadable(RegisterPlace, Int)
  /// So many answers to reads of a register end one byte behind their header.
  case truncated(RegisterPlace, Int)
  /// So many packets of a read-out of the log are lost, while the notices of their pages arrive.
  case lostEntries(Int)
  /// So many of them come twice.
  case doubledEntries(Int)
  /// So many entries of a read-out have a wrong time.
  case damagedTicks(Int)
  /// So many packets of samples are lost, one in four, or come twice.
  case lostSamples(Int)
  case doubledSamples(Int)
  /// So many values that no sensor can measure.
  case impossible(ImpossibleValue, Int)
  /// Well-formed notifications that nobody knows, so many per second.
  case unknownNotifications(Int)
  /// Something is wrong with its bootloader.
  case bootloader(BootloaderDefect)

  package var kind: LastingFault.Kind {
    switch self {
    case .lostWrites: .loseWrite
    case .unreadable: .unreadable
    case .truncated: .truncate
    case .lostEntries: .loseEntries
    case .doubledEntries: .doubleEntries
    case .damagedTicks: .damageTicks
    case .lostSamples: .loseSamples
    case .doubledSamples: .doubleSamples
    case .impossible: .impossibleValues
    case .unknownNotifications: .unknownNotifications
    case .bootloader: .bootloader
    }
  }
}
