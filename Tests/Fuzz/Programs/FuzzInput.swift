import FleetModel

/// The bytes that decide what happens; when they are used up, every further one is 0.
struct FuzzInput: Sendable {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// From 0 to less than `count`.
  mutating func number(below count: Int) -> Int { count > 0 ? Int(byte()) % count : 0 }

  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }

  /// At most `count` bytes.
  mutating func some(_ count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// All that is left.
  mutating func rest() -> [UInt8] { some(bytes.count) }

  /// Gives every second byte to somebody else, so that short inputs, too, say something to both.
  mutating func share() -> FuzzInput {
    let all = Array(bytes)
    bytes = stride(from: 0, to: all.count, by: 2).map { all[$0] }[...]
    return FuzzInput(stride(from: 1, to: all.count, by: 2).map { all[$0] })
  }
}
