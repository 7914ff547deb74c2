import EventLoops
import Support

/// `bluez-labctl`, one command after the other, on a thread that may wait for them.
actor LabControl {
  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) { self.loop = loop }

  /// Returns when the command has ended.
  func run(_ arguments: String...) {
    guard let shell = try? LifelineShell("bluez-labctl \"$@\" < /dev/null > /dev/null 2>&1", arguments) else {
      return
    }
    while shell.line() != nil {}
    shell.end()
  }
}
