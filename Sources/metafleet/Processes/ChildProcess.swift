import EventLoops
import FleetModel
import Glibc

/// A program of ours that lives no longer than we do, however we end.
///
/// A shell stands between: it holds the other end of a lifetime pipe, and when our end closes, because we stop or
/// because we were killed, it ends the program. (The kernel's parent-death signal is sent when the *thread* that
/// started the child ends, and it cannot remove files.) Children are in a process group of their own, so that Ctrl-C
/// reaches them only through us, in order.
actor ChildProcess {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Lines that are kept while nobody asks for them.
  private static let keptLines = 64
  private static let longestLine = 4096

  private let shell: pid_t
  private let output: Int32
  private var lifetimePipe: Int32
  private var watch: EventLoops.Watch?
  private var partial: [UInt8] = []
  private var lines: [String] = []
  private var hasEnded = false
  private var lineWaiters: [CheckedContinuation<String?, Never>] = []
  private var endWaiters: [CheckedContinuation<Void, Never>] = []
  /// The last thing the program said, to explain its end.
  private(set) var lastOutputLine = ""
  /// The program's, as a shell has it: 128 and the number of a signal that ended it. nil while it runs.
  private(set) var exitStatus: Int32?

  private init(_ spawned: SpawnedShell, on loop: EventLoop) {
    self.loop = loop
    shell = spawned.process
    output = spawned.output
    lifetimePipe = spawned.lifetimePipe
  }

  /// Starts a program, found as `ProgramPath` does; its output and errors come as lines.
  static func start(
    _ program: String, _ arguments: [String], on loop: EventLoop
  ) async throws(CommandLineFailure) -> ChildProcess {
    let path = try ProgramPath.find(program)
    return try await start(script: Self.guardian, [path] + arguments, on: loop)
  }

  /// Starts a shell script that reads its lifetime pipe from descriptor 0.
  static func start(
    script: String, _ arguments: [String], on loop: EventLoop
  ) async throws(CommandLineFailure) -> ChildProcess {
    let shell: SpawnedShell
    do throws(SystemCallFailure) { shell = try SpawnedShell(script: script, arguments) } catch {
      throw CommandLineFailure(.internal, "a child process cannot be started: \(error)")
    }
    let child = ChildProcess(shell, on: loop)
    try await child.listen()
    return child
  }

  /// The subshell notices the end of the lifetime pipe, the shell the end of the program. A signal can be lost:
  /// mosquitto forgets one that comes right behind its "running". So the program is asked once a second, and killed
  /// after five. When the program has ended, the subshell ends its `sleep`, too: nothing is left behind.
  private static let guardian = """
    exec 3<&0
    "$@" < /dev/null 3<&- &
    program=$!
    (while read -r _; do :; done
    trap 'kill $!; wait $!; exit' TERM
    for _ in 1 2 3 4 5; do kill $program || exit; sleep 1 & wait $!; done
    kill -9 $program) <&3 > /dev/null 2>&1 &
    watcher=$!
    exec 3<&-
    wait $program
    status=$?
    kill $watcher 2> /dev/null
    wait
    exit $status
    """

  private func listen() throws(CommandLineFailure) {
    do {
      watch = try loop.watch(output, for: .read) { [weak self] _ in self?.assumeIsolated { $0.readOutput() } }
    } catch {
      closeLifetimePipe()
      throw CommandLineFailure(.internal, "a child process cannot be polled: \(error)")
    }
  }

  private func readOutput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return ended() }
    for byte in buffer[..<count] {
      if byte == UInt8(ascii: "\n") || partial.count == Self.longestLine {
        take(String(decoding: partial, as: UTF8.self))
        partial = []
      }
      if byte != UInt8(ascii: "\n") { partial.append(byte) }
    }
  }

  private func take(_ line: String) {
    lastOutputLine = line
    if lineWaiters.isEmpty {
      lines.append(line)
      if lines.count > Self.keptLines { lines.removeFirst() }
    } else {
      lineWaiters.removeFirst().resume(returning: line)
    }
  }

  /// Nobody holds the program's output any more: program and shell are gone, or about to be.
  private func ended() {
    watch?.cancel()
    close(output)
    closeLifetimePipe()
    var status: Int32 = 0
    while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    exitStatus = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    hasEnded = true
    for waiter in lineWaiters { waiter.resume(returning: nil) }
    for waiter in endWaiters { waiter.resume() }
    lineWaiters = []
    endWaiters = []
  }

  private func closeLifetimePipe() {
    if lifetimePipe >= 0 { close(lifetimePipe) }
    lifetimePipe = -1
  }

  /// The next line of output; nil when the program has ended.
  func nextLine() async -> String? {
    if !lines.isEmpty { return lines.removeFirst() }
    if hasEnded { return nil }
    return await withCheckedContinuation { lineWaiters.append($0) }
  }

  /// Ends the program and waits until nothing of it is left. Repeating it does nothing.
  func stop() async {
    closeLifetimePipe()
    if hasEnded { return }
    await withCheckedContinuation { endWaiters.append($0) }
  }
}
