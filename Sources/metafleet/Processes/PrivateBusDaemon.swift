import DBus
import EventLoops

/// A message bus of our own, for simulated boards and whoever wants to meet them.
struct PrivateBusDaemon: Temporary {
  let address: DBusAddress
  private let daemon: ChildProcess
  private let directory: ScratchDirectory

  /// Starts a dbus-daemon and waits until it listens.
  static func start(on loop: EventLoop) async throws(CommandLineFailure) -> PrivateBusDaemon {
    _ = try ProgramPath.find("dbus-daemon")
    let directory = try await ScratchDirectory.make("metafleet-bus", on: loop)
    return try await directory.orRemoved { () async throws(CommandLineFailure) in
      let file = try directory.write(configuration(socket: "\(directory.path)/bus"), to: "bus.conf")
      let daemon = try await ChildProcess.start(
        "dbus-daemon",
        ["--config-file=\(file)", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
        on: loop)
      guard let address = await daemon.nextLine(), address.hasPrefix("unix:") else {
        throw CommandLineFailure(.unavailable, "dbus-daemon does not start: \(await daemon.lastOutputLine)")
      }
      return PrivateBusDaemon(address: DBusAddress(address), daemon: daemon, directory: directory)
    }
  }

  /// Ends the bus and removes its files.
  func stop() async {
    await daemon.stop()
    await directory.stop()
  }

  /// Everything is allowed to everybody who may enter the directory.
  private static func configuration(socket: String) -> String {
    """
    <busconfig>
      <type>system</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow receive_sender="*" eavesdrop="true"/>
        <allow own="*"/>
        <allow user="*"/>
      </policy>
    </busconfig>

    """
  }
}
