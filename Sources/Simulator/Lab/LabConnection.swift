import EventLoops
import Glibc

/// One connection of the laboratory, which is one board: bytes in, frames out. Confined to its loop.
final class LabConnection {
  private let descriptor: Int32
  private var watch: Watch?
  private var reader = LabFrameReader()
  private var unsent: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  /// `ready` is called on the loop when `receive` or `flush` has something to do.
  func open(on loop: EventLoop, ready: @escaping @Sendable () -> Void) throws(SystemCallFailure) {
    watch = try loop.watch(descriptor, for: .read) { _ in ready() }
  }

  /// The frames that have come; nil when the laboratory has hung up or speaks nonsense.
  func receive() -> [LabFrame.FromLab]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count == 0 { return nil }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    reader.append(buffer.prefix(count))
    var frames: [LabFrame.FromLab] = []
    while true {
      switch reader.next() {
      case .frame(let bytes):
        guard let frame = LabFrame.FromLab(bytes) else { return nil }
        frames.append(frame)
      case .incomplete: return frames
      case .nonsense: return nil
      }
    }
  }

  func send(_ frame: LabFrame.FromBoard) {
    unsent += frame.bytes
    flush()
  }

  /// Sends what the socket takes; the rest when it takes more.
  func flush() {
    guard !unsent.isEmpty else { return }
    let count = unsent.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if count > 0 { unsent.removeFirst(count) }
    try? watch?.setInterest(unsent.isEmpty ? .read : [.read, .write])
  }

  /// Takes the board off the air. Repeating it does nothing.
  func close() {
    guard let watch else { return }
    self.watch = nil
    watch.cancel()
    _ = Glibc.close(descriptor)
  }
}
