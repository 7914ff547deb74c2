import Glibc

/// What signals do to us.
enum Signals {
  /// A closed pipe is an error of the write, not the end of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// SIGINT, SIGTERM and SIGHUP end the process at once with 130, 143, 129: for clients that have nothing to tidy up.
  static func endAtOnce() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, leave) }
  }
}

/// Only what is safe in a signal handler.
private func leave(_ number: Int32) { _exit(128 + number) }
