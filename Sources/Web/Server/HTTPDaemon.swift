internal import CMicrohttpd
internal import EventLoops
internal import FleetModel
internal import Glibc

/// libmicrohttpd on a loop: the descriptor that it wants watched, its timer, requests that wait for their answers, and
/// answers that go on and on. Belongs to the actor that owns it.
final class HTTPDaemon {
  /// What the actor hands in.
  struct Handlers {
    /// What becomes of a request that comes after so long.
    let judge: (HTTPRequest, Duration) -> RequestRule.Verdict
    /// A page that is there at once; nil for one that must be made.
    let content: (PageView) -> HTTPContent?
    /// A page is to be made.
    let make: (PageView) -> Void
    /// An answer is to be made for the request of this number.
    let ask: (UInt, WebRequest) -> Void
    /// Wakes the actor on the loop's thread: something is ready, or the timer is due.
    let wake: @Sendable () -> Void
  }

  /// For whoever still waits when it closes.
  static let ending = HTTPContent.text(503, ["Nothing is served here any more."])

  private let loop: EventLoop
  private let limits: ServerLimits
  private let start = ContinuousClock.now
  private let handlers: Handlers
  private let streams: EventStreams
  private var daemon: OpaquePointer?
  private var watch: Watch?
  private var timer: LoopTimer?
  /// Requests that are suspended, were just resumed, or are coming in.
  private var requests = OpenRequests()
  private var pages: [PageView: StoredResponse] = [:]
  private var freshness = PageFreshness()
  /// Of connections, by their numbers.
  private var ages: ConnectionAges
  private var sockets: [UInt: Int32] = [:]
  private var outlets: [UInt: BodyOutlet] = [:]

  /// nil when libmicrohttpd, or the loop, cannot be used; the socket is closed then.
  init?(
    listening: Int32, on loop: EventLoop, within limits: ServerLimits, streams: EventStreams,
    _ handlers: Handlers
  ) {
    (self.loop, self.limits, self.streams, self.handlers) = (loop, limits, streams, handlers)
    ages = ConnectionAges(limit: limits.longestRequest)
    guard let daemon = newDaemon(listening) else { return nil }
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

  private func newDaemon(_ listening: Int32) -> OpaquePointer? {
    let bounds = cmicrohttpd_limits(
      connections: limits.connections,
      connections_per_address: limits.connectionsPerAddress,
      idle_seconds: limits.idleSeconds,
      memory_per_connection: limits.memory)
    return cmicrohttpd_start(
      listening, bounds, Self.onRequest, Self.onCompletion, Self.onConnection,
      Unmanaged.passUnretained(self).toOpaque())
  }

  private var uptime: Duration { start.duration(to: .now) }

  /// Lets libmicrohttpd go on.
  func proceed() {
    guard let daemon else { return }
    let now = uptime
    for number in ages.takeOverdue(at: now) { sockets[number].map { _ = shutdown($0, Int32(SHUT_RDWR)) } }
    giveUp(at: now)
    streams.noteLooked()
    streams.keepAlive(at: now)
    // While a connection rests libmicrohttpd does not see that its other end has left.
    for (number, outlet) in outlets {
      outlet.proceed(hasLeft: sockets[number].map { cmicrohttpd_has_left($0) != 0 } ?? true)
    }
    cmicrohttpd_run(daemon)
    arm()
  }

  /// A page was made.
  func complete(_ view: PageView, _ content: HTTPContent) {
    guard daemon != nil else { return }
    freshness.made(view, at: uptime)
    pages[view] = StoredResponse(content)
    resume { request in
      if case .page(view) = request.stage { pages[view] } else { nil }
    }
    proceed()
  }

  /// An answer was made; who asked for it may have left.
  func complete(_ number: UInt, _ answer: WebAnswer) {
    guard daemon != nil, let request = requests[number], case .answer = request.stage else {
      if case .download(let download) = answer { FlowingFile(download, on: loop) {}.end() }
      return
    }
    switch answer {
    case .content(let content):
      ages.restart(UInt(cmicrohttpd_number(request.connection)), at: uptime)
      StoredResponse(content).map { requests.answer(number, with: $0) }
    case .download(let download):
      let file = FlowingFile(download, on: loop, wake: handlers.wake)
      let response = flow(
        on: request.connection, headers: download.headers, hasMore: { file.hasMore },
        fill: { file.read(into: $0) }, finish: { file.end() })
      response.map { requests.answer(number, with: $0) }
    }
    MHD_resume_connection(request.connection)
    proceed()
  }

  /// Ends all connections.
  func close() {
    guard let daemon else { return }
    let ending = StoredResponse(Self.ending)
    resume { _ in ending }
    for outlet in outlets.values { outlet.end() }
    cmicrohttpd_run(daemon)
    watch?.cancel()
    timer?.cancel()
    self.daemon = nil
    MHD_stop_daemon(daemon)
  }

  deinit { close() }

  /// Nobody waits for ever for a gateway that does not answer.
  private func giveUp(at now: Duration) {
    resume { request in
      let limit: Duration
      switch request.stage {
      case .page: limit = limits.longestWait
      case .answer: limit = limits.longestAnswer
      case .incoming, .answered: return nil
      }
      guard now - request.since >= limit else { return nil }
      return StoredResponse(.text(503, ["The gateway has not answered for \(limit.components.seconds) s."]))
    }
  }

  /// Of those that wait.
  private func resume(with answer: (OpenRequests.Request) -> StoredResponse?) {
    for (number, request) in requests.all {
      switch request.stage {
      case .page, .answer: break
      case .incoming, .answered: continue
      }
      guard let answer = answer(request) else { continue }
      requests.answer(number, with: answer)
      MHD_resume_connection(request.connection)
    }
  }

  private func arm() {
    guard let daemon else { return }
    timer?.cancel()
    let own: Int64 = requests.isEmpty && ages.isEmpty && outlets.isEmpty ? -1 : 1_000
    let wanted = [cmicrohttpd_timeout(daemon), own].filter { $0 >= 0 }.min()
    timer = wanted.map { [wake = handlers.wake] in
      loop.schedule(after: .milliseconds($0)) { wake() }
    }
  }

  /// An answer that goes on and on; what there is of its connection has no end of its own then.
  private func flow(
    on connection: OpaquePointer, headers: [String: String], hasMore: @escaping () -> Bool,
    fill: @escaping (UnsafeMutableRawBufferPointer) -> BodyOutlet.Piece, finish: @escaping () -> Void
  ) -> StoredResponse? {
    let number = UInt(cmicrohttpd_number(connection))
    let outlet = BodyOutlet(connection, hasMore: hasMore, fill: fill) { [weak self] in
      self?.outlets[number] = nil
      finish()
    }
    guard let response = outlet.response(status: 200, headers: headers) else {
      finish()
      return nil
    }
    outlets[number] = outlet
    ages.ended(number)
    cmicrohttpd_let_idle(connection, limits.idleSecondsOfFlows)
    return response
  }

  // From within libmicrohttpd, which may not be run meanwhile.

  private func take(_ request: HTTPRequest, on connection: OpaquePointer, _ number: inout UInt) -> MHD_Result
  {
    switch handlers.judge(request, uptime) {
    case .refuse(let content): return answer(connection, content)
    case .file(let file):
      return answer(connection, file.content(known: request.headers["if-none-match"]))
    case .show(let view): return show(view, on: connection, &number)
    case .stream(let boards): return stream(boards, on: connection)
    case .command(let rule):
      guard requests.answersToCome < limits.answers else { return answer(connection, Self.busy) }
      number = requests.begin(.incoming([], rule, from: request.peer), on: connection, at: uptime)
      return cmicrohttpd_later()
    case .ask(let question):
      guard requests.answersToCome < limits.answers else { return answer(connection, Self.busy) }
      number = requests.begin(.answer, on: connection, at: uptime)
      ages.ended(UInt(cmicrohttpd_number(connection)))
      MHD_suspend_connection(connection)
      handlers.ask(number, .question(question))
      return cmicrohttpd_later()
    }
  }

  private static let busy = HTTPContent.failure(503, "Too much is asked at a time; try again")

  private func show(_ view: PageView, on connection: OpaquePointer, _ number: inout UInt) -> MHD_Result {
    if let content = handlers.content(view) { return answer(connection, content) }
    let step = freshness.asked(for: view, at: uptime)
    if step == .show, let page = pages[view] {
      return cmicrohttpd_answer(connection, page.status, page.handle)
    }
    number = requests.begin(.page(view), on: connection, at: uptime)
    MHD_suspend_connection(connection)
    if step == .make { handlers.make(view) }
    return cmicrohttpd_later()
  }

  private func stream(_ boards: Set<BoardID>, on connection: OpaquePointer) -> MHD_Result {
    guard let id = streams.open(live: boards, at: uptime) else {
      return answer(
        connection, .failure(503, "\(EventStreams.most) pages watch this gateway already; close one"))
    }
    var content = HTTPContent(200, "text/event-stream", [])
    content.headers["X-Accel-Buffering"] = "no"
    let streams = streams
    let response = flow(
      on: connection, headers: content.allHeaders, hasMore: { streams.isReady(id) },
      fill: { [weak self] room in
        guard let self, let piece = streams.take(id, atMost: room.count, at: self.uptime) else { return .end }
        room.copyBytes(from: piece)
        return piece.isEmpty ? .later : .bytes(piece.count)
      }, finish: { streams.close(id) })
    guard let response else { return cmicrohttpd_hang_up() }
    return cmicrohttpd_answer(connection, response.status, response.handle)
  }

  private func answer(_ connection: OpaquePointer, _ content: HTTPContent) -> MHD_Result {
    guard let response = StoredResponse(content) else { return cmicrohttpd_hang_up() }
    return cmicrohttpd_answer(connection, response.status, response.handle)
  }

  /// Part of a command; without bytes it is all there, or the request was resumed.
  private func goOn(_ number: UInt, _ bytes: UnsafeRawBufferPointer) -> MHD_Result {
    guard let request = requests[number] else { return cmicrohttpd_hang_up() }
    if !bytes.isEmpty {
      return requests.append(bytes, to: number) ? cmicrohttpd_later() : cmicrohttpd_hang_up()
    }
    if case .answered(let response) = request.stage {
      return cmicrohttpd_answer(request.connection, response.status, response.handle)
    }
    guard let command = requests.takeCommand(of: number) else { return cmicrohttpd_hang_up() }
    MHD_suspend_connection(request.connection)
    handlers.ask(number, command)
    return cmicrohttpd_later()
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

  private static let onRequest: MHD_AccessHandlerCallback = {
    context, connection, path, method, _, bytes, size, number in
    guard let context, let connection, let path, let method, let size, let number else {
      return cmicrohttpd_hang_up()
    }
    let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
    var known = UInt(bitPattern: number.pointee)
    guard known == 0 else {
      let piece = UnsafeRawBufferPointer(start: bytes, count: size.pointee)
      size.pointee = 0
      return daemon.goOn(known, piece)
    }
    defer { number.pointee = UnsafeMutableRawPointer(bitPattern: known) }
    return daemon.take(
      HTTPRequest(String(cString: method), String(cString: path), of: connection), on: connection, &known)
  }

  private static let onCompletion: MHD_RequestCompletedCallback = { context, _, number, _ in
    guard let context, let number else { return }
    Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
      .requests.end(UInt(bitPattern: number.pointee))
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
