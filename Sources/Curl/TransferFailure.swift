/// Why a transfer brought nothing: in a sentence for the operator, with what to do about it.
package enum TransferFailure: Error, Hashable, Sendable {
  /// The address cannot be used.
  case unusable(String)
  /// The server's name cannot be looked up, or nobody answers there.
  case unreachable(String)
  /// No connection came about in time, TLS included.
  case silent(Duration)
  /// Not done in time: of the whole transfer.
  case late(Duration)
  /// Nobody whom we trust has signed the server's certificate: what the library says.
  case untrusted(String)
  /// The server is not the one that is meant, does not speak TLS, or cannot be judged.
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
    case .unusable(let address): "\(address) is no address of https; it has to begin with https://"
    case .unreachable(let cause): cause
    case .silent(let limit):
      "there was no connection within \(limit.components.seconds) s; check the address and its port, the network and firewalls"
    case .late(let limit):
      "it was not done within \(limit.components.seconds) s; the server or the line is too slow now, try again later"
    case .untrusted(let said): "the server's certificate is signed by nobody who is trusted here (\(said))"
    case .insecure(let cause): cause
    case .status(404): "the server has no such file (HTTP 404); check the address"
    case .status(let status) where status >= 500:
      "the server is in trouble (HTTP \(status)); that is for those who run it, and it is tried again later"
    case .status(let status):
      "the server refuses it (HTTP \(status)); check the address, and whether it wants a login, which is not possible"
    case .tooLarge(let limit):
      "it has more than \(limit) bytes, which nothing of the kind has; check the address"
    case .misdirected(let cause): cause
    case .broken(let cause): cause
    case .cancelled: "it was cancelled"
    }
  }
}
