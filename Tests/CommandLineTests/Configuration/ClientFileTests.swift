import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ClientFileTests {
  private func find(
    option: String? = nil, _ environment: [String: String], there: Set<String> = []
  ) -> ClientFile.Source? {
    ClientFile.find(option: option, environment: environment) { there.contains($0) }
  }

  private let home = ["HOME": "/h"]

  @Test func `what is named goes before what is usual, the option before the environment`() {
    let both = ["METAFLEET_CLIENT_CONFIG": "/c", "METAFLEET_CONFIG": "/d", "HOME": "/h"]
    #expect(find(option: "/o", both) == .daemon(ConfigurationFile(path: "/o")))
    #expect(find(both) == .client(ConfigurationFile(path: "/c")))
    #expect(
      find(["METAFLEET_CONFIG": "/d", "HOME": "/h"], there: ["/h/.config/metafleet/client.yaml"])
        == .daemon(ConfigurationFile(path: "/d")))
  }

  @Test func `a person's file goes before the computer's, one for clients before the daemon's`() {
    let all = [
      "/h/.config/metafleet/client.yaml", "/h/.config/metafleet/metafleet.yaml", "/etc/metafleet/client.yaml",
      "/etc/metafleet/metafleet.yaml",
    ]
    let expected: [ClientFile.Source] = [
      .client(ConfigurationFile(path: all[0])), .daemon(ConfigurationFile(path: all[1])),
      .client(ConfigurationFile(path: all[2])), .daemon(ConfigurationFile(path: all[3])),
    ]
    for index in all.indices { #expect(find(home, there: Set(all[index...])) == expected[index]) }
    #expect(find(home) == nil)
  }

  @Test func `the file for clients takes the broker, and nothing of the daemon`() async throws {
    try await withScratchDirectory { directory in
      let path = directory.appending(path: "client.yaml").path
      func read(_ text: String) throws -> (uplink: UplinkConfiguration, problems: [ConfigurationProblem]) {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return ConfigurationFile(path: path).readClient(environment: [:])
      }
      let good = try read(
        "mqtt: { host: broker.example, port: 8883, tls: true, username: me, base: plant }\n")
      #expect(good.problems == [])
      #expect(good.uplink.host == "broker.example" && good.uplink.tls == TLSConfiguration())
      #expect(good.uplink.username == "me" && good.uplink.base == "plant")
      let wrong = try read("mqtt: { hots: a }\nboards: []\n")
      #expect(wrong.problems.map(\.line) == [1, 2] && wrong.problems.hasErrors)
      #expect(try read("mqtt: { password_file: nowhere }\n").problems.hasErrors)
      #expect(try read("mqtt: { host: \"a b\" }\n").problems.hasErrors, "as in the other file")
      #expect(try read("mqtt: { host: \"mqtt://a\" }\n").uplink.host == "a")
    }
  }

  @Test func `the example is valid, and is checked as what it is`() async throws {
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "client.yaml")
      let example = try await BuiltProgram.run(["config", "example", "--client"])
      #expect(example.status == 0 && example.output.contains("password_file"))
      try Data(example.output.utf8).write(to: file)
      for arguments in [["--config", file.path], []] {
        let check = try await BuiltProgram.run(
          ["config", "check", "--client"] + arguments, environment: ["METAFLEET_CLIENT_CONFIG": file.path])
        #expect(check.status == 0 && check.output.isEmpty, "\(check.output)")
      }
      let none = try await BuiltProgram.run(
        ["config", "check", "--client"], environment: ["HOME": "/nowhere"])
      #expect(none.status == 78 && none.errors.contains("/nowhere/.config/metafleet/client.yaml"))
    }
  }

  @Test func `client commands take it`() async throws {
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await withScratchDirectory { directory in
        let file = directory.appending(path: "client.yaml")
        try Data("mqtt: { host: 127.0.0.1, port: \(rig.broker.port) }\n".utf8).write(to: file)
        let ending = try await BuiltProgram.run(
          ["boards", "--json"], environment: ["METAFLEET_CLIENT_CONFIG": file.path])
        #expect(ending.status == 0 && ending.output.contains("Pump 3"), "\(ending.errors)")
        try Data("mqqt: {}\n".utf8).write(to: file)
        let wrong = try await BuiltProgram.run(
          ["boards"], environment: ["METAFLEET_CLIENT_CONFIG": file.path])
        #expect(wrong.status == 78 && wrong.errors.contains("did you mean mqtt?"))
      }
    }
  }
}
