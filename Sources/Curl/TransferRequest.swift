/// What to fetch, and how long and how much of it at most.
package struct TransferRequest: Hashable, Sendable {
  /// An https address; see `allowsPlainHTTP`.
  package var address: String
  /// A PEM file of the authorities to trust; nil for those of the system.
  package var authorities: String?
  /// In bytes, of the content alone.
  package var largestSize: Int
  /// From the first byte to the last, look-up of the name and redirects included.
  package var timeout = Duration.seconds(60)
  /// Until there is a connection, TLS included.
  package var connectTimeout = Duration.seconds(15)
  /// Whether the address may be of http, which nobody signs. A redirect never may.
  package var allowsPlainHTTP = false

  /// How many redirects are followed.
  package static let mostRedirects = 5

  package init(_ address: String, largestSize: Int) {
    (self.address, self.largestSize) = (address, largestSize)
  }

  /// Whether it is an address at all that may be fetched.
  var isUsable: Bool {
    let text = address.lowercased()
    guard !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return false }
    return text.hasPrefix("https://") && text != "https://" || allowsPlainHTTP && text.hasPrefix("http://")
  }
}
