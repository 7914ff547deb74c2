import Dialects
import FleetModel
import Foundation
import Testing

@testable import metafleet

/// With a broker that is there and a bus that is not; all the rest is tried from outside.
@Suite struct DoctorCommandTests {
  private func verdicts(
    _ rig: ClientRig, _ arguments: [String]
  ) async throws -> (status: Int32, verdicts: [String: String]) {
    let environment = rig.environment.merging([
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus", "METAFLEET_MQTT_HOST": "127.0.0.1",
    ]) { first, _ in first }
    let ending = try await BuiltProgram.run(["doctor", "--json"] + arguments, environment: environment)
    var verdicts: [String: String] = [:]
    for line in ending.output.split(separator: "\n") {
      let object = try StrictJSON.parse(Array(line.utf8), limits: .trusting).object
      verdicts[object?["check"]?.string ?? ""] = object?["verdict"]?.string
    }
    return (ending.status, verdicts)
  }

  @Test func `F244 every check has one line, before there is a configuration and behind`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await withScratchDirectory { directory in
        let sysfs = directory.appending(path: "sys").path
        let radio = "\(sysfs)/class/rfkill/rfkill0"
        try FileManager.default.createDirectory(atPath: radio, withIntermediateDirectories: true)
        for (file, text) in [("type", "bluetooth\n"), ("name", "hci0\n"), ("soft", "1\n"), ("hard", "0\n")] {
          try Data(text.utf8).write(to: URL(fileURLWithPath: "\(radio)/\(file)"))
        }
        let before = try await verdicts(rig, ["--sysfs", sysfs, "--config", "\(sysfs)/none.yaml"])
        #expect(before.status == 1)
        #expect(Set(before.verdicts.keys) == Set(Diagnosis.Check.allCases.map(\.rawValue)))
        #expect(before.verdicts["configuration"] == "warning" && before.verdicts["rfkill"] == "broken")
        #expect(before.verdicts["bus"] == "broken" && before.verdicts["adapters"] == "unchecked")
        #expect(before.verdicts["broker-login"] == "ok" && before.verdicts["gateway"] == "unchecked")

        try Data("0\n".utf8).write(to: URL(fileURLWithPath: "\(radio)/soft"))
        let file = directory.appending(path: "metafleet.yaml").path
        try Data("gateway: { id: g1 }\nstorage: { directory: \(directory.path)/state, min_free: 1kB }\n".utf8)
          .write(to: URL(fileURLWithPath: file))
        let behind = try await verdicts(rig, ["--sysfs", sysfs, "--config", file])
        for check in ["configuration", "state", "database", "disk", "rfkill", "broker-topics"] {
          #expect(behind.verdicts[check] == "ok", "\(check): \(behind.verdicts)")
        }
      }
    }
  }
}
