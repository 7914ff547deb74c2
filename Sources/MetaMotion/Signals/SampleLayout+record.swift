import BoardKit

/// A layout as bytes, to be kept with the log it describes: a board that has forgotten its loggers is read by it.
///
/// First a version, then the layout: a byte that tells its kind; of numbers their count, their width, their flags,
/// their unit and their scale as IEEE 754; of a record the number of parts and these; of a prefix its kind, its width
/// and what follows it; of a packet the number of samples and one of these.
extension SampleLayout {
  /// Grows when the form changes; a record of another version describes nothing. The second one knows numbers whose
  /// highest byte comes first, and is written where there are some: older gateways read all other logs as before.
  private var version: UInt8 { hasBigEndian ? 2 : 1 }
  private enum Kind: UInt8 { case numbers, record, prefixed, packed }
  /// Deeper layouts do not come out of boards; a damaged record shall not exhaust the stack.
  private static let depthLimit = 6

  /// The record.
  var encoded: [UInt8] { [version] + body }

  private var body: [UInt8] {
    switch self {
    case .numbers(let numbers):
      var bytes = [Kind.numbers.rawValue, UInt8(clamping: numbers.channels), UInt8(clamping: numbers.width)]
      bytes.append(
        (numbers.isSigned ? 1 : 0) | (numbers.isFloat ? 2 : 0) | (numbers.isBigEndian ? 4 : 0))
      bytes.append(UInt8(clamping: Numbers.Unit.allCases.firstIndex(of: numbers.unit) ?? 0))
      bytes.append(number: numbers.scale.bitPattern)
      return bytes
    case .record(let parts):
      return [Kind.record.rawValue, UInt8(clamping: parts.count)] + parts.flatMap(\.body)
    case .prefixed(let prefix, let inner):
      return [Kind.prefixed.rawValue, prefix.kind.rawValue, UInt8(clamping: prefix.width)] + inner.body
    case .packed(let count, let inner): return [Kind.packed.rawValue, UInt8(clamping: count)] + inner.body
    }
  }

  /// Reads a record; nil unless it is whole and of this version.
  init?(encoded: [UInt8]) {
    var rest = encoded.dropFirst()
    guard let layout = Self.layout(&rest, depth: 0), rest.isEmpty, layout.version == encoded.first else {
      return nil
    }
    self = layout
  }

  private static func layout(_ rest: inout ArraySlice<UInt8>, depth: Int) -> SampleLayout? {
    guard depth < depthLimit, let kind = rest.popFirst().flatMap(Kind.init(rawValue:)) else { return nil }
    switch kind {
    case .numbers: return numbers(&rest).map { .numbers($0) }
    case .record:
      guard let count = rest.popFirst(), count > 0 else { return nil }
      var parts: [SampleLayout] = []
      for _ in 0..<count {
        guard let part = layout(&rest, depth: depth + 1) else { return nil }
        parts.append(part)
      }
      return .record(parts)
    case .prefixed:
      guard let kind = rest.popFirst().flatMap(Prefix.Kind.init(rawValue:)), let width = rest.popFirst(),
        (1...4).contains(width), let inner = layout(&rest, depth: depth + 1)
      else { return nil }
      return .prefixed(Prefix(kind: kind, width: Int(width)), inner)
    case .packed:
      guard let count = rest.popFirst(), count > 0, let inner = layout(&rest, depth: depth + 1) else {
        return nil
      }
      return .packed(Int(count), inner)
    }
  }

  private static func numbers(_ rest: inout ArraySlice<UInt8>) -> Numbers? {
    let bytes = Array(rest.prefix(12))
    guard bytes.count == 12, bytes[0] > 0, (1...4).contains(bytes[1]),
      Numbers.Unit.allCases.indices.contains(Int(bytes[3])),
      let scale = bytes.number(at: 4, as: UInt64.self).map(Double.init(bitPattern:)), scale.isFinite,
      scale != 0
    else { return nil }
    rest = rest.dropFirst(12)
    return Numbers(
      channels: Int(bytes[0]), width: Int(bytes[1]), isSigned: bytes[2] & 1 != 0, isFloat: bytes[2] & 2 != 0,
      isBigEndian: bytes[2] & 4 != 0, scale: scale, unit: Numbers.Unit.allCases[Int(bytes[3])])
  }
}
