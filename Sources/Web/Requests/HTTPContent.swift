package import FleetModel

/// An answer: its status and what it holds. Every answer forbids what pages of ours never do.
package struct HTTPContent: Hashable, Sendable {
  package var status: Int
  package var type: String
  package var bytes: [UInt8]
  /// Headers of this answer alone.
  package var headers: [String: String] = [:]

  package init(_ status: Int, _ type: String, _ bytes: [UInt8]) {
    (self.status, self.type, self.bytes) = (status, type, bytes)
  }

  /// Plain text, a line for each sentence.
  package static func text(_ status: Int, _ lines: [String]) -> HTTPContent {
    HTTPContent(status, "text/plain; charset=utf-8", Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// A value for programs.
  package static func json(_ status: Int, _ value: JSONValue) -> HTTPContent {
    HTTPContent(status, "application/json", JSONWriter.bytes(of: value))
  }

  /// Why there is nothing else, for programs.
  package static func failure(_ status: Int, _ sentence: String) -> HTTPContent {
    json(status, ["error": .string(sentence)])
  }

  /// Headers of every answer: nothing is loaded but our own style, nothing is framed, kept, or told to others; and a
  /// connection is for one request.
  package static let protection = [
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
    "Connection": "close",
  ]

  /// All its headers.
  package var allHeaders: [String: String] {
    headers.merging(Self.protection) { own, _ in own }.merging(["Content-Type": type]) { own, _ in own }
  }
}
