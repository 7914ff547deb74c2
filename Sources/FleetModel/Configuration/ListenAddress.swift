/// Where a server awaits connections: an address of this computer with a port, or a socket in the file system.
public enum ListenAddress: Hashable, Sendable {
  /// An address of IPv4 or IPv6, without brackets, and a port from 0 (any that is free) to 65 535.
  case internet(String, port: UInt16)
  /// The absolute path of a socket.
  case unix(String)

  /// The word for nowhere.
  static let none = "none"
  /// This computer alone, at the port that Prometheus' list of exporters leaves free.
  static let loopback = ListenAddress.internet("127.0.0.1", port: 9_464)
  /// The kernel's limit of a socket's path, in bytes.
  private static let longestPath = 107

  /// Reads `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464` or `unix:/run/metafleet/http.sock`; nil for anything else.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= Self.longestPath, !path.hasSuffix("/") else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard Self.isIPv6(host) else { return nil }
    } else if host == "localhost" {
      host = "127.0.0.1"
    } else {
      guard Self.isIPv4(host) else { return nil }
    }
    self = .internet(host, port: port)
  }

  /// Whether only programs on this computer reach it.
  public var isLocal: Bool {
    switch self {
    case .internet(let host, _): host.hasPrefix("127.") || host == "::1"
    case .unix: true
    }
  }

  /// Whether it is a socket in the file system, whose file rights decide who reaches it.
  public var isSocket: Bool { if case .unix = self { true } else { false } }

  /// Four numbers from 0 to 255 without needless zeros.
  package static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part).map { "\($0)" == part } == true
      }
  }

  /// Digits, letters to f, colons and dots, as addresses of IPv6 are written; the system has the last word.
  package static func isIPv6(_ text: some StringProtocol) -> Bool {
    text.utf8.count >= 2 && text.utf8.count <= 45 && text.contains(":")
      && text.allSatisfy { $0 == ":" || $0 == "." || $0.isASCII && $0.isHexDigit }
  }
}

extension ListenAddress: CustomStringConvertible {
  /// As it is written in the file.
  public var description: String {
    switch self {
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
