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

  /// A floating-point number that stands for multiples of 1/`scale`.
  mutating func float(_ name: String, per scale: Double = 1, _ unit: String) {
    guard let bits = take(UInt32.self) else { return }
    add(name, .number((Double(Float(bitPattern: bits)) / scale * 1e5).rounded() / 1e5), unit)
  }

  /// Some bits of a byte that stand for a number or one of several words.
  struct Part {
    let name: String
    let width: Int
    var words: [String] = []
    var scale = 1.0
    var first = 0.0
    var unit = ""

    init(
      _ name: String, _ width: Int, _ words: [String] = [], from first: Double = 0, by scale: Double = 1,
      _ unit: String = ""
    ) {
      (self.name, self.width, self.words, self.first, self.scale, self.unit) = (
        name, width, words, first, scale, unit
      )
    }

    /// Bits without a meaning.
    static func unused(_ width: Int) -> Part { Part("", width) }
  }

  /// A byte in parts, the lowest bits first.
  mutating func parts(_ parts: Part...) {
    guard var byte = take(UInt8.self) else { return }
    for part in parts {
      let value = Int(byte) & (1 << part.width - 1)
      byte = UInt8(truncatingIfNeeded: Int(byte) >> part.width)
      if part.words.indices.contains(value) {
        add(part.name, .string(part.words[value]), part.unit)
      } else if !part.name.isEmpty {
        let number = ((part.first + Double(value) * part.scale) * 1e5).rounded() / 1e5
        add(part.name, Int64(exactly: number).map { .integer($0) } ?? .number(number), part.unit)
      }
    }
  }

  /// A byte of flags in which a chip tells what it noticed.
  mutating func noticed(by register: DetectorRegister) {
    guard let flags = take(UInt8.self) else { return }
    let events = register.events(flags, length: 3)
    if events.isEmpty { add("seen", "nothing") }
    for case .happened(_, let type, let fields) in events {
      add("seen", .string(type))
      for (key, value) in fields.members where key != "detector" { add(key, value) }
    }
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

  /// A number that may be missing, which FF says.
  mutating func slot(_ name: String) {
    if rest.first == 0xFF { skip(1) } else { number(name, UInt8.self) }
  }

  /// The three bytes that name a signal.
  mutating func signal(_ name: String) {
    let bytes = rest
    guard bytes.count >= 3 else { return self.bytes(name, 3) }
    let module = Module(rawValue: bytes[0])?.name ?? "module \([bytes[0]].hex)"
    let read = bytes[1] & 0xC0 == 0xC0 ? ", read silently" : bytes[1] & 0x80 != 0 ? ", read" : ""
    add(name, .string("\(module), register \([bytes[1] & 0x3F].hex)\(read)"))
    if bytes[2] != 0xFF { add("index", .integer(Int64(bytes[2]))) }
    skip(3)
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
