import DBus
import EventLoops
import Foundation
import Support
import Testing

@testable import metafleet

@Suite struct RecoveryHelperCommandTests {
  /// The names on the bus, written out: a policy and other programs know them, too.
  private static let name = "org.metafleet.RecoveryHelper1"

  @Test func `both methods do what they say once, are logged, and refused soon after`() async throws {
    try await withHelper { helper in
      #expect(await helper.call("ResetAdapter", "hci1") == nil)
      let (state, done) = (try helper.tree.state, try await helper.nextLine())
      #expect(state == "1" && done == "\(helper.caller) ResetAdapter \"hci1\": done")
      let soon = await helper.call("ResetAdapter", "hci1")
      #expect(soon?.errorName == "\(Self.name).Error.TooSoon")
      #expect(soon?.description.hasSuffix("this was done a short time ago; wait 30m") == true)
      let refused = try await helper.nextLine()
      #expect(refused?.contains("ResetAdapter \"hci1\": not done: this was done") == true)

      #expect(await helper.call("RestartBluetoothd") == nil)
      let (restarts, restarted) = (try helper.restarts, try await helper.nextLine())
      #expect(restarts == ["--no-ask-password restart bluetooth.service"])
      #expect(restarted == "\(helper.caller) RestartBluetoothd: done")
      #expect(await helper.call("RestartBluetoothd")?.errorName == "\(Self.name).Error.TooSoon")
      let inTheEnd = try helper.restarts
      #expect(inTheEnd.count == 1)
    }
  }

  @Test func `what cannot be reset is refused, and does not count`() async throws {
    try await withHelper { helper in
      #expect(await helper.call("ResetAdapter", "hci0")?.errorName == "\(Self.name).Error.NotUSB")
      #expect(await helper.call("ResetAdapter", "../x")?.errorName == "\(Self.name).Error.NoAdapter")
      #expect(await helper.call("ResetAdapter", "hci9\n")?.errorName == "\(Self.name).Error.NoAdapter")
      for name in ["\"hci0\": not done", "\"../x\": not done", "\"hci9\\n\": not done"] {
        let line = try await helper.nextLine()
        #expect(line?.contains(name) == true)
      }
      #expect(await helper.call("ResetAdapter")?.errorName == "org.freedesktop.DBus.Error.UnknownMethod")
      #expect(await helper.call("Reboot")?.errorName == "org.freedesktop.DBus.Error.UnknownMethod")
      #expect(await helper.call("ResetAdapter", "hci1") == nil)
    }
  }

  @Test func `a restart that fails is told with systemd's words, and counts`() async throws {
    try await withHelper(systemctl: "echo Job for bluetooth.service failed. >&2; exit 1") { helper in
      let failure = await helper.call("RestartBluetoothd")
      #expect(failure?.errorName == "\(Self.name).Error.Failed")
      let said = failure?.description ?? ""
      #expect(said.hasSuffix("ended with 1: Job for bluetooth.service failed."), "\(said)")
      #expect(await helper.call("RestartBluetoothd")?.errorName == "\(Self.name).Error.TooSoon")
    }
  }

  @Test func `a second helper on the bus ends with 69`() async throws {
    try await withHelper { helper in
      let ending = try await BuiltProgram.run(["recovery-helper", "--bus", helper.address.text])
      #expect(ending.status == 69 && ending.errors.contains("already"))
    }
  }

  @Test func `a bus that is not there ends with 69`() async throws {
    #expect(try await BuiltProgram.run(["recovery-helper", "--bus", "unix:path=/nowhere"]).status == 69)
  }

  @Test func `the shipped bus policy lets root take the name and the gateway call both methods, no more`()
    async throws
  {
    // Whoever runs the tests plays both; then only the gateway's user is somebody else.
    let me = try #require(Self.userName)
    let policy = try Self.policy.replacing("user=\"root\"", with: "user=\"\(me)\"")
    try await withHelper(policy: policy.replacing("user=\"metafleet\"", with: "user=\"\(me)\"")) { helper in
      #expect(await helper.call("ResetAdapter", "hci1") == nil)
      #expect(await helper.call("RestartBluetoothd") == nil)
      let denied = "org.freedesktop.DBus.Error.AccessDenied"
      #expect(await helper.call("Reboot")?.errorName == denied)
      let introspection = "org.freedesktop.DBus.Introspectable"
      #expect(await helper.call("Introspect", interface: introspection)?.errorName == denied)
    }
    try await withHelper(policy: policy) { helper in
      let denied = "org.freedesktop.DBus.Error.AccessDenied"
      #expect(await helper.call("ResetAdapter", "hci1")?.errorName == denied)
      #expect(await helper.call("RestartBluetoothd")?.errorName == denied)
    }
  }

  @Test func `a bus that does not give the name ends with 77 and says what to do`() async throws {
    let policy = try Self.policy.replacing("user=\"root\"", with: "user=\"nobody\"")
    try await withBus(policy: policy) { address, _ in
      let ending = try await BuiltProgram.run(["recovery-helper", "--bus", address.text])
      #expect(ending.status == 77 && ending.errors.contains("deploy/dbus/\(Self.name).conf"))
    }
  }
}

// What the tests need around the program.
extension RecoveryHelperCommandTests {
  /// A running helper, its copy of sysfs, and a client on the same bus.
  private struct Helper {
    let address: DBusAddress
    let client: DBusConnection
    let caller: String
    let tree: SysfsTree
    let program: RunningProgram
    let systemctlLog: URL

    func call(
      _ member: String, _ adapter: String? = nil, interface: String = RecoveryHelperCommandTests.name
    ) async -> DBusFailure? {
      let call = DBusMethodCall(
        to: RecoveryHelperCommandTests.name, "/org/metafleet/RecoveryHelper1", interface, member,
        adapter.map { [.string($0)] } ?? [])
      do throws(DBusFailure) {
        _ = try await client.call(call, deadline: .seconds(60))
        return nil
      } catch {
        return error
      }
    }

    /// The next line of its log.
    func nextLine() async throws -> String? { try await program.nextLine() }

    /// With which arguments it started systemctl.
    var restarts: [String] {
      get throws {
        try String(contentsOf: systemctlLog, encoding: .utf8).split(separator: "\n").map(String.init)
      }
    }
  }

  /// Runs the built program on a bus of its own, with a `systemctl` that is the given script.
  private func withHelper(
    systemctl: String = "exit 0", policy: String = "", _ body: (Helper) async throws -> Void
  ) async throws {
    try await withBus(policy: policy) { address, loop in
      try await withScratchDirectory { directory in
        let sysfs = directory.appending(path: "sys")
        let log = directory.appending(path: "log")
        let text = "#!/bin/sh\necho \"$*\" >> '\(log.path)'\n\(systemctl)\n"
        let tree = try SysfsTree(in: sysfs)
        // The shell writes systemctl: a file that we wrote cannot be executed while a child of another test, forked
        // meanwhile, holds it open.
        let start = """
          printf %s "$3" > "$4/systemctl" && chmod 700 "$4/systemctl" &&
            exec "$0" recovery-helper --bus "$1" --sysfs "$2" 2>&1
          """
        let program = try RunningProgram.start(
          ["-c", start, BuiltProgram.url.path, address.text, sysfs.path, text, directory.path],
          environment: ["PATH": "\(directory.path):/usr/bin:/bin"], path: "/bin/sh")
        #expect(try await program.nextLine()?.hasPrefix(Self.name) == true)
        let client = try await DBusConnection.open(address, on: loop)
        try await body(
          Helper(
            address: address, client: client, caller: await client.uniqueName, tree: tree, program: program,
            systemctlLog: log))
        await client.close()
        #expect(try await program.end(with: SIGTERM) == 0)
      }
    }
  }

  /// A bus that allows everything but what `policy`, a file of the bus's configuration, forbids.
  private func withBus(
    policy: String, _ body: (DBusAddress, EventLoop) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    guard !policy.isEmpty else {
      return try await PrivateBus.with { try await body($0.address, loop) }
    }
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "policy.conf")
      try policy.write(to: file, atomically: true, encoding: .utf8)
      try await PrivateBus.with(policy: file.path) { try await body($0.address, loop) }
    }
  }

  private static var policy: String {
    get throws {
      let file = ShownCommandRuleTests.root.appending(path: "deploy/dbus/\(name).conf")
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  private static var userName: String? {
    getpwuid(geteuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
  }
}
