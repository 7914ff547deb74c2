import FleetModel

/// What whoever knows it may do more with. Only its hash is kept, and hashes are compared in a time that tells nothing.
package struct AccessToken: Hashable, Sendable {
  /// Fewer characters could be guessed.
  package static let leastLength = 16

  private let digest: [UInt8]

  /// nil for what is too short, or cannot be written into a header: characters of ASCII without spaces.
  package init?(_ secret: [UInt8]) {
    guard secret.count >= Self.leastLength, secret.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    digest = SHA256.digest(of: secret)
  }

  /// Whether `text` is the token. All bytes of both hashes are looked at, whatever was said.
  func isEqual(to text: some StringProtocol) -> Bool {
    let said = SHA256.digest(of: Array(text.utf8))
    return zip(digest, said).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}
