import EventLoops

/// Has systemd restart bluetoothd.
enum BluetoothdRestart {
  /// How long systemctl may take: longer than systemd waits for a bluetoothd that does not end.
  static let limit: Duration = .seconds(120)

  /// Returns when bluetoothd runs again.
  static func run(on loop: EventLoop) async throws(RecoveryFailure) {
    let systemctl: ChildProcess
    do throws(CommandLineFailure) {
      systemctl = try await ChildProcess.start(
        "systemctl", ["--no-ask-password", "restart", "bluetooth.service"], on: loop)
    } catch {
      throw .failed(error.message)
    }
    let said: String? = await First.of {
      var lines: [String] = []
      while let line = await systemctl.nextLine() { lines.append(line) }
      return lines.suffix(8).joined(separator: " ")
    } or: {
      do { try await loop.sleep(for: limit) } catch { return nil }
      await systemctl.stop()
      return nil
    }
    guard let said else { throw .failed("systemctl restart bluetooth.service takes over 2 minutes") }
    let status = await systemctl.exitStatus ?? 0
    guard status == 0 else {
      throw .failed(
        "systemctl restart bluetooth.service ended with \(status)\(said.isEmpty ? "" : ": \(said)")")
    }
  }
}
