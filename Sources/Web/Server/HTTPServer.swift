package import EventLoops
package import FleetModel

/// Serves pages of a gateway on a loop of its own, whose thread makes them: the gateway only tells how it is, at most
/// once a second for each page.
package actor HTTPServer {
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: EventLoop
  private let rule: RequestRule
  private let limits: ServerLimits
  private let progress: LoopProgress
  private let snapshot: @Sendable () async -> FleetSnapshot
  private let wanted: AsyncStream<PageView>
  private let feed: AsyncStream<PageView>.Continuation
  private var daemon: HTTPDaemon?

  /// Opens nothing yet. `snapshot` tells how the gateway is.
  package init(
    _ configuration: HTTPConfiguration, on loop: EventLoop, progress: LoopProgress,
    within limits: ServerLimits = ServerLimits(), snapshot: @escaping @Sendable () async -> FleetSnapshot
  ) {
    (self.loop, self.progress, self.snapshot) = (loop, progress, snapshot)
    (self.limits, rule) = (limits, RequestRule(configuration))
    (wanted, feed) = AsyncStream.makeStream()
  }

  /// Serves on a socket, which is closed with it. False when libmicrohttpd cannot be used.
  package func listen(on socket: ListenSocket) -> Bool {
    let (rule, progress, feed) = (rule, progress, feed)
    daemon = HTTPDaemon(
      listening: socket.descriptor, on: loop, within: limits,
      HTTPDaemon.Handlers(
        judge: { rule.judge($0) },
        content: { view in
          switch view.page {
          case .health: HealthReport(progress.silence).content
          case .style: StyleSheet.content
          case .metrics, .readiness, .status: nil
          }
        },
        make: { feed.yield($0) },
        wake: { [weak self] in self?.assumeIsolated { $0.daemon?.proceed() } }))
    return daemon != nil
  }

  /// Makes pages until `stop`, or until it is cancelled.
  package func run() async {
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

  /// Ends all connections.
  package func stop() {
    feed.finish()
    daemon?.close()
    daemon = nil
  }
}
