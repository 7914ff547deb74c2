import BoardKit

extension ProtocolFailure {
  /// An answer that is too short or makes no sense.
  static func unreadable(_ reply: [UInt8], as what: String) -> ProtocolFailure {
    .unexpected("the answer \(reply.hex) cannot be read as \(what)")
  }
}
