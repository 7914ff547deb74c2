import EventLoops
import Glibc
import Synchronization

/// What signals do to us.
enum Signals {
  /// A closed pipe is an error of the write, not the end of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// SIGINT, SIGTERM and SIGHUP end the process at once with 130, 143, 129: for clients that have nothing to tidy
  /// up.
  static func endAtOnce() {
    for number in ends { signal(number, leave) }
  }

  /// Ends the process after so many seconds, and has it say nothing until then: for completion, where nobody wants to
  /// read why there is none.
  static func endSilently(after seconds: UInt32) {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
  }

  /// What asks for an end.
  static let ends = [SIGINT, SIGTERM, SIGHUP]

  /// Ends the process after so many seconds with a status, whatever hangs meanwhile.
  static func end(after seconds: UInt32, with status: ExitStatus) {
    endStatus.store(status.rawValue, ordering: .relaxed)
    signal(SIGALRM) { _ in _exit(endStatus.load(ordering: .relaxed)) }
    alarm(seconds)
  }

  /// What Ctrl-C raises where the terminal does not tell keys one by one.
  static let interrupt = SIGINT

  /// Does to us what Ctrl-C does. To the process, because threads of the pool, and threads made by them, do not
  /// take signals.
  static func askForEnd() { kill(getpid(), SIGTERM) }

  /// The signals that ask for a clean stop, and SIGHUP, as they come. The second SIGINT or SIGTERM ends the process
  /// at once with 130 or 143. Where nothing can be read again, SIGHUP comes as SIGTERM. Once per process.
  static func requests(on loop: EventLoop, canReload: Bool = false) throws(CommandLineFailure) -> AsyncStream<
    Int32
  > {
    let (stream, requests) = AsyncStream<Int32>.makeStream()
    let watch = try watch(ends, on: loop) { request in
      requests.yield(request == SIGHUP && !canReload ? SIGTERM : request)
    }
    requests.onTermination = { _ in watch.cancel() }
    return stream
  }

  /// Tells of these signals as they come; as in `requests`, a second SIGINT or SIGTERM ends the process at once. Once
  /// per process.
  static func watch(
    _ numbers: [Int32], on loop: EventLoop, _ handler: @escaping @Sendable (Int32) -> Void
  ) throws(CommandLineFailure) -> EventLoops.Watch {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw CommandLineFailure(.internal, "signals cannot be watched: \(String(cString: strerror(errno)))")
    }
    let readEnd = ends[0]
    do {
      let watch = try loop.watch(readEnd, for: .read) { _ in
        var number: UInt8 = 0
        while read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
      }
      writeEnd.store(ends[1], ordering: .relaxed)
      stopRequests.store(0, ordering: .relaxed)
      for number in numbers { signal(number, pass) }
      return watch
    } catch {
      throw CommandLineFailure(.internal, "signals cannot be watched: \(error)")
    }
  }
}

// A signal handler may use little more than these.
private let writeEnd = Atomic<Int32>(-1)
private let stopRequests = Atomic<Int>(0)
private let endStatus = Atomic<Int32>(0)

private func leave(_ number: Int32) { _exit(128 + number) }

private func pass(_ number: Int32) {
  let before = errno
  defer { errno = before }
  let isStop = number == SIGINT || number == SIGTERM
  if isStop, stopRequests.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
}
