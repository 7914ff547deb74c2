package import Glibc

/// How every program of ours is started: in a process group of its own, out of reach of Ctrl-C, and with no signal
/// blocked, ignored or caught, whatever we do with them.
package enum SpawnAttributes {
  /// Returns what `spawn` does with the attributes.
  package static func with(_ spawn: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return spawn(&attributes)
  }
}
