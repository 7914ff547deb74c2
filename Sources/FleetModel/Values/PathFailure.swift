/// What is said of a file or directory that cannot be used: its path, what was tried, the kernel's reason, what to do.
package enum PathFailure {
  /// `what` could not be done: read, written, created, opened. `user` is given where permission is the matter.
  package static func text(
    _ path: String, _ what: String, reason: String, deniedTo user: String? = nil
  ) -> String {
    let path = PrintableText.escaped(path)
    guard let user else { return "\(path) cannot be \(what): \(reason)" }
    return "\(path) cannot be \(what) as user \(user): \(reason); try sudo, or change its owner or mode"
  }
}
