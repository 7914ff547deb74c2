internal import CMicrohttpd

/// The body of an answer that is not there as a whole: libmicrohttpd asks for its next bytes, and the connection rests
/// while there are none. Belongs to the actor that made it.
final class BodyOutlet {
  enum Piece {
    /// So many bytes were filled in, one at least.
    case bytes(Int)
    /// Nothing yet.
    case later
    case end
  }

  let connection: OpaquePointer
  /// Whether there is something to be sent, or an end to be told of.
  private let hasMore: () -> Bool
  private let fill: (UnsafeMutableRawBufferPointer) -> Piece
  private let finish: () -> Void
  private var isSuspended = false
  private var isOver = false

  /// `finish` is called once, when nothing is asked for any more.
  init(
    _ connection: OpaquePointer, hasMore: @escaping () -> Bool,
    fill: @escaping (UnsafeMutableRawBufferPointer) -> Piece, finish: @escaping () -> Void
  ) {
    (self.connection, self.hasMore, self.fill, self.finish) = (connection, hasMore, fill, finish)
  }

  /// Goes on where there is something to be sent, or the other end has left.
  func proceed(hasLeft: Bool) {
    if hasLeft { isOver = true }
    guard isSuspended, isOver || hasMore() else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Ends it behind what was sent.
  func end() { proceed(hasLeft: true) }

  /// Keeps itself until nothing is asked for any more; nil without memory.
  func response(status: Int, headers: [String: String]) -> StoredResponse? {
    let kept = Unmanaged.passRetained(self)
    guard let handle = cmicrohttpd_flow(Self.onRead, kept.toOpaque(), Self.onFinish) else {
      kept.release()
      return nil
    }
    return StoredResponse(handle, status: status, headers: headers)
  }

  private func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    guard !isOver else { return cmicrohttpd_end_of_flow() }
    switch fill(room) {
    case .bytes(let count): return count
    case .end: return cmicrohttpd_end_of_flow()
    case .later:
      isSuspended = true
      MHD_suspend_connection(connection)
      return 0
    }
  }

  private static let onRead: MHD_ContentReaderCallback = { context, _, bytes, size in
    guard let context, let bytes else { return cmicrohttpd_end_of_flow() }
    return Unmanaged<BodyOutlet>.fromOpaque(context).takeUnretainedValue()
      .read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size))
  }

  private static let onFinish: MHD_ContentReaderFreeCallback = { context in
    guard let context else { return }
    Unmanaged<BodyOutlet>.fromOpaque(context).takeRetainedValue().finish()
  }
}
