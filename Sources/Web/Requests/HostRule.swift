import FleetModel

/// To whom a request may be addressed. A page of somebody else that makes its own name point to this computer (DNS
/// rebinding) would read ours in a person's browser; it cannot choose the name that the browser sends. Pure.
package struct HostRule: Hashable, Sendable {
  private let names: Set<String>

  /// `names` are allowed besides addresses, `localhost` and what ends in `.local`.
  package init(names: [String] = []) { self.names = Set(names.map { Self.plain($0[...]) }) }

  /// Whether the value of a header `Host` is one of ours: `name`, `name:port`, `[::1]:port`.
  package func allows(_ host: String) -> Bool {
    guard let name = Self.name(in: host) else { return false }
    return name == "localhost" || name.hasSuffix(".local") && name.count > ".local".count
      || ListenAddress.isIPv4(name) || names.contains(name)
      || name.hasPrefix("[") && ListenAddress.isIPv6(name.dropFirst().dropLast())
  }

  /// The part before the port, in lower case; nil where the port is none.
  private static func name(in host: String) -> String? {
    var rest = host[...]
    var name: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[...end]
      rest = rest[rest.index(after: end)...]
    } else {
      name = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(name.count)
    }
    guard rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil, !name.isEmpty else {
      return nil
    }
    return plain(name)
  }

  /// In lower case, without the dot that may end a full name.
  private static func plain(_ name: Substring) -> String {
    (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
  }
}
