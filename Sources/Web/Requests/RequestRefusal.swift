/// Why a request is not answered with what it asks for.
struct RequestRefusal: Error, Hashable, Sendable {
  let status: Int
  /// A sentence for who reads it, without its end.
  let sentence: String
  var headers: [String: String] = [:]

  init(_ status: Int, _ sentence: String, headers: [String: String] = [:]) {
    (self.status, self.sentence, self.headers) = (status, sentence, headers)
  }

  /// For programs an object, for people a line.
  func content(at path: String) -> HTTPContent {
    var content =
      path.hasPrefix("/api/") ? HTTPContent.failure(status, sentence) : .text(status, [sentence + "."])
    content.headers.merge(headers) { _, own in own }
    return content
  }
}
