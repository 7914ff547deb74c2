import FleetModel

/// When an X.509 certificate expires: the one value that is read of it (RFC 5280, 4.1). Pure; whatever the bytes are.
enum CertificateExpiry {
  /// `bytes` is the certificate in DER; nil where they are none.
  static func of(_ bytes: [UInt8]) -> Timestamp? {
    var outer = Reader(bytes[...])
    guard var certificate = outer.sequence(), var signed = certificate.sequence() else { return nil }
    if signed.nextTag == 0xA0 { _ = signed.next() }
    // Serial number, algorithm, issuer.
    for _ in 0..<3 where signed.next() == nil { return nil }
    guard var validity = signed.sequence(), validity.next() != nil, let end = validity.next() else {
      return nil
    }
    return time(end)
  }

  /// `491231235959Z`, of the years 1950 to 2049, or `20501231235959Z`.
  private static func time(_ element: (tag: UInt8, content: ArraySlice<UInt8>)) -> Timestamp? {
    let digits = element.content.dropLast()
    guard element.content.last == UInt8(ascii: "Z"), digits.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    var text = String(decoding: digits, as: UTF8.self)
    switch (element.tag, digits.count) {
    case (0x17, 12): text = (text < "50" ? "20" : "19") + text
    case (0x18, 14): break
    default: return nil
    }
    let parts = [4, 2, 2, 2, 2, 2].map { count in
      defer { text.removeFirst(count) }
      return text.prefix(count)
    }
    let date = "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])"
    guard case .at(let time) = Since(argument: date) else { return nil }
    return time
  }

  /// Reads elements of DER one after the other.
  private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var nextTag: UInt8? { rest.first }

    mutating func sequence() -> Reader? {
      guard nextTag == 0x30 else { return nil }
      return next().map { Reader($0.content) }
    }

    mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
      guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
      var length = Int(first)
      if first >= 0x80 {
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), rest.count >= count else { return nil }
        length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
      }
      guard rest.count >= length else { return nil }
      defer { rest = rest.dropFirst(length) }
      return (tag, rest.prefix(length))
    }
  }
}
