/// What goes wrong with a board's bootloader, or on the way to it and back.
package enum BootloaderDefect: Hashable, Sendable {
  /// What so many jumps into the bootloader come to.
  package enum Jump: String, Hashable, Sendable, CaseIterable {
    /// The application stays, and so does the link.
    case ignored
    /// The application starts again.
    case returned
    /// The board is off the air until it is reset.
    case lost
  }

  /// What becomes of so many receipts.
  package enum Receipt: String, Hashable, Sendable, CaseIterable {
    case lost, doubled, late, wrong
    /// The answer to the last packet of an image is a receipt instead.
    case last
  }

  /// What so many activations come to.
  package enum Activation: String, Hashable, Sendable, CaseIterable {
    /// The image is not marked as valid, and the bootloader starts again.
    case lost
    /// The application that was there before starts.
    case old
    /// The application shows another revision than was sent.
    case other
    /// It starts anew every 20 s.
    case restless
    /// The board is off the air until it is reset, and has no application then.
    case dead
  }

  /// How the bootloader gets stuck, so often.
  package enum Jam: String, Hashable, Sendable, CaseIterable {
    /// A link that ends in the middle of a transfer is followed by a second of advertising, and silence.
    case silent
    /// Behind the start of a transfer nothing is answered any more.
    case wedged
  }

  case jump(Jump, Int)
  /// The bootloader is on the air so much later.
  case late(Duration)
  /// Flash takes so long to be erased, however much it is.
  case erasing(Duration)
  /// So many requests are answered otherwise, or not at all, and not carried out.
  case answer(BootloaderRequest, BootloaderStatus?, Int)
  case receipt(Receipt, Int)
  /// The link is lost once so much of an image has come, in percent.
  case linkLost(percent: Int)
  /// The link is lost behind so many requests of a kind.
  case linkLostAfter(BootloaderRequest, Int)
  /// A bit of so many packets of an image is another one.
  case flippedBit(Int)
  /// The battery is empty once so much of an image has come, in percent.
  case powerLost(percent: Int)
  case activation(Activation, Int)
  case jam(Jam, Int)
  /// So many packets of an image wait for their way into flash.
  case buffer(Int)
}
