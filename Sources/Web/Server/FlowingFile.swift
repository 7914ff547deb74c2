internal import EventLoops
internal import Glibc

/// A file that is sent while somebody writes it. Nobody waits for its bytes: the loop tells when there are some.
/// Belongs to the actor that made it.
final class FlowingFile {
  private let download: WebDownload
  private let watch: Watch?

  /// `wake` is called, on the loop's thread, when there is something to be read.
  init(_ download: WebDownload, on loop: EventLoop, wake: @escaping @Sendable () -> Void) {
    self.download = download
    watch = try? loop.watch(download.descriptor, for: []) { _ in wake() }
  }

  /// Whether there is something to be read, or an end.
  var hasMore: Bool {
    var entry = pollfd(fd: download.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) != 0 else { return false }
    // Whoever cannot be sent any more need not be told that there is more.
    try? watch?.setInterest([])
    return true
  }

  func read(into room: UnsafeMutableRawBufferPointer) -> BodyOutlet.Piece {
    let count = Glibc.read(download.descriptor, room.baseAddress, room.count)
    if count > 0 { return .bytes(count) }
    guard count < 0, errno == EAGAIN || errno == EINTR, let watch else { return .end }
    do { try watch.setInterest(.read) } catch { return .end }
    return .later
  }

  func end() {
    watch?.cancel()
    close(download.descriptor)
    download.finish()
  }
}
