/// What a request says, as far as anything here goes by it.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// Without the query, escapes as they came.
  package var path: String
  /// Every header `Host` there is.
  package var hosts: [String]
  /// Whether something follows the headers.
  package var hasBody: Bool
  /// Whether it comes from this computer.
  package var isLocal: Bool

  package init(
    _ method: String, _ path: String, hosts: [String], hasBody: Bool = false, isLocal: Bool = true
  ) {
    (self.method, self.path, self.hosts) = (method, path, hosts)
    (self.hasBody, self.isLocal) = (hasBody, isLocal)
  }
}
