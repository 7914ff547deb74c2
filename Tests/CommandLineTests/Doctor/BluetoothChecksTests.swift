import DBus
import Testing

@testable import metafleet

@Suite struct BluetoothChecksTests {
  private static let whole = BluetoothFacts(
    bus: "unix:path=/run/dbus/system_bus_socket", isContainer: false, isRunning: true, isInstalled: true,
    adapters: [.init(name: "hci0", address: "00:AA:01:00:00:00", isPowered: true)], hasHelper: true)

  private func judge(
    _ check: Diagnosis.Check, _ change: (inout BluetoothFacts) -> Void
  ) throws -> Diagnosis {
    var facts = Self.whole
    change(&facts)
    return try #require(BluetoothChecks.judge(facts).first { $0.check == check })
  }

  @Test func `F244 nothing is wrong with whole Bluetooth`() {
    #expect(BluetoothChecks.judge(Self.whole).allSatisfy { $0.verdict == .ok && $0.fix == nil })
    var named = Self.whole
    named.wanted = ["00:aa:01:00:00:00"]
    #expect(BluetoothChecks.judge(named).allSatisfy { $0.verdict == .ok })
  }

  @Test func `F244 without a bus what is behind it cannot be checked`() {
    var facts = Self.whole
    facts.busFailure = .disconnected("Failed to connect to socket /s: No such file or directory")
    let diagnoses = BluetoothChecks.judge(facts)
    #expect(diagnoses.map(\.verdict) == [.broken, .unchecked, .unchecked, .unchecked])
    #expect(diagnoses.first?.fix?.contains("apt-get install dbus") == true)
  }

  @Test func `F244 a bluetoothd that is stopped and one that is not installed have two remedies`() throws {
    let stopped = try judge(.bluetoothd) { $0.isRunning = false }
    #expect(stopped.verdict == .broken && stopped.fix == "sudo systemctl enable --now bluetooth")
    let absent = try judge(.bluetoothd) { ($0.isRunning, $0.isInstalled) = (false, false) }
    #expect(absent.verdict == .broken && absent.fix == "sudo apt-get install bluez")
    #expect(try judge(.adapters) { $0.isRunning = false }.verdict == .unchecked)
  }

  @Test func `F244 a bluetoothd that does not answer, or may not be asked, is broken`() throws {
    let mute = try judge(.bluetoothd) { $0.failure = .timedOut(after: .seconds(5)) }
    #expect(mute.verdict == .broken && mute.fix == "sudo systemctl restart bluetooth")
    let denied = try judge(.bluetoothd) {
      $0.failure = .error(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Rejected send message")
    }
    #expect(denied.verdict == .broken && denied.fix?.contains("bluetooth") == true)
  }

  @Test func `F244 adapters that are missing, nameless or off are told`() throws {
    #expect(try judge(.adapters) { $0.adapters = [] }.verdict == .broken)
    let missing = try judge(.adapters) { $0.wanted = ["00:AA:01:00:00:00", "00:AA:01:00:00:07"] }
    #expect(missing.verdict == .broken && missing.text.contains("names 00:AA:01:00:00:07"))
    #expect(
      try judge(.adapters) {
        $0.adapters = [.init(name: "hci0", address: "00:00:00:00:00:00", isPowered: true)]
      }
      .verdict == .broken)
    #expect(try judge(.adapters) { $0.adapters[0].isPowered = false }.verdict == .warning)
  }

  @Test func `F244 a gateway works without the helper, and is told what it lacks`() throws {
    #expect(try judge(.helper) { $0.hasHelper = false }.verdict == .warning)
  }
}
