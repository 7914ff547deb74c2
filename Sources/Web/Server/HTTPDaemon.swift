internal import CMicrohttpd
internal import EventLoops
internal import Glibc

/// libmicrohttpd on a loop: the descriptor that it wants watched, its timer, and requests that wait for their page.
/// Belongs to the actor that owns it.
final class HTTPDaemon {
  /// What the actor hands in.
  struct Handlers {
    /// What becomes of a request.
    let judge: (HTTPRequest) -> RequestRule.Verdict
    /// A page that is there at once; nil for one that must be made.
    let content: (PageView) -> HTTPContent?
    /// A page is to be made.
    let make: (PageView) -> Void
    /// Wakes the actor on the loop's thread: something is ready, or the timer is due.
    let wake: @Sendable () -> Void
  }

  private struct Waiting {
    let connection: OpaquePointer
    let view: PageView
    let since: Duration
    var answer: StoredResponse?
  }

  /// For whoever still waits when it closes.
  static let ending = HTTPContent.text(503, ["Nothing is served here any more."])

  private let loop: EventLoop
  private let limits: ServerLimits
  private let start = ContinuousClock.now
  private let handlers: Handlers
  private var daemon: OpaquePointer?
  private var watch: Watch?
  private var timer: LoopTimer?
  /// Requests that are suspended, or were just resumed, by their numbers.
  private var waiting: [UInt: Waiting] = [:]
  private var lastNumber: UInt = 0
  private var pages: [PageView: StoredResponse] = [:]
  private var freshness = PageFreshness()
  private var ages: ConnectionAges
  private var sockets: [UInt: Int32] = [:]

  /// nil when libmicrohttpd, or the loop, cannot be used; the socket is closed then.
  init?(listening: Int32, on loop: EventLoop, within limits: ServerLimits, _ handlers: Handlers) {
    (self.loop, self.limits, self.handlers) = (loop, limits, handlers)
    ages = ConnectionAges(limit: limits.longestRequest)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let bounds = cmicrohttpd_limits(
      connections: limits.connections,
      connections_per_address: limits.connectionsPerAddress,
      idle_seconds: limits.idleSeconds,
      memory_per_connection: limits.memory)
    guard
      let daemon = cmicrohttpd_start(
        listening, bounds, Self.onRequest, Self.onCompletion, Self.onConnection, context)
    else { return nil }
    self.daemon = daemon
    do {
      watch = try loop.watch(cmicrohttpd_epoll_descriptor(daemon), for: .read) { [wake = handlers.wake] _ in
        wake()
      }
    } catch {
      MHD_stop_daemon(daemon)
      return nil
    }
    arm()
  }

  private var uptime: Duration { start.duration(to: .now) }

  /// Lets libmicrohttpd go on.
  func proceed() {
    guard let daemon else { return }
    let now = uptime
    for number in ages.takeOverdue(at: now) { sockets[number].map { _ = shutdown($0, Int32(SHUT_RDWR)) } }
    giveUp(at: now)
    cmicrohttpd_run(daemon)
    arm()
  }

  /// A page was made.
  func complete(_ view: PageView, _ content: HTTPContent) {
    guard daemon != nil else { return }
    freshness.made(view, at: uptime)
    pages[view] = StoredResponse(content)
    resume { $0.view == view ? pages[view] : nil }
    proceed()
  }

  /// Ends all connections.
  func close() {
    guard let daemon else { return }
    let ending = StoredResponse(Self.ending)
    resume { _ in ending }
    cmicrohttpd_run(daemon)
    watch?.cancel()
    timer?.cancel()
    self.daemon = nil
    MHD_stop_daemon(daemon)
  }

  deinit { close() }

  /// Nobody waits for ever for a gateway that does not answer.
  private func giveUp(at now: Duration) {
    let seconds = limits.longestWait.components.seconds
    let late = StoredResponse(.text(503, ["The gateway has not answered for \(seconds) s."]))
    resume { now - $0.since >= limits.longestWait ? late : nil }
  }

  private func resume(with answer: (Waiting) -> StoredResponse?) {
    for (number, request) in waiting where request.answer == nil {
      guard let answer = answer(request) else { continue }
      waiting[number]?.answer = answer
      MHD_resume_connection(request.connection)
    }
  }

  private func arm() {
    guard let daemon else { return }
    timer?.cancel()
    let own: Int64 = waiting.isEmpty && ages.isEmpty ? -1 : 1_000
    let wanted = [cmicrohttpd_timeout(daemon), own].filter { $0 >= 0 }.min()
    timer = wanted.map { [wake = handlers.wake] in
      loop.schedule(after: .milliseconds($0)) { wake() }
    }
  }

  // From within libmicrohttpd, which may not be run meanwhile.

  private func take(_ connection: OpaquePointer, _ request: HTTPRequest, _ number: inout UInt) -> MHD_Result {
    if number != 0 {
      guard let answer = waiting[number]?.answer else { return cmicrohttpd_hang_up() }
      return cmicrohttpd_answer(connection, answer.status, answer.handle)
    }
    switch handlers.judge(request) {
    case .refuse(let content): return answer(connection, content)
    case .show(let view):
      if let content = handlers.content(view) { return answer(connection, content) }
      let step = freshness.asked(for: view, at: uptime)
      if step == .show, let page = pages[view] {
        return cmicrohttpd_answer(connection, page.status, page.handle)
      }
      lastNumber += 1
      number = lastNumber
      waiting[number] = Waiting(connection: connection, view: view, since: uptime)
      MHD_suspend_connection(connection)
      if step == .make { handlers.make(view) }
      return cmicrohttpd_later()
    }
  }

  private func answer(_ connection: OpaquePointer, _ content: HTTPContent) -> MHD_Result {
    guard let response = StoredResponse(content) else { return cmicrohttpd_hang_up() }
    return cmicrohttpd_answer(connection, response.status, response.handle)
  }

  private func connected(_ connection: OpaquePointer) -> UInt {
    let number = ages.began(at: uptime)
    sockets[number] = cmicrohttpd_socket(connection)
    return number
  }

  private func disconnected(_ number: UInt) {
    ages.ended(number)
    sockets[number] = nil
  }

  private func completed(_ request: UInt) { waiting[request] = nil }

  private static let onRequest: MHD_AccessHandlerCallback = {
    context, connection, path, method, _, _, _, number in
    guard let context, let connection, let path, let method, let number else { return cmicrohttpd_hang_up() }
    let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
    let request = HTTPRequest(
      String(cString: method), String(cString: path), hosts: hosts(of: connection),
      hasBody: hasBody(connection), isLocal: cmicrohttpd_is_local(connection) != 0)
    var known = UInt(bitPattern: number.pointee)
    defer { number.pointee = UnsafeMutableRawPointer(bitPattern: known) }
    return daemon.take(connection, request, &known)
  }

  private static func hosts(of connection: OpaquePointer) -> [String] {
    let host = cmicrohttpd_header(connection, "Host").map { String(cString: $0) } ?? ""
    return Array(repeating: host, count: Int(cmicrohttpd_count(connection, "Host")))
  }

  private static func hasBody(_ connection: OpaquePointer) -> Bool {
    if cmicrohttpd_count(connection, "Transfer-Encoding") > 0 { return true }
    return cmicrohttpd_header(connection, "Content-Length").map { String(cString: $0) != "0" } ?? false
  }

  private static let onCompletion: MHD_RequestCompletedCallback = { context, _, number, _ in
    guard let context, let number else { return }
    Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue().completed(
      UInt(bitPattern: number.pointee))
  }

  private static let onConnection: MHD_NotifyConnectionCallback = { context, connection, number, code in
    guard let context, let connection, let number else { return }
    let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
    if cmicrohttpd_has_begun(code) != 0 {
      number.pointee = UnsafeMutableRawPointer(bitPattern: daemon.connected(connection))
    } else {
      daemon.disconnected(UInt(bitPattern: number.pointee))
    }
  }
}
