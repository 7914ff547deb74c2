/// What is said of bootloaders.
extension FaultLine {
  /// The words behind the boards; nil for a command about something else.
  static func bootloader(
    _ verb: FaultVerb, _ words: inout ArraySlice<String>
  ) throws(FaultProblem) -> BootloaderDefect? {
    switch verb {
    case .dfuJump: return .jump(try choice(&words, of: verb), try count(&words, of: verb))
    case .dfuLate: return .late(try span(&words, of: verb))
    case .dfuErase: return .erasing(try span(&words, of: verb))
    case .dfuAnswer:
      let request = try request(&words, of: verb)
      let status = try status(&words, of: verb)
      return .answer(request, status, try count(&words, of: verb))
    case .dfuReceipts: return .receipt(try choice(&words, of: verb), try count(&words, of: verb))
    case .dfuDrop: return .linkLost(percent: try number(&words, 0...100, of: verb))
    case .dfuDropAfter: return .linkLostAfter(try request(&words, of: verb), try count(&words, of: verb))
    case .dfuFlip: return .flippedBit(try count(&words, of: verb))
    case .dfuDie: return .powerLost(percent: try number(&words, 0...100, of: verb))
    case .dfuActivation: return .activation(try choice(&words, of: verb), try count(&words, of: verb))
    case .dfuJam: return .jam(try choice(&words, of: verb), try count(&words, of: verb))
    case .dfuBuffer: return .buffer(try number(&words, 1...1000, of: verb))
    default: return nil
    }
  }

  private static func request(
    _ words: inout ArraySlice<String>, of verb: FaultVerb
  ) throws(FaultProblem) -> BootloaderRequest {
    let word = try word(&words, of: verb)
    guard let request = BootloaderRequest.allCases.first(where: { $0.word == word }) else {
      throw misuse(of: verb)
    }
    return request
  }

  /// Nil for no answer.
  private static func status(
    _ words: inout ArraySlice<String>, of verb: FaultVerb
  ) throws(FaultProblem) -> BootloaderStatus? {
    let word = try word(&words, of: verb)
    if word == FaultVerb.silence { return nil }
    guard let status = BootloaderStatus.allCases.first(where: { $0.word == word }) else {
      throw misuse(of: verb)
    }
    return status
  }
}
