/// How long each step of a transfer may take, and how much of it is on the way.
package enum TransferLimits {
  /// Packets on the way at first, and each time that the bootloader could not take them.
  package static let windows = [10, 4, 1]
  /// The flash is erased meanwhile, which took 37 s on a real board.
  package static let start = Duration.seconds(90)
  package static let initPacket = Duration.seconds(10)
  /// Without a receipt, the bootloader is asked what it has; without an answer to that, it is reset.
  package static let receipt = Duration.seconds(10)
  package static let validation = Duration.seconds(30)
  /// Until the board ends the link behind `activate` or `reset`.
  package static let drop = Duration.seconds(10)

  /// For an image of `bytes`: a second for each thousand, but no less than three minutes.
  package static func image(_ bytes: Int) -> Duration { max(.seconds(180), .seconds(bytes / 1000)) }
}
