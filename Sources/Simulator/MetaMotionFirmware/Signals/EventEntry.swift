/// One entry: a source, and the command that it sets off.
struct EventEntry: Sendable, Equatable {
  /// Copies bytes of the source into the parameters, at run time (protocol reference 15.3).
  private struct Token: Equatable {
    let length: Int
    let sourceOffset: Int
    let destination: Int
  }

  /// Source, command, number of parameters and the token if there is one, as written.
  let header: [UInt8]
  let source: SignalSource
  private(set) var parameters: [UInt8] = []
  private let parameterCount: Int
  private let token: Token?
  private var isComplete: Bool

  /// Nil for a payload of the wrong length or for more parameters than a packet holds.
  init?(_ payload: [UInt8]) {
    guard payload.count == 6 || payload.count == 8, let source = SignalSource(payload),
      Int(payload[5]) <= Packet.maximumLength - 2
    else { return nil }
    header = payload
    self.source = source
    parameterCount = Int(payload[5])
    isComplete = parameterCount == 0
    if payload.count == 8, payload[6] & 0x01 != 0 {
      token = Token(
        length: Int(payload[6] >> 1 & 0x07), sourceOffset: Int(payload[6] >> 4), destination: Int(payload[7]))
    } else {
      token = nil
    }
  }

  /// Parameters of another length than announced leave the entry as it was.
  mutating func complete(with parameters: [UInt8]) {
    guard parameters.count == parameterCount else { return }
    self.parameters = parameters
    isComplete = true
  }

  /// What is to be carried out when the source has fired this value; nil while the parameters are missing. Bytes
  /// that the source or the parameters do not have are not copied.
  func command(for value: [UInt8]) -> Packet? {
    guard isComplete else { return nil }
    var filled = parameters
    if let token {
      for offset in 0..<token.length {
        let (from, to) = (token.sourceOffset + offset, token.destination + offset)
        if from < value.count, to < filled.count { filled[to] = value[from] }
      }
    }
    return Packet([header[3], header[4]] + filled)
  }
}
