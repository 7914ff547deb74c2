extension Actor {
  /// Enters an actor from the thread of its own executor, as `assumeIsolated` does, for callbacks that come once per
  /// packet: the library takes longer to find out where it is than a driver to decode a packet. For actors with an
  /// executor of their own only; off that executor it traps like `assumeIsolated`.
  @inlinable @inline(__always)
  public nonisolated func enter<Result>(_ body: (isolated Self) throws -> Result) rethrows -> Result {
    precondition(
      withSerialExecutor { $0.isIsolatingCurrentContext() } ?? true, "entered from a foreign thread")
    // What the library does once it knows: an isolated parameter is passed like any other.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: ((Self) throws -> Result).self)(self)
    }
  }
}
