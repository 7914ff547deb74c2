import COpenSSL
import EventLoops
import FleetModel
import Glibc

/// A TLS handshake of our own behind one that failed: libmosquitto says little of why. Blocks for as long as it may, so
/// it runs on a thread that has nothing else to do. Sends nothing but the handshake.
struct HandshakeProbe {
  private let configuration: MosquittoConfiguration
  private let deadline: ContinuousClock.Instant

  /// Looks for at most `limit`; the look-up of a name alone may take longer.
  static func run(_ configuration: MosquittoConfiguration, within limit: Duration) -> HandshakeReport {
    let probe = HandshakeProbe(configuration: configuration, deadline: .now + limit)
    // OpenSSL writes as to a file: a peer that is gone would end the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let socket = probe.connect()
    guard socket >= 0 else { return HandshakeReport(outcome: .unclear) }
    defer { close(socket) }
    var report = probe.shakeHands(on: socket)
    report.time = Timestamp(milliseconds: Int64(time(nil)) * 1_000)
    return report
  }

  /// A socket that is connected; -1 where none of the host's addresses answers in time.
  private func connect() -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(configuration.host, "\(configuration.port)", &hints, &list) == 0 else { return -1 }
    defer { freeaddrinfo(list) }
    for case let address? in sequence(first: list, next: { $0?.pointee.ai_next }) {
      let descriptor = socket(
        address.pointee.ai_family,
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard descriptor >= 0 else { continue }
      if Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 {
        return descriptor
      }
      if errno == EINPROGRESS, wait(for: POLLOUT, on: descriptor), Self.isConnected(descriptor) {
        return descriptor
      }
      close(descriptor)
    }
    return -1
  }

  private static func isConnected(_ descriptor: Int32) -> Bool {
    var (failure, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0
  }

  /// Waits until the descriptor is ready; false where it is not in time.
  private func wait(for event: Int32, on descriptor: Int32, until end: ContinuousClock.Instant? = nil) -> Bool
  {
    let left = min(deadline, end ?? deadline) - .now
    guard left > .zero else { return false }
    var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&watched, 1, Int32(clamping: left.wholeMilliseconds)) > 0
  }

  private func shakeHands(on socket: Int32) -> HandshakeReport {
    guard let context = SSL_CTX_new(TLS_client_method()) else { return HandshakeReport(outcome: .unclear) }
    defer { SSL_CTX_free(context) }
    guard prepare(context), let connection = SSL_new(context) else {
      return HandshakeReport(outcome: .unclear)
    }
    defer { SSL_free(connection) }
    let noted = UnsafeMutablePointer<copenssl_faults>.allocate(capacity: 1)
    defer { noted.deallocate() }
    noted.initialize(to: copenssl_faults())
    guard copenssl_expect(connection, configuration.host, isAddress ? 1 : 0, noted) == 1,
      SSL_set_fd(connection, socket) == 1
    else { return HandshakeReport(outcome: .unclear) }
    var report = HandshakeReport(outcome: proceed(connection, on: socket, with: SSL_connect))
    if report.outcome == .agreed { report.outcome = judgement(connection, on: socket) }
    report.faults = (0..<noted.pointee.count).map { index in
      let fault = copenssl_fault_at(noted, index)
      return HandshakeReport.Fault(
        code: Int(fault.code), depth: Int(fault.depth), from: Timestamp(milliseconds: fault.from * 1_000),
        until: Timestamp(milliseconds: fault.until * 1_000))
    }
    report.names = Self.text(atMost: 2_000) { copenssl_peer_names(connection, $0, $1) }
      .split(separator: "\n").prefix(8).map { PrintableText.escaped(String($0)) }
    report.issuer = Self.text(atMost: 200) { copenssl_peer_issuer(connection, $0, Int32($1)) }
    return report
  }

  /// For what follows the handshake; a broker under load takes its time.
  private static let afterword = Duration.seconds(3)

  /// What the broker makes of our certificate. With TLS 1.3 it says so behind the handshake only: by an alert, or by
  /// the tickets for another session that it gives to those whom it accepts. Else it says nothing before we do.
  private func judgement(_ connection: OpaquePointer, on socket: Int32) -> HandshakeReport.Outcome {
    guard SSL_version(connection) >= TLS1_3_VERSION else { return .agreed }
    let end = ContinuousClock.now + Self.afterword
    var byte: UInt8 = 0
    while SSL_SESSION_is_resumable(SSL_get_session(connection)) == 0,
      wait(for: POLLIN, on: socket, until: end)
    {
      ERR_clear_error()
      let result = SSL_read(connection, &byte, 1)
      if result <= 0, SSL_get_error(connection, result) == SSL_ERROR_WANT_READ { continue }
      if case .alert(let number) = Self.outcome(of: Int(copenssl_take_reason())) { return .alert(number) }
      break
    }
    return .agreed
  }

  /// Has what our files hold used; false where OpenSSL does not take one of them, as a handshake without it would tell
  /// of another fault than the one that there is.
  private func prepare(_ context: OpaquePointer) -> Bool {
    defer { ERR_clear_error() }
    guard let tls = configuration.tls else { return true }
    let directory = tls.authorities == nil ? TLSFiles.systemAuthorities : nil
    guard SSL_CTX_load_verify_locations(context, tls.authorities, directory) == 1 else { return false }
    guard let certificate = tls.certificate, let key = tls.key else { return true }
    return SSL_CTX_use_certificate_chain_file(context, certificate) == 1
      && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
  }

  /// Whether the host is a numeric address, which a certificate names otherwise.
  private var isAddress: Bool {
    var bytes = in6_addr()
    return inet_pton(AF_INET, configuration.host, &bytes) == 1
      || inet_pton(AF_INET6, configuration.host, &bytes) == 1
  }

  private func proceed(
    _ connection: OpaquePointer, on socket: Int32, with step: (OpaquePointer) -> Int32
  ) -> HandshakeReport.Outcome {
    while true {
      ERR_clear_error()
      let result = step(connection)
      if result > 0 { return .agreed }
      switch SSL_get_error(connection, result) {
      case SSL_ERROR_WANT_READ: if !wait(for: POLLIN, on: socket) { return .unclear }
      case SSL_ERROR_WANT_WRITE: if !wait(for: POLLOUT, on: socket) { return .unclear }
      case SSL_ERROR_SYSCALL: return .hungUp
      default: return Self.outcome(of: Int(copenssl_take_reason()))
      }
    }
  }

  private static func outcome(of reason: Int) -> HandshakeReport.Outcome {
    // An alert's number stands above a thousand.
    if reason > 1_000 { return .alert(reason - 1_000) }
    if reason == Int(SSL_R_UNEXPECTED_EOF_WHILE_READING) { return .hungUp }
    let plain = [
      SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
      SSL_R_UNEXPECTED_MESSAGE,
    ]
    return plain.contains(Int32(reason)) ? .plain : .unclear
  }

  private static func text(atMost size: Int, _ fill: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      start.pointee = 0
      fill(start, size)
      return String(cString: start)
    }
  }
}
