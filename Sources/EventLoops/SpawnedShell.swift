package import Glibc

/// A shell that runs a script in a process group of its own, with a lifetime pipe as its standard input: it ends when
/// we end, however that happens, and the script tidies up then. Whoever starts it closes both descriptors and waits for
/// the process.
///
/// Made without Foundation, whose pipes other children inherit, whose children have the signal mask of a pool's thread
/// and do not hear SIGTERM, and whose reading by callback crashes when a descriptor is closed meanwhile.
package struct SpawnedShell: Sendable {
  package let process: pid_t
  /// Closing it tells the script that we are gone.
  package let lifetimePipe: Int32
  /// The script's output.
  package let output: Int32

  /// Starts the script; `arguments` are its `$1`, `$2`…. Its errors go where its output does, or where ours go.
  package init(
    script: String, _ arguments: [String] = [], takesErrors: Bool = true
  ) throws(SystemCallFailure) {
    let (ourInput, theirInput) = try Self.pair()
    let (ourOutput, theirOutput) = try Self.pair()
    defer {
      close(theirInput)
      close(theirOutput)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, theirInput, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, theirOutput, STDOUT_FILENO)
    if takesErrors { posix_spawn_file_actions_adddup2(&actions, theirOutput, STDERR_FILENO) }

    var words = (["sh", "-c", script, "sh"] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = SpawnAttributes.with { posix_spawn(&process, "/bin/sh", &actions, $0, words, environ) }
    guard code == 0 else {
      close(ourInput)
      close(ourOutput)
      throw SystemCallFailure("posix_spawn", code: code)
    }
    self.process = process
    lifetimePipe = ourInput
    output = ourOutput
  }

  /// Two ends that no other child inherits, as those of a pipe would be.
  private static func pair() throws(SystemCallFailure) -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemCallFailure("socketpair")
    }
    return (ends[0], ends[1])
  }
}
