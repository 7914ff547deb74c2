package import EventLoops
package import FleetModel

/// Serves pages of a gateway on a loop of its own, whose thread makes them: the gateway only tells how it is, at most
/// once a second for each page. Where it listens may change while it serves.
package actor HTTPServer {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: EventLoop
  private let limits: ServerLimits
  private let progress: LoopProgress
  private let wanted: AsyncStream<PageView>
  private let feed: AsyncStream<PageView>.Continuation
  private var plan: ListenPlan
  private var rule: RequestRule
  private var daemon: HTTPDaemon?
  private var socket: ListenSocket?
  private var lastChange: ListenReport.Change?

  /// Opens nothing before `proceed`.
  package init(
    _ configuration: HTTPConfiguration, on loop: EventLoop, progress: LoopProgress,
    within limits: ServerLimits = ServerLimits()
  ) {
    (self.loop, self.progress, self.limits) = (loop, progress, limits)
    (plan, rule) = (ListenPlan(configuration), RequestRule(configuration))
    (wanted, feed) = AsyncStream.makeStream()
  }

  /// Serves as `configuration` says, at once if that can be had; `now` is how long the process runs.
  package func change(to configuration: HTTPConfiguration, at now: Duration) -> ListenReport {
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
    rule = RequestRule(plan.wanted)
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
    let (progress, feed) = (progress, feed)
    return HTTPDaemon(
      listening: socket.descriptor, on: loop, within: limits,
      HTTPDaemon.Handlers(
        judge: { [weak self] request in
          self?.assumeIsolated { $0.rule.judge(request) } ?? .refuse(HTTPDaemon.ending)
        },
        content: { view in
          switch view.page {
          case .health: HealthReport(progress.silence).content
          case .style: StyleSheet.content
          case .metrics, .readiness, .status: nil
          }
        },
        make: { feed.yield($0) },
        wake: { [weak self] in self?.assumeIsolated { $0.daemon?.proceed() } }))
  }

  private func close() {
    daemon?.close()
    socket?.remove()
    (daemon, socket) = (nil, nil)
  }

  /// Makes pages until `stop`, or until it is cancelled. `snapshot` tells how the gateway is.
  package func run(_ snapshot: @Sendable () async -> FleetSnapshot) async {
    for await view in wanted {
      let snapshot = await snapshot()
      let content =
        switch view.page {
        case .metrics: MetricsPage.content(snapshot, showsNames: view.showsNames)
        case .readiness: ReadinessReport(snapshot.readiness).content
        case .status, .health, .style: StatusPage.content(snapshot)
        }
      daemon?.complete(view, content)
    }
  }

  /// Ends all connections, and serves nothing more.
  package func stop() {
    feed.finish()
    close()
  }
}
