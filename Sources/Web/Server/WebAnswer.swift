package import FleetModel

/// What an answer is that somebody else makes.
package enum WebAnswer: Sendable {
  case content(HTTPContent)
  case download(WebDownload)
}

/// A file that is written while it is sent.
package struct WebDownload: Sendable {
  /// Where its bytes come from, without waiting for any; whoever sends it closes it.
  package var descriptor: Int32
  /// For the header Content-Type.
  package var type: String
  /// What the file is to be called.
  package var name: String
  /// Is called when nothing is read any more, whether it came to its end or not.
  package var finish: @Sendable () -> Void

  package init(_ descriptor: Int32, type: String, name: String, finish: @escaping @Sendable () -> Void) {
    (self.descriptor, self.type, self.name, self.finish) = (descriptor, type, name, finish)
  }

  var headers: [String: String] {
    var content = HTTPContent(200, type, [])
    content.headers["Content-Disposition"] = "attachment; filename=\"\(Self.harmless(name))\""
    return content.allHeaders
  }

  /// Of any name one that no file system and no header stumbles over.
  static func harmless(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar -> Character in
      let isSafe = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isSafe || scalar == "-" || scalar == "." ? Character(scalar) : "_"
    }
    return String(safe.drop { $0 == "." }.prefix(128))
  }
}

/// What somebody asks for that is not there at once.
package enum WebRequest: Sendable {
  case question(Question)
  /// A command as it came, how far it is allowed, and who sent it.
  case command([UInt8], HTTPCommandRule, from: Peer)
}

/// Where what a server shows comes from.
package struct WebSource: Sendable {
  /// How the gateway is.
  package var snapshot: @Sendable () async -> FleetSnapshot
  /// All retained documents by their topics below the base.
  package var documents: @Sendable () async -> HTTPContent
  /// What can be commanded, and what of it over HTTP.
  package var verbs: @Sendable (HTTPCommandRule) -> HTTPContent
  package var answer: @Sendable (WebRequest) async -> WebAnswer

  package init(
    snapshot: @escaping @Sendable () async -> FleetSnapshot,
    documents: @escaping @Sendable () async -> HTTPContent,
    verbs: @escaping @Sendable (HTTPCommandRule) -> HTTPContent,
    answer: @escaping @Sendable (WebRequest) async -> WebAnswer
  ) {
    (self.snapshot, self.documents, self.verbs, self.answer) = (snapshot, documents, verbs, answer)
  }
}
