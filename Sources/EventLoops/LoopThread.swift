import Glibc

/// A plain thread with a Swift body.
final class LoopThread: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// A detached thread cannot be joined.
  static func start(detached: Bool, _ body: @escaping @Sendable () -> Void) throws(SystemCallFailure)
    -> pthread_t
  {
    let argument = Unmanaged.passRetained(LoopThread(body))
    var thread: pthread_t = 0
    let code = pthread_create(&thread, nil, run, argument.toOpaque())
    if code != 0 {
      argument.release()
      throw SystemCallFailure("pthread_create", code: code)
    }
    if detached { pthread_detach(thread) }
    return thread
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    argument in
    if let argument { Unmanaged<LoopThread>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }
}
