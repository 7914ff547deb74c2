internal import CCurl

extension TransferFailure {
  /// What libcurl's `code` means; `detail` is what it said. Pure.
  init(code: CURLcode, detail: String, request: TransferRequest) {
    let said = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      self = .unreachable(
        "the name of the server cannot be looked up; check the address and the network (\(said))")
    case CURLE_COULDNT_CONNECT:
      self = .unreachable("nobody answers there; check the address, the network and firewalls (\(said))")
    case CURLE_OPERATION_TIMEDOUT:
      self =
        Self.isWithoutConnection(said)
        ? .silent(min(request.connectTimeout, request.timeout)) : .late(request.timeout)
    case CURLE_PEER_FAILED_VERIFICATION: self = Self.certificateCause(said)
    case CURLE_SSL_CACERT_BADFILE:
      let file = request.authorities ?? "the system's authorities"
      self = .insecure("the file of trusted authorities cannot be read, or holds none: \(file)")
    case CURLE_SSL_CONNECT_ERROR:
      self = .insecure("the server does not speak TLS as we do (\(said)); check the port of the address")
    case CURLE_TOO_MANY_REDIRECTS:
      self = .misdirected(
        "the server redirects more than \(TransferRequest.mostRedirects) times, maybe in a circle; check the address"
      )
    case CURLE_UNSUPPORTED_PROTOCOL:
      self = .misdirected(
        "the server redirects to an address that is not https, which is not followed; name an address of https"
      )
    case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(request.largestSize)
    case CURLE_URL_MALFORMAT: self = .unusable(request.address)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      self = .broken("the server ended the connection in the middle (\(said)); try again later")
    default: self = .broken(said)
    }
  }

  /// The library has one code for all times that pass: in its words it tells which.
  private static func isWithoutConnection(_ said: String) -> Bool {
    ["Resolving timed out", "Connection timed out", "SSL connection timeout"].contains { said.hasPrefix($0) }
  }

  private static func certificateCause(_ said: String) -> TransferFailure {
    let text = said.lowercased()
    if text.contains("expired") || text.contains("not yet valid") {
      return .insecure(
        "the server's certificate has expired, or this machine's clock is wrong; check the clock (date)")
    }
    if text.contains("subject name") || text.contains("host name") {
      return .insecure("the server's certificate is for another name; check the address")
    }
    return .untrusted(said)
  }
}
