/// Which consumer gets the value of which form of read (protocol reference 2.2 and 14.2).
enum ReadForm {
  static let loud: UInt8 = 0x80
  static let silent: UInt8 = 0xC0

  enum Consumer {
    case processor
    case logger
  }

  /// Sources of signals that a consumer on `source` may have to do with: both forms of a read.
  static func accepted(for source: SignalSource) -> [SignalSource] {
    guard source.register & loud != 0 else { return [source] }
    return [loud, silent].map {
      SignalSource(module: source.module, register: $0 | source.register & 0x3F, index: source.index)
    }
  }

  /// Whether a consumer created on `source` gets what comes from `signal`.
  static func reaches(
    _ source: SignalSource, from signal: SignalSource, as consumer: Consumer, on board: Mainboard
  ) -> Bool {
    guard source.module == signal.module, source.index == signal.index else { return false }
    guard source.register & loud != 0 else { return source.register == signal.register }
    if isStrict(on: board) {
      return source.register == signal.register
        && signal.register & silent == (consumer == .processor ? loud : silent)
    }
    return source.register & 0x3F == signal.register & 0x3F && signal.register & loud != 0
  }

  private static func isStrict(on board: Mainboard) -> Bool {
    switch board.assumptions.readRouting {
    case .byFirmware: board.model.firmware(isAtLeast: 1, 7)
    case .strict: true
    case .lenient: false
    }
  }
}
