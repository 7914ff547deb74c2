import DBus
import EventLoops
import FleetModel
import Foundation
import Support
import Testing

@testable import metafleet

@Suite struct TryCommandTests {
  @Test(arguments: [("s", "MetaMotion S"), ("rl", "MetaMotion RL"), ("r", "MetaMotion R")])
  func `each model goes through all steps, with nothing but a bus`(
    _ model: String, _ name: String
  ) async throws {
    try await withBoards(["--boards", "1", "--models", model]) { bus in
      let ending = try await run(["--json", "--scan-for", "2s"], on: bus)
      let steps = try steps(of: ending)
      #expect(ending.status == 0, "\(ending.output)")
      #expect(steps.compactMap { $0["step"]?.string } == TryStep.Kind.allCases.map(\.rawValue))
      #expect(steps.allSatisfy { $0["result"] == "done" }, "\(ending.output)")
      let data = steps.reduce(JSONObject()) { $0.merging($1) }
      #expect(data["chosen"] == "c0ffee000001")
      #expect(data["model"] == .string(name))
      #expect(data["foreign"] == [])
      #expect(steps.first { $0["step"] == "led" }?["off_evidence"] == "readback")
      #expect(steps.first { $0["step"] == "haptic" }?["evidence"] == "link-write")
      #expect(data["stop_evidence"] == "readback")
      #expect(data["magnitude_g"]?.number.map { (0.5...2).contains($0) } == true)
    }
  }

  @Test func `F180 a board that works for others is not disturbed, and keeps what it holds`() async throws {
    try await withBoards(["--boards", "1"], faults: "at 0s foreign-host 1\n") { bus in
      let first = try await run(["C0:FF:EE:00:00:01", "--json"], on: bus)
      #expect(first.status == 0, "\(first.output)")
      let results = Dictionary(
        uniqueKeysWithValues: try steps(of: first).map { ($0["step"]?.string, $0["result"]?.string) })
      for step in ["led", "haptic", "acceleration"] { #expect(results[step] == "left-out") }
      for step in ["battery", "disconnect"] { #expect(results[step] == "done") }
      let held = try steps(of: first).first { $0["step"] == "programs" }?["foreign"]
      #expect(held?.array?.contains("logger/0") == true)
      let second = try await run(["C0:FF:EE:00:00:01", "--json"], on: bus)
      #expect(try steps(of: second).first { $0["step"] == "programs" }?["foreign"] == held)
    }
  }

  @Test func `a board that is away ends with 1, and the address of one that is there`() async throws {
    try await withBoards(["--boards", "2"], faults: "at 0s vanish 2\n") { bus in
      let ending = try await run(["C0:FF:EE:00:00:02", "--scan-for", "2s"], on: bus)
      #expect(ending.status == 1)
      #expect(ending.output.contains("did you mean C0:FF:EE:00:00:01, which was?"), "\(ending.output)")
      #expect(!ending.output.contains("\nconnect "))
    }
  }

  @Test func `F181 a board that another program is connected to stays connected to it, and the status is 75`()
    async throws
  {
    try await withBoards(["--boards", "1"]) { bus in
      let loop = try EventLoop(name: "test")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(DBusAddress(bus), on: loop)
      let device = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
      let (paths, appeared) = AsyncStream<String>.makeStream()
      _ = try await connection.listen(
        to: DBusMatchRule(sender: "org.bluez", interface: "org.freedesktop.DBus.ObjectManager")
      ) { appeared.yield($0.arguments.first?.text ?? "") }
      _ = try await connection.call(
        DBusMethodCall(to: "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery"),
        deadline: .seconds(5))
      for await path in paths where path == device { break }
      _ = try await connection.call(
        DBusMethodCall(to: "org.bluez", device, "org.bluez.Device1", "Connect"), deadline: .seconds(20))

      let ending = try await run(["C0:FF:EE:00:00:01"], on: bus)
      #expect(ending.status == 75, "\(ending.output)")
      #expect(ending.output.contains("another program on this computer is connected to C0:FF:EE:00:00:01"))
      #expect(ending.output.contains("metafleet send C0:FF:EE:00:00:01 disconnect"))
      let properties = try await connection.call(
        DBusMethodCall(
          to: "org.bluez", device, "org.freedesktop.DBus.Properties", "GetAll",
          [.string("org.bluez.Device1")]), deadline: .seconds(5))
      #expect(properties.first?.namedValues?["Connected"]?.flag == true)
      await connection.close()
    }
  }

  @Test func `a signal ends it with the board disconnected`() async throws {
    try await withBoards(["--boards", "1"]) { bus in
      let program = try RunningProgram.start(
        ["try", "C0:FF:EE:00:00:01"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
      let ending = try await program.end(with: SIGINT, atLineBeginning: "connect ")
      #expect(ending.status == 130)
      #expect(ending.lines.last == "disconnect    C0:FF:EE:00:00:01 is disconnected (BlueZ says so)")
    }
  }

  @Test func `the adapter that is asked for is used, and one that there is not is named`() async throws {
    try await withBoards(["--boards", "1", "--adapters", "2"]) { bus in
      let ending = try await run(["C0:FF:EE:00:00:01", "--adapter", "hci1"], on: bus)
      #expect(ending.status == 0, "\(ending.output)")
      #expect(ending.output.hasPrefix("adapter       hci1, 00:AA:01:00:00:01, is used\n"))
      #expect(ending.output.contains("\nconnect       C0:FF:EE:00:00:01 over hci1 after "))
      let missing = try await run(["--adapter", "hci7"], on: bus)
      #expect(missing.status == 69)
      #expect(missing.output.contains("there is no Bluetooth adapter \"hci7\""))
    }
  }

  @Test(
    arguments: [
      ("adapter removed", "there is no Bluetooth adapter; plug one in"),
      ("adapter blocked", "rfkill unblock bluetooth"), ("service gone", "systemctl start bluetooth"),
    ])
  func `no adapter, one that cannot be switched on, and no bluetoothd end with 69 and the fix`(
    _ fault: String, _ fix: String
  ) async throws {
    try await withBoards(["--boards", "1"], faults: "at 0s \(fault)\n") { bus in
      let ending = try await run([], on: bus)
      #expect(ending.status == 69)
      #expect(ending.output.hasPrefix("adapter       failed: ") && ending.output.contains(fix))
      #expect(ending.output.split(separator: "\n").count == 1, "\(ending.output)")
    }
  }

  @Test func `a bus that is not there, and one without BlueZ, end with 69 and the fix`() async throws {
    let missing = try await run([], on: "unix:path=/nowhere")
    #expect(missing.status == 69 && missing.output.contains("systemctl start dbus bluetooth"))
    try await PrivateBus.with { bus in
      let empty = try await run([], on: bus.address.text)
      #expect(empty.status == 69 && empty.output.contains("systemctl start bluetooth"))
    }
  }

  @Test func `what is no address is refused before anything is tried`() async throws {
    let slip = try await run(["C0-FF-EE-00-00-01"], on: "unix:path=/nowhere")
    #expect(slip.status == 64 && slip.output.isEmpty)
    #expect(slip.errors.contains("did you mean C0:FF:EE:00:00:01?"))
    let name = try await run(["Pump 3"], on: "unix:path=/nowhere")
    #expect(name.status == 64 && name.errors.contains("such as E5:A1:C2:D3:F4:B6"))
  }

  private func run(_ arguments: [String], on bus: String) async throws -> BuiltProgram.Ending {
    try await BuiltProgram.run(["try"] + arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
  }

  private func steps(of ending: BuiltProgram.Ending) throws -> [JSONObject] {
    try ending.output.split(separator: "\n").map {
      try #require(try StrictJSON.parse(Array($0.utf8)).object)
    }
  }

  /// Serves simulated boards while `body` runs, with the address of their bus.
  private func withBoards(
    _ arguments: [String], faults: String = "", _ body: (String) async throws -> Void
  ) async throws {
    try await withScratchDirectory { directory in
      let script = directory.appending(path: "faults")
      try faults.write(to: script, atomically: true, encoding: .utf8)
      let simulator = try RunningProgram.start(["simulate", "--script", script.path] + arguments)
      let line = try #require(try await simulator.nextLine())
      do {
        try await body(String(line.drop { $0 != "=" }.dropFirst()))
      } catch {
        _ = try await simulator.end(with: SIGTERM)
        throw error
      }
      #expect(try await simulator.end(with: SIGTERM) == 0)
    }
  }
}
