import EventLoops
import Fleet
import FleetModel
import Logging
import Web

/// What the gateway shows over HTTP. On a loop of its own: whatever is asked of it holds up nothing else, and it can
/// say that something else stands still.
struct WebFace: Sendable {
  let loop: EventLoop
  private let server: HTTPServer
  private let progress = LoopProgress()
  private let waker = TaskWaker()
  private let timekeeper: any Timekeeper
  private let log: Logger

  /// Opens nothing yet. `loops` are those whose progress `/healthz` tells.
  init(
    _ configuration: HTTPConfiguration, following loops: [EventLoop], timekeeper: any Timekeeper, log: Logger
  ) throws(CommandLineFailure) {
    (self.timekeeper, self.log) = (timekeeper, log)
    loop = try EventLoop.named("web")
    for loop in loops { progress.follow(loop) }
    server = HTTPServer(configuration, on: loop, progress: progress)
  }

  /// Shows `gateway` until it is cancelled.
  func run(showing gateway: Gateway) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await listen() }
      group.addTask { await follow(gateway) }
      group.addTask { await server.run { await FleetObservation.snapshot(of: gateway) } }
    }
  }

  /// Serves as another configuration says; the sentences are what of it cannot be had.
  func change(to configuration: HTTPConfiguration) async -> [String] {
    let report = await server.change(to: configuration, at: timekeeper.uptime)
    write(report)
    waker.wake()
    return report.trouble.map { [$0] } ?? []
  }

  private func listen() async {
    while !Task.isCancelled {
      let report = await server.proceed(at: timekeeper.uptime)
      write(report)
      await waker.sleep(atMost: report.pause, by: timekeeper)
    }
    await server.stop()
  }

  private func write(_ report: ListenReport) {
    guard !report.isRepeated else { return }
    switch report.change {
    case .listening(let address):
      log.info("serving metrics, health and the status page", metadata: ["address": "\(address)"])
    case .closed: log.info("metrics, health and the status page are not served any more")
    case .failed: log.warning("\(report.trouble ?? "")")
    case nil: break
    }
  }

  private func follow(_ gateway: Gateway) async {
    while !Task.isCancelled {
      await FleetObservation.reach(gateway)
      progress.note("the gateway")
      do throws(CancellationError) { try await timekeeper.sleep(for: LoopProgress.period) } catch {}
    }
  }
}
