import BoardKit
import FleetModel

/// Takes the payload of a packet apart, field by field; what is not there is not read, and never trapped over.
struct PayloadReader {
  let packet: [UInt8]
  let context: PacketContext
  private(set) var fields: [PacketExplanation.Field] = []
  private(set) var notes: [String] = []
  private(set) var isShort = false
  private var offset = 2

  init(_ packet: [UInt8], _ context: PacketContext) {
    self.packet = packet
    self.context = context
  }

  /// What nobody has read yet.
  var rest: [UInt8] { Array(packet.dropFirst(offset)) }

  mutating func add(_ name: String, _ value: JSONValue, _ unit: String = "") {
    fields.append(PacketExplanation.Field(name: name, value: value, unit: unit))
  }

  mutating func note(_ text: String) { notes.append(text) }

  /// A whole number of the width of `type`.
  mutating func number<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type, _ unit: String = "") {
    if let number = take(type) { add(name, .integer(Int64(truncatingIfNeeded: number)), unit) }
  }

  /// A whole number that stands for multiples of 1/`scale`.
  mutating func scaled<Number: FixedWidthInteger>(
    _ name: String, _ type: Number.Type, per scale: Double, _ unit: String
  ) {
    if let number = take(type) { add(name, .number((Double(number) / scale * 1e5).rounded() / 1e5), unit) }
  }

  /// A byte that is 0 or not.
  mutating func flag(_ name: String) { if let byte = take(UInt8.self) { add(name, .bool(byte != 0)) } }

  /// A byte that stands for one of several words, by its value.
  mutating func choice(_ name: String, _ words: [String]) {
    guard let byte = take(UInt8.self) else { return }
    add(name, .string(words.indices.contains(Int(byte)) ? words[Int(byte)] : "unknown (\([byte].hex))"))
  }

  /// A byte whose bits have names, the lowest first.
  mutating func bits(_ name: String, _ words: [String]) {
    guard let byte = take(UInt8.self) else { return }
    let set = (0..<8).filter { byte >> $0 & 1 == 1 }
    let named = set.map { words.indices.contains($0) ? words[$0] : "unknown bit \($0)" }
    add(name, .string(named.isEmpty ? "none" : named.joined(separator: ", ")))
  }

  /// The two masks of registers that switch bits on and off.
  mutating func mask(_ words: [String] = []) {
    bits("switched on", words)
    bits("switched off", words)
  }

  /// All that is left, as text.
  mutating func text(_ name: String) {
    let bytes = rest
    guard !bytes.isEmpty else { return isShort = true }
    add(name, .string(String(decoding: bytes, as: UTF8.self)))
    offset = packet.count
  }

  /// Some bytes, or all that is left, as they are.
  mutating func bytes(_ name: String, _ count: Int? = nil) {
    let count = count ?? rest.count
    guard count <= rest.count else { return isShort = true }
    if count > 0 { add(name, .string(rest.prefix(count).map { [$0].hex }.joined(separator: " "))) }
    offset += count
  }

  /// Passes over what was read otherwise.
  mutating func skip(_ count: Int) { offset = min(packet.count, offset + count) }

  /// Passes over what a codec has read; false, and nothing more is read, when it could not.
  mutating func passed(_ count: Int, if isRead: Bool) -> Bool {
    guard isRead, count <= rest.count else {
      isShort = rest.count < count
      return false
    }
    offset += count
    return true
  }

  private mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard !isShort, let number = packet.number(at: offset, as: type) else {
      isShort = true
      return nil
    }
    offset += Number.bitWidth / 8
    return number
  }
}
