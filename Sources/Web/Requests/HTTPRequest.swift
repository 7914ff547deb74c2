/// Who is at the other end of a connection.
package enum Peer: Hashable, Sendable {
  /// Somebody who may use our socket in the file system: its rights have decided.
  case socket
  /// Another program, on this computer or elsewhere.
  case address(String, isLoopback: Bool)

  /// Whether it is a program on this computer.
  package var isLocal: Bool {
    switch self {
    case .socket: true
    case .address(_, let isLoopback): isLoopback
    }
  }
}

extension Peer: CustomStringConvertible {
  package var description: String {
    switch self {
    case .socket: "socket"
    case .address(let text, _): text
    }
  }
}

/// What a request says, as far as anything here goes by it.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// Without the query, escapes as they came.
  package var path: String
  /// What the query says, without escapes; of a name that comes twice, the last.
  package var query: [String: String]
  /// Every header `Host` there is.
  package var hosts: [String]
  /// All headers by their names in lower case. What comes twice stands in one, and fits nothing that is asked for.
  package var headers: [String: String]
  package var peer: Peer

  package init(
    _ method: String, _ path: String, query: [String: String] = [:], hosts: [String],
    headers: [String: String] = [:], peer: Peer
  ) {
    (self.method, self.path, self.query, self.hosts) = (method, path, query, hosts)
    (self.headers, self.peer) = (headers, peer)
  }

  /// How many bytes follow the headers; nil where nobody says so beforehand.
  package var bodySize: Int? {
    if headers["transfer-encoding"] != nil { return nil }
    return headers["content-length"].map { Int($0) } ?? 0
  }

  /// Whether somebody has handed it on: then the peer is not who asks.
  var isForwarded: Bool {
    headers.keys.contains { $0 == "forwarded" || $0 == "x-real-ip" || $0.hasPrefix("x-forwarded-") }
  }

  /// Whether it comes from this computer, as far as anybody can know.
  var isLocal: Bool { peer.isLocal && !isForwarded }
}
