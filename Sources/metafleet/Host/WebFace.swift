import EventLoops
import Fleet
import FleetModel
import Logging
import Web

/// What the gateway shows over HTTP. On a loop of its own: whatever is asked of it holds up nothing else, and it can
/// say that something else stands still.
struct WebFace: Sendable {
  let loop: EventLoop
  private let configuration: HTTPConfiguration
  private let address: ListenAddress
  private let gateway: Gateway
  private let server: HTTPServer
  private let progress = LoopProgress()
  private let timekeeper: any Timekeeper
  private let log: Logger

  /// How long to wait before an address that cannot be had is tried again.
  private static let retryPause = Duration.seconds(30)

  /// nil where the configuration wants none. `loops` are those whose progress `/healthz` tells.
  init?(
    _ configuration: HTTPConfiguration, showing gateway: Gateway, following loops: [EventLoop],
    timekeeper: any Timekeeper, log: Logger
  ) throws(CommandLineFailure) {
    guard let address = configuration.listen else { return nil }
    (self.configuration, self.address, self.gateway) = (configuration, address, gateway)
    (self.timekeeper, self.log) = (timekeeper, log)
    loop = try EventLoop.named("web")
    for loop in loops { progress.follow(loop) }
    server = HTTPServer(configuration, on: loop, progress: progress) {
      await FleetObservation.snapshot(of: gateway)
    }
  }

  /// Serves until it is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await serve() }
      group.addTask { await followGateway() }
      group.addTask { await server.run() }
    }
  }

  private func serve() async {
    guard let socket = await openSocket() else { return }
    guard await server.listen(on: socket) else {
      log.error("libmicrohttpd cannot be used; there are no metrics and no status page")
      return
    }
    log.info("serving metrics, health and the status page", metadata: ["address": "\(socket.address)"])
    while !Task.isCancelled { await pause(.seconds(86_400)) }
    await server.stop()
    socket.remove()
  }

  /// An address may come after us, with its interface, or be taken by a process that is about to end.
  private func openSocket() async -> ListenSocket? {
    var isTold = false
    while !Task.isCancelled {
      do throws(ListenFailure) {
        return try ListenSocket.open(address, mode: configuration.socketMode)
      } catch {
        if !isTold { log.warning("\(error)") }
        isTold = true
        await pause(Self.retryPause)
      }
    }
    return nil
  }

  private func followGateway() async {
    while !Task.isCancelled {
      await FleetObservation.reach(gateway)
      progress.note("the gateway")
      await pause(LoopProgress.period)
    }
  }

  /// Shorter when it is cancelled.
  private func pause(_ duration: Duration) async {
    do throws(CancellationError) { try await timekeeper.sleep(for: duration) } catch {}
  }
}
