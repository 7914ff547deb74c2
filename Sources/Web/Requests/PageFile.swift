internal import CPage
internal import FleetModel

/// A file of the page, which is part of the program. It holds nothing of the fleet.
package struct PageFile: Hashable, Sendable {
  package let path: String
  let type: String
  let bytes: [UInt8]
  /// Another one for other bytes.
  let tag: String

  init(_ path: String, type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
    tag = "\"\(Hex.string(SHA256.digest(of: bytes).prefix(16)))\""
  }

  /// All there are, in the order of the table.
  package static let all: [PageFile] = {
    var files: [PageFile] = []
    while let file = cpage_at(UInt32(files.count))?.pointee {
      files.append(
        PageFile(
          String(cString: file.path), type: String(cString: file.type), Array(String(cString: file.text).utf8)
        ))
    }
    return files
  }()

  private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

  static func at(_ path: String) -> PageFile? { byPath[path] }

  /// What it is answered with; nothing new where the reader has these bytes already, by what its header If-None-Match
  /// says.
  func content(known tags: String?) -> HTTPContent {
    let isKnown =
      tags.map { $0.split(separator: ",").contains { Self.plain($0) == tag || $0 == "*" } } ?? false
    var content = HTTPContent(isKnown ? 304 : 200, type, isKnown ? [] : bytes)
    content.headers = [
      "Content-Security-Policy": Self.policy, "Cache-Control": "no-cache", "ETag": tag,
    ]
    return content
  }

  /// What a page of ours may do: load what is ours, and nothing else.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  /// Without the spaces around it, and without the sign of a weak one.
  private static func plain(_ tag: Substring) -> Substring {
    let text = tag.drop { $0 == " " }.prefix { $0 != " " }
    return text.hasPrefix("W/") ? text.dropFirst(2) : text
  }
}
