package import DBus
import Foundation

/// A dbus-daemon of a test's own, on a socket in a directory of its own, with the limits of a system bus. It ends
/// with this object, and with the test process, however that ends.
package final class PrivateBus: Sendable {
  package let address: DBusAddress
  private let daemon: Int32
  private let lifeline: FileHandle

  /// Runs `body` with a bus that lives exactly so long.
  package static func with<T>(_ body: (PrivateBus) async throws -> T) async throws -> T {
    let bus = try PrivateBus()
    let result = try await body(bus)
    bus.stop()
    return result
  }

  package init() throws {
    let shell = Process()
    let (input, output) = (Pipe(), Pipe())
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", Self.script]
    shell.standardInput = input
    shell.standardOutput = output
    try shell.run()
    lifeline = input.fileHandleForWriting
    address = DBusAddress(try Self.line(from: output.fileHandleForReading))
    guard let daemon = Int32(try Self.line(from: output.fileHandleForReading)) else { throw Failure.noDaemon }
    self.daemon = daemon
  }

  deinit { stop() }

  /// Ends the daemon and removes its files.
  package func stop() { try? lifeline.close() }

  /// Ends the daemon as a crash would: every connection is cut.
  package func crash() { kill(daemon, SIGKILL) }

  package enum Failure: Error { case noDaemon }

  /// The shell reads its input until this process closes it, or ends.
  private static let script = """
    directory=$(mktemp -d /tmp/private-bus.XXXXXX) || exit 1
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
    dbus-daemon --config-file="$directory/bus.conf" --nofork --nopidfile --nosyslog \
      --print-address=1 --print-pid=1 < /dev/null 2> /dev/null &
    while read -r _; do :; done
    kill $! 2> /dev/null
    wait
    rm -r "$directory"
    """

  private static func line(from file: FileHandle) throws -> String {
    var bytes: [UInt8] = []
    while let byte = try file.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    throw Failure.noDaemon
  }
}
