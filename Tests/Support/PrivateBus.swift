package import DBus
import Glibc
import Synchronization

/// A dbus-daemon of a test's own, on a socket in a directory of its own, with the limits of a system bus. It ends
/// with this object, and with the test process, however that ends.
package final class PrivateBus: Sendable {
  package let address: DBusAddress
  private let daemon: Mutex<pid_t>
  private let shell: LifelineShell

  /// Runs `body` with a bus that lives exactly so long. It allows everything but what the file `policy` forbids, in the
  /// form of the bus's configuration.
  package static func with<T>(
    policy: String? = nil, _ body: (PrivateBus) async throws -> T
  ) async throws -> T {
    let bus = try PrivateBus(policy: policy)
    defer { bus.stop() }
    return try await body(bus)
  }

  package init(policy: String? = nil) throws {
    shell = try LifelineShell(Self.script(policy.map { "<include>\($0)</include>" } ?? ""))
    // Without the bus's identity, so that the next bus at this address is as good.
    address = DBusAddress(String(try Self.line(of: shell).prefix { $0 != "," }))
    daemon = Mutex(try Self.process(of: shell))
  }

  deinit { stop() }

  /// Ends the daemon and removes its files.
  package func stop() { shell.end() }

  /// Ends the daemon as a crash would: every connection is cut.
  package func crash() { daemon.withLock { _ = kill($0, SIGKILL) } }

  /// Starts a new bus at the same address, after a crash.
  package func restart() throws {
    shell.say("")
    _ = try Self.line(of: shell)
    let process = try Self.process(of: shell)
    daemon.withLock { $0 = process }
  }

  package enum Failure: Error { case noDaemon }

  private static func script(_ include: String) -> String {
    """
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
      \(include)
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
  }

  private static func process(of shell: LifelineShell) throws -> pid_t {
    guard let process = pid_t(try line(of: shell)) else { throw Failure.noDaemon }
    return process
  }

  private static func line(of shell: LifelineShell) throws -> String {
    guard let line = shell.line() else { throw Failure.noDaemon }
    return line
  }
}
