import FleetModel
import Web

extension AccessToken {
  /// The token that the configuration names; nil where it names none. One that cannot be used is never as if there were
  /// none (fault F238).
  static func named(by configuration: HTTPConfiguration) throws(CommandLineFailure) -> AccessToken? {
    guard let file = configuration.tokenFile else { return nil }
    let secret = try SecretFile.firstLine(of: file, as: "token")
    guard let token = AccessToken(secret) else {
      throw CommandLineFailure(
        .configuration,
        "the token cannot be used: the first line of \(file) must have at least \(leastLength) characters of ASCII, "
          + "without spaces; openssl rand -hex 32 makes one")
    }
    return token
  }
}
