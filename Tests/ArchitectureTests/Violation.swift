/// Where a rule is broken, and how to mend it.
struct Violation: Hashable, CustomStringConvertible {
  let path: String
  let message: String

  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  var description: String { "\(path): \(message)" }
}
