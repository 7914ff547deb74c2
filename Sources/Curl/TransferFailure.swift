/// Why a transfer brought nothing: in a sentence for the operator, with what to do about it.
package enum TransferFailure: Error, Hashable, Sendable {
  /// The address cannot be used.
  case unusable(String)
  /// The server's name cannot be looked up, or nobody answers there.
  case unreachable(String)
  /// Not done in time: of the whole transfer.
  case late(Duration)
  /// The server cannot be trusted, or does not speak TLS.
  case insecure(String)
  /// The server answered with this HTTP status.
  case status(Int)
  /// More bytes than asked for.
  case tooLarge(Int)
  /// Redirected too often, or to somewhere that is not https.
  case misdirected(String)
  /// It ended in the middle, or something else went wrong on the way.
  case broken(String)
  case cancelled
}

extension TransferFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unusable(let address): "\(address) is no address of https"
    case .unreachable(let cause): cause
    case .late(let limit): "it was not done within \(limit.components.seconds) s"
    case .insecure(let cause): cause
    case .status(404): "the server has no such file (HTTP 404); check the address"
    case .status(let status) where status >= 500:
      "the server is in trouble (HTTP \(status)); that is for those who run it, and it is tried again later"
    case .status(let status): "the server refuses it (HTTP \(status))"
    case .tooLarge(let limit): "it has more than \(limit) bytes, which nothing of the kind has"
    case .misdirected(let cause): cause
    case .broken(let cause): cause
    case .cancelled: "it was cancelled"
    }
  }
}
