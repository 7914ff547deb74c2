/// A callback that a loop will make once, unless it is cancelled first.
package struct LoopTimer: Sendable {
  let id: TimerHeap<EventLoop.Instant, @Sendable () -> Void>.ID
  let loop: EventLoop

  /// After this returned on the loop's thread, the callback is not made. Harmless when it was made already.
  package func cancel() { loop.cancel(self) }
}
