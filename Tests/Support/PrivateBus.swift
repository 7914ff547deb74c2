package import DBus
import Glibc
import Synchronization

/// A dbus-daemon of a test's own, on a socket in a directory of its own, with the limits of a system bus. It ends
/// with this object, and with the test process, however that ends.
package final class PrivateBus: Sendable {
  package let address: DBusAddress
  private let daemon: Mutex<pid_t>
  private let shell: pid_t
  /// The shell reads it until it is closed, by us or by the end of this process.
  private let lifeline: DBusDescriptor
  /// The same as a number, to talk over while it is open.
  private let line: Int32

  /// Runs `body` with a bus that lives exactly so long.
  package static func with<T>(_ body: (PrivateBus) async throws -> T) async throws -> T {
    let bus = try PrivateBus()
    defer { bus.stop() }
    return try await body(bus)
  }

  package init() throws {
    // Not a pipe: those cannot be made so that no other child inherits them.
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw Failure.noDaemon }
    let (near, far) = (DBusDescriptor(owning: pair[0]), DBusDescriptor(owning: pair[1]))
    shell = try withExtendedLifetime(far) { try Self.spawn(Self.script, standardFiles: pair[1]) }
    lifeline = near
    line = pair[0]
    // Without the bus's identity, so that the next bus at this address is as good.
    address = DBusAddress(String(try Self.line(from: pair[0]).prefix { $0 != "," }))
    daemon = Mutex(try Self.process(from: pair[0]))
  }

  deinit { stop() }

  /// Ends the daemon and removes its files.
  package func stop() {
    guard let descriptor = lifeline.take() else { return }
    close(descriptor)
    waitpid(shell, nil, 0)
  }

  /// Ends the daemon as a crash would: every connection is cut.
  package func crash() { daemon.withLock { _ = kill($0, SIGKILL) } }

  /// Starts a new bus at the same address, after a crash.
  package func restart() throws {
    guard write(line, "\n", 1) == 1 else { throw Failure.noDaemon }
    _ = try Self.line(from: line)
    let process = try Self.process(from: line)
    daemon.withLock { $0 = process }
  }

  package enum Failure: Error { case noDaemon }

  private static let script = """
    directory=$(mktemp -d /tmp/private-bus.XXXXXX) || exit 1
    trap 'rm -r "$directory"' EXIT
    cat > "$directory/bus.conf" <<EOF
    <busconfig>
      <type>system</type>
      <listen>unix:path=$directory/socket</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow receive_sender="*" eavesdrop="true"/>
        <allow own="*"/>
        <allow user="*"/>
      </policy>
    </busconfig>
    EOF
    serve() {
      dbus-daemon --config-file="$directory/bus.conf" --nofork --nopidfile --nosyslog \
        --print-address=1 --print-pid=1 < /dev/null 2> /dev/null &
    }
    serve
    while read -r _; do wait $!; serve; done
    kill $! 2> /dev/null
    wait
    """

  /// Starts a shell that reads from and writes to `descriptor`.
  private static func spawn(_ script: String, standardFiles descriptor: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
    defer { for argument in arguments { free(argument) } }
    var shell: pid_t = 0
    guard posix_spawn(&shell, "/bin/sh", &actions, nil, &arguments, environ) == 0 else {
      throw Failure.noDaemon
    }
    return shell
  }

  private static func process(from descriptor: Int32) throws -> pid_t {
    guard let process = pid_t(try line(from: descriptor)) else { throw Failure.noDaemon }
    return process
  }

  private static func line(from descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    throw Failure.noDaemon
  }
}
