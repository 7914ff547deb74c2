import CLinux
import EventLoops
import Glibc

/// This program as a child that looks into the archive, and writes to the descriptors of whoever asked.
struct ArchiveChild: Sendable {
  /// Where a command writes its file to, whatever path it was given: a descriptor, or nothing but an error.
  static let resultVariable = "METAFLEET_RESULT_DESCRIPTOR"
  private static let resultDescriptor: Int32 = 3
  private static let endDescriptor: Int32 = 4

  let process: pid_t
  /// Can be read as soon as the child has ended.
  let end: Int32

  /// Starts `program`. `environment` is all that it gets; `descriptors` are standard output, standard error and a file.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
  ) throws(SystemCallFailure) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemCallFailure("socketpair")
    }
    defer { close(ends[1]) }
    // Numbers that a copy could land on are out of the way first.
    let sources = (descriptors + [ends[1]]).map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    defer { for source in sources where source >= 0 { close(source) } }
    let targets = Array([STDOUT_FILENO, STDERR_FILENO, Self.resultDescriptor].prefix(descriptors.count))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (source, target) in zip(sources, targets + [Self.endDescriptor]) {
      posix_spawn_file_actions_adddup2(&actions, source, target)
    }
    // The number is taken also where nobody gave a file: else the database could have it.
    if descriptors.count < 3 {
      posix_spawn_file_actions_addopen(&actions, Self.resultDescriptor, "/dev/null", O_RDONLY, 0)
    }
    // Libraries of ours may open what a child would inherit: sockets to the broker and to boards stay here.
    clinux_close_from(&actions, Self.endDescriptor + 1)
    let all = environment.merging([Self.resultVariable: "\(Self.resultDescriptor)"]) { _, ours in ours }
    let words = (["metafleet"] + arguments).map { strdup($0) } + [nil]
    let variables = all.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = SpawnAttributes.with { posix_spawn(&process, program, &actions, $0, words, variables) }
    guard code == 0 else {
      close(ends[0])
      throw SystemCallFailure("posix_spawn", code: code)
    }
    (self.process, end) = (process, ends[0])
  }

  /// Asks it to end.
  func stop() { kill(process, SIGTERM) }

  /// Its exit status, as a shell has it; waits for it.
  func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    close(end)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
