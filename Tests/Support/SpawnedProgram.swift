package import Glibc
import Synchronization

/// A program that a test starts, and its end.
///
/// Made without Foundation: its `Process` writes behind its list of descriptors when other threads open and close them
/// meanwhile, as parallel tests do by the thousand.
package final class SpawnedProgram: Sendable {
  package struct Failure: Error { package let code: Int32 }

  /// Where standard input, output and errors go; nil is /dev/null.
  package struct StandardFiles: Sendable {
    package var input, output, errors: Int32?
    /// As 9, which nobody knows and which therefore reaches the program's own children, too.
    package var heirloom: Int32?

    package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, heirloom: Int32? = nil) {
      (self.input, self.output, self.errors, self.heirloom) = (input, output, errors, heirloom)
    }
  }

  package let process: pid_t
  private let status = Mutex<Int32?>(nil)

  /// Starts the program at `path` with `environment`, ours where it is nil. It inherits the standard files and nothing
  /// else.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    files: StandardFiles
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (place, descriptor) in [files.input, files.output, files.errors].enumerated() {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
      }
    }
    if let heirloom = files.heirloom { posix_spawn_file_actions_adddup2(&actions, heirloom, 9) }
    for place in 3...8 { posix_spawn_file_actions_addclose(&actions, Int32(place)) }
    _ = Self.addCloseFrom?(&actions, files.heirloom == nil ? 9 : 10)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A pool's thread blocks signals; the child shall hear them.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words = Self.copies([path] + arguments)
    let variables = environment.map { Self.copies($0.map { "\($0)=\($1)" }) }
    defer { for word in words + (variables ?? []) { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, words, variables ?? environ.array)
    guard code == 0 else { throw Failure(code: code) }
    self.process = process
  }

  /// What a program said, and how it ended.
  package struct Ending: Sendable {
    package var status: Int32
    package var output, errors: String
  }

  /// Runs a program to its end. Blocks.
  package static func run(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    input: String? = nil
  ) throws -> Ending {
    // Files: nobody waits for a reader.
    let (source, output, errors) = (try Self.scratchFile(), try Self.scratchFile(), try Self.scratchFile())
    defer { for file in [source, output, errors] { close(file) } }
    let text = Array((input ?? "").utf8)
    _ = write(source, text, text.count)
    lseek(source, 0, SEEK_SET)
    let program = try SpawnedProgram(
      path, arguments, environment: environment,
      files: StandardFiles(input: source, output: output, errors: errors))
    let status = program.wait()
    return Ending(status: status, output: contents(of: output), errors: contents(of: errors))
  }

  /// Waits for its end; the exit status, or the number of the signal that ended it. Blocks.
  @discardableResult
  package func wait() -> Int32 {
    var information = siginfo_t()
    // Looked at first and collected then, so that whoever sends signals meanwhile never meets another process.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return status.withLock { status in
      if let status { return status }
      var word: Int32 = 0
      waitpid(process, &word, 0)
      let ended = word & 0x7F == 0 ? word >> 8 & 0xFF : word & 0x7F
      status = ended
      return ended
    }
  }

  /// Sends it a signal unless its end has been seen.
  package func send(_ signal: Int32) {
    status.withLock { if $0 == nil { kill(process, signal) } }
  }

  private typealias CloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  /// `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34, which Swift's module hides.
  private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: CloseFrom.self)
  }

  /// A file without a name.
  private static func scratchFile() throws -> Int32 {
    var path = Array("/tmp/metafleet-test-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { throw Failure(code: errno) }
    unlink(path)
    return file
  }

  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  private static func contents(of file: Int32) -> String {
    let length = Int(lseek(file, 0, SEEK_END))
    lseek(file, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: max(length, 0))
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}

extension UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  /// A list that ends with nil, the nil included.
  fileprivate var array: [UnsafeMutablePointer<CChar>?] {
    var end = 0
    while self[end] != nil { end += 1 }
    return Array(UnsafeBufferPointer(start: self, count: end + 1))
  }
}
