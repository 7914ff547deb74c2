/// A number of things: `no errors`, `1 error`, `2 entries`.
package enum CountText {
  /// `many` is the plural where it is not `one` with an s.
  package static func of(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count == 0 ? "no" : "\(count)") \(many ?? one + "s")"
  }

  package static func entries(_ count: Int) -> String { of(count, "entry", "entries") }
}
