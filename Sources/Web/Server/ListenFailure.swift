/// Why no requests can be awaited at an address, with what to do. Pure.
package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The system's words alone.
  package let reason: String

  init(_ address: String, _ reason: String, advice: String) {
    self.reason = reason
    description = "nothing can be served at \(address): \(reason); \(advice)"
  }
}
