/// Cuts what the laboratory sends into frames.
struct LabFrameReader: Sendable {
  /// The longest frame there is.
  static let limit = 65_536

  private var buffer: [UInt8] = []

  mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// What `next` found.
  enum Outcome: Equatable, Sendable {
    /// Without its length.
    case frame([UInt8])
    /// More has to come first.
    case incomplete
    /// No length that a frame may have: nothing that follows can be understood.
    case nonsense
  }

  mutating func next() -> Outcome {
    guard buffer.count >= 4 else { return .incomplete }
    let length = buffer.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard (1...Self.limit).contains(length) else { return .nonsense }
    guard buffer.count >= 4 + length else { return .incomplete }
    defer { buffer.removeFirst(4 + length) }
    return .frame(Array(buffer[4..<(4 + length)]))
  }
}
