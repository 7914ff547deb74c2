import Dialects
import EventLoops

/// Keeps a client going on a loop: reads and writes when its socket is ready, and looks after it once a second.
/// Confined to the loop's thread.
final class ClientPump {
  let client: MosquittoClient
  private let watch: Watch
  private let loop: EventLoop
  private let onTick: @Sendable () -> Void
  private var timer: LoopTimer

  init(
    _ client: MosquittoClient, on loop: EventLoop, onReady: @escaping @Sendable (Readiness) -> Void,
    onTick: @escaping @Sendable () -> Void
  ) throws(BrokerFailure) {
    self.client = client
    self.loop = loop
    self.onTick = onTick
    do {
      watch = try loop.watch(client.socket, for: [.read, .write], handler: onReady)
    } catch {
      throw .unreachable(error.description)
    }
    timer = loop.schedule(after: .seconds(1), onTick)
  }

  /// Returns a result code of the library.
  func handle(_ readiness: Readiness) -> Int32 {
    var code: Int32 = 0
    if readiness.contains(.writable) { code = client.write() }
    // Also when it is writable: a TLS handshake goes on by reading alone.
    if code == 0 { code = client.read() }
    return code
  }

  func tick() -> Int32 {
    timer = loop.schedule(after: .seconds(1), onTick)
    return client.tick()
  }

  /// To be called after every use of the client, which may have left something to write.
  func setInterest(isReading: Bool) {
    var interest: Interest = isReading ? .read : []
    if client.wantsToWrite { interest.insert(.write) }
    // Fails only for a descriptor that is closed, and then the client has said so.
    try? watch.setInterest(interest)
  }

  func stop() {
    watch.cancel()
    timer.cancel()
  }
}
