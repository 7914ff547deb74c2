package import EventLoops
package import FleetModel

/// Serves pages of a gateway on a loop of its own, whose thread makes them: the gateway only tells how it is, at most
/// once a second for each page. Where it listens may change while it serves.
package actor HTTPServer {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// What is published is said here, for whoever watches.
  package nonisolated let streams = EventStreams()
  private let loop: EventLoop
  private let limits: ServerLimits
  private let progress: LoopProgress
  private let wanted: AsyncStream<PageView>
  private let feed: AsyncStream<PageView>.Continuation
  private let asked: AsyncStream<Asked>
  private let askedFeed: AsyncStream<Asked>.Continuation
  private var plan: ListenPlan
  private var rule: RequestRule
  private var token: AccessToken?
  private var daemon: HTTPDaemon?
  private var socket: ListenSocket?
  private var lastChange: ListenReport.Change?

  private struct Asked: Sendable {
    let number: UInt
    let request: WebRequest
  }

  /// Opens nothing before `proceed`. `token` is what `configuration` names.
  package init(
    _ configuration: HTTPConfiguration, token: AccessToken? = nil, on loop: EventLoop, progress: LoopProgress,
    within limits: ServerLimits = ServerLimits()
  ) {
    (self.loop, self.progress, self.limits, self.token) = (loop, progress, limits, token)
    (plan, rule) = (ListenPlan(configuration), RequestRule(configuration, token: token))
    (wanted, feed) = AsyncStream.makeStream()
    (asked, askedFeed) = AsyncStream.makeStream()
  }

  /// Serves as `configuration` says, at once if that can be had; `now` is how long the process runs.
  package func change(
    to configuration: HTTPConfiguration, token: AccessToken? = nil, at now: Duration
  ) -> ListenReport {
    self.token = token
    // Another token counts at once, also where nothing else is another.
    if plan.serving == configuration { rule = RequestRule(configuration, token: token) }
    plan.want(configuration)
    lastChange = nil
    return proceed(at: now)
  }

  /// Does what is due at `now`: an address may come after us, with its interface, or be taken by a process that is
  /// about to end.
  package func proceed(at now: Duration) -> ListenReport {
    do throws(ListenFailure) {
      switch plan.step(at: now) {
      case .rest: return ListenReport()
      case .wait(let pause): return ListenReport(pause: pause)
      case .close: close()
      case .adjust: try socket?.allow(mode: plan.wanted.socketMode)
      case .open(let address): try open(address, mode: plan.wanted.socketMode)
      case .replace(let address): try replace(with: address)
      }
    } catch {
      plan.failed(at: now, servesOn: daemon != nil)
      return report(.failed(error, serving: socket?.address), at: now)
    }
    plan.succeeded(at: socket?.address)
    rule = RequestRule(plan.wanted, token: token)
    return report(socket.map { .listening($0.address) } ?? .closed, at: now)
  }

  private func report(_ change: ListenReport.Change, at now: Duration) -> ListenReport {
    var report = ListenReport(change: change, isRepeated: change == lastChange)
    lastChange = change
    if case .wait(let pause) = plan.step(at: now) { report.pause = pause }
    return report
  }

  /// Gives up the place of now first, and takes it again where the other one cannot be had.
  private func replace(with address: ListenAddress) throws(ListenFailure) {
    let (place, mode) = (socket?.address, plan.serving?.socketMode ?? "")
    close()
    do throws(ListenFailure) { try open(address, mode: plan.wanted.socketMode) } catch {
      if let place { try? open(place, mode: mode) }
      throw error
    }
  }

  /// Listens at a place, and only there from then on.
  private func open(_ address: ListenAddress, mode: String) throws(ListenFailure) {
    let opened = try ListenSocket.open(address, mode: mode)
    guard let daemon = daemon(on: opened) else {
      opened.remove()
      throw ListenFailure(
        "\(opened.address)", "libmicrohttpd does not start",
        advice: "let the process have more open files, or memory")
    }
    close()
    (self.daemon, socket) = (daemon, opened)
  }

  private func daemon(on socket: ListenSocket) -> HTTPDaemon? {
    let (progress, feed, askedFeed, loop) = (progress, feed, askedFeed, loop)
    let wake: @Sendable () -> Void = { [weak self] in self?.assumeIsolated { $0.daemon?.proceed() } }
    streams.whenReady { loop.execute(wake) }
    return HTTPDaemon(
      listening: socket.descriptor, on: loop, within: limits, streams: streams,
      HTTPDaemon.Handlers(
        judge: { [weak self] request, now in
          self?.assumeIsolated { $0.rule.judge(request, at: now) } ?? .refuse(HTTPDaemon.ending)
        },
        content: { view in
          switch view.page {
          case .health: HealthReport(progress.silence).content
          case .style: StyleSheet.content
          case .metrics, .readiness, .status, .documents, .verbs: nil
          }
        },
        make: { feed.yield($0) }, ask: { askedFeed.yield(Asked(number: $0, request: $1)) }, wake: wake))
  }

  private func close() {
    daemon?.close()
    socket?.remove()
    (daemon, socket) = (nil, nil)
  }

  /// Makes pages and answers until `stop`, or until it is cancelled.
  package func run(_ source: WebSource) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.makePages(of: source) }
      for await one in asked {
        group.addTask { await self.complete(one.number, await source.answer(one.request)) }
      }
    }
  }

  private func makePages(of source: WebSource) async {
    for await view in wanted {
      let content =
        switch view.page {
        case .metrics: MetricsPage.content(await source.snapshot(), showsNames: view.showsNames)
        case .readiness: ReadinessReport(await source.snapshot().readiness).content
        case .documents: await source.documents()
        case .verbs: source.verbs((plan.serving ?? plan.wanted).commands)
        case .status, .health, .style: StatusPage.content(await source.snapshot())
        }
      daemon?.complete(view, content)
    }
  }

  private func complete(_ number: UInt, _ answer: WebAnswer) { daemon?.complete(number, answer) }

  /// Ends all connections, and serves nothing more.
  package func stop() {
    feed.finish()
    askedFeed.finish()
    close()
  }
}
