/// What is wrong with a bootloader at the moment. A pure value.
struct BootloaderDefects: Sendable {
  /// Later than it should be, which is more than hosts wait.
  static let receiptDelay = Duration.seconds(12)

  private var jumps: [BootloaderDefect.Jump: Int] = [:]
  private var answers: [BootloaderRequest: (status: BootloaderStatus?, left: Int)] = [:]
  private var receipts: [BootloaderDefect.Receipt: Int] = [:]
  private var activations: [BootloaderDefect.Activation: Int] = [:]
  private var jams: [BootloaderDefect.Jam: Int] = [:]
  private var linkLosses: [BootloaderRequest: Int] = [:]
  private var linkLossPercent: Int?
  private var powerLossPercent: Int?
  private var flippedBits = 0
  private(set) var lateness = Duration.zero
  /// Nil: as long as it takes.
  private(set) var erasing: Duration?
  /// Nil: as large as it is.
  private(set) var buffer: Int?

  /// The same again takes the place of what is left of it.
  mutating func add(_ defect: BootloaderDefect) {
    switch defect {
    case .jump(let jump, let count): jumps[jump] = count
    case .late(let time): lateness = time
    case .erasing(let time): erasing = time
    case .answer(let request, let status, let count): answers[request] = (status, count)
    case .receipt(let receipt, let count): receipts[receipt] = count
    case .linkLost(let percent): linkLossPercent = percent
    case .linkLostAfter(let request, let count): linkLosses[request] = count
    case .flippedBit(let count): flippedBits = count
    case .powerLost(let percent): powerLossPercent = percent
    case .activation(let activation, let count): activations[activation] = count
    case .jam(let jam, let count): jams[jam] = count
    case .buffer(let packets): buffer = packets
    }
  }

  mutating func takeJump(_ jump: BootloaderDefect.Jump) -> Bool { Self.use(&jumps, jump) }

  /// What comes of the next activation; nil: what should.
  mutating func takeActivation() -> BootloaderDefect.Activation? {
    BootloaderDefect.Activation.allCases.first { Self.use(&activations, $0) }
  }

  mutating func takeReceipt(_ receipt: BootloaderDefect.Receipt) -> Bool { Self.use(&receipts, receipt) }

  mutating func takeJam(_ jam: BootloaderDefect.Jam) -> Bool { Self.use(&jams, jam) }

  /// How a request is answered instead; nil: as it should be.
  mutating func takeAnswer(to request: BootloaderRequest) -> (status: BootloaderStatus?, left: Int)? {
    guard let answer = answers[request] else { return nil }
    answers[request] = answer.left > 1 ? (answer.status, answer.left - 1) : nil
    return answer
  }

  mutating func losesLink(after request: BootloaderRequest) -> Bool { Self.use(&linkLosses, request) }

  /// Once, when so much has come.
  mutating func losesLink(at percent: Int) -> Bool { Self.use(&linkLossPercent, at: percent) }

  mutating func losesPower(at percent: Int) -> Bool { Self.use(&powerLossPercent, at: percent) }

  mutating func flips() -> Bool {
    guard flippedBits > 0 else { return false }
    flippedBits -= 1
    return true
  }

  private static func use<Key>(_ counts: inout [Key: Int], _ key: Key) -> Bool {
    guard let left = counts[key] else { return false }
    counts[key] = left > 1 ? left - 1 : nil
    return true
  }

  private static func use(_ threshold: inout Int?, at percent: Int) -> Bool {
    guard let wanted = threshold, percent >= wanted else { return false }
    threshold = nil
    return true
  }
}
