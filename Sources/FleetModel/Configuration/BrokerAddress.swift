/// Where a broker is, as people write it: `broker`, `broker:1884`, `::1`, `[::1]:1884`, `mqtt://broker` (fault F253).
/// Pure.
package struct BrokerAddress: Hashable, Sendable {
  /// A name, or an address without brackets.
  package private(set) var host: String
  /// nil: not said.
  package private(set) var port: Int?
  /// Whether it is spoken to with TLS; nil: not said.
  package private(set) var isSecure: Bool?

  /// Why a text is none, and what to write, behind "must be a host name or address".
  package struct Fault: Error, Hashable {
    /// Begins with a word of its own.
    package let text: String
  }

  private static let schemes = ["mqtt": false, "tcp": false, "mqtts": true, "ssl": true, "tls": true]

  /// Takes what is certain apart.
  package init(_ text: String) throws(Fault) {
    var rest = text.drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    var scheme: Substring?
    if let mark = rest.firstRange(of: "://") {
      scheme = rest[..<mark.lowerBound]
      rest = rest[mark.upperBound...]
      // Behind a scheme an empty path is none.
      if rest.last == "/" { rest.removeLast() }
    }
    var alone = rest.prefix { $0 != "/" && $0 != "?" }
    let hasMore = alone.count != rest.count
    let user = alone.lastIndex(of: "@")
    if let user { alone = alone[alone.index(after: user)...] }
    (host, port) = try Self.parts(of: alone)
    guard !host.isEmpty else { throw Fault(text: "and not empty") }
    guard !host.contains(where: { $0.isWhitespace }) else { throw Fault(text: "without blanks") }
    if let scheme {
      guard let isSecure = Self.schemes[scheme.lowercased()] else {
        throw Fault(
          text:
            "of MQTT over TCP, and not of \(PrintableText.quoted(String(scheme))), which has another port: write \(PrintableText.quoted(host))"
        )
      }
      self.isSecure = isSecure
    }
    if user != nil { throw Fault(text: "without a user, who is mqtt.username: write \(advice)") }
    if hasMore { throw Fault(text: "without a path: write \(advice)") }
  }

  /// What to write instead, quoted: with the port, if it was said.
  package var advice: String {
    guard let port else { return PrintableText.quoted(host) }
    return PrintableText.quoted(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
  }

  private static func parts(of text: Substring) throws(Fault) -> (host: String, port: Int?) {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { throw Fault(text: "with a bracket at its end, too") }
      let behind = text[text.index(after: end)...]
      let host = String(text[text.index(after: text.startIndex)..<end])
      if behind.isEmpty { return (host, nil) }
      return (host, try port(in: behind, of: host))
    }
    // More than one colon is an address of IPv6.
    guard text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") else {
      return (String(text), nil)
    }
    let host = String(text[..<colon])
    return (host, try port(in: text[colon...], of: host))
  }

  private static func port(in text: Substring, of host: String) throws(Fault) -> Int {
    guard text.first == ":", let port = Int(text.dropFirst()), (1...65_535).contains(port),
      text.dropFirst().first != "+"
    else {
      throw Fault(
        text: "and a port a number from 1 to 65535: write \(PrintableText.quoted(host)), and mqtt.port")
    }
    return port
  }
}
