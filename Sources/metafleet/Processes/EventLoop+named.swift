import EventLoops

extension EventLoop {
  /// A new loop, or a failure for the command line.
  static func named(_ name: String) throws(CommandLineFailure) -> EventLoop {
    do {
      return try EventLoop(name: name)
    } catch {
      throw CommandLineFailure(.internal, "no event loop can be made: \(error)")
    }
  }
}
