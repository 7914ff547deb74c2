/// Whether a request comes from a page of ours, or from no page at all: a page of somebody else may have a browser send
/// requests here, whose answers it cannot read, and which would be done all the same (fault F237). Pure.
enum OriginRule {
  /// `host` is to whom it is addressed. `asDocument`: whether it may come of a link on somebody else's page, as the
  /// page of another gateway has them.
  static func allows(_ request: HTTPRequest, at host: String, asDocument: Bool) -> Bool {
    if let origin = request.headers["origin"]?.lowercased() {
      let host = host.lowercased()
      guard origin == "http://\(host)" || origin == "https://\(host)" else { return false }
    }
    guard let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" else {
      return true
    }
    return asDocument && request.headers["sec-fetch-mode"] == "navigate"
      && request.headers["sec-fetch-dest"] == "document"
  }
}
