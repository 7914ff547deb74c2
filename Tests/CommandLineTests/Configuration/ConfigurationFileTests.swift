import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ConfigurationFileTests {
  @Test func `the option goes before the environment, that before the usual places`() {
    let environment = ["METAFLEET_CONFIG": "/e", "XDG_CONFIG_HOME": "/x", "HOME": "/h"]
    #expect(ConfigurationFile.Place(option: "/o", environment: environment) == .named("/o"))
    #expect(ConfigurationFile.Place(option: nil, environment: environment) == .named("/e"))
    #expect(
      ConfigurationFile.Place(option: nil, environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"])
        == .usual(["/x/metafleet/metafleet.yaml", "/etc/metafleet/metafleet.yaml"]))
    #expect(
      ConfigurationFile.Place(option: nil, environment: ["HOME": "/h"])
        == .usual(["/h/.config/metafleet/metafleet.yaml", "/etc/metafleet/metafleet.yaml"]))
    #expect(
      ConfigurationFile.Place(option: nil, environment: [:]) == .usual(["/etc/metafleet/metafleet.yaml"]))
  }

  @Test func `a named file that is missing is an error`() throws {
    let file = try #require(ConfigurationFile.find(.named("/nowhere/metafleet.yaml")))
    let problems = file.read().problems
    #expect(problems.hasErrors)
    #expect(
      problems.first?.report(in: file.path).hasPrefix("/nowhere/metafleet.yaml: error: the file does not")
        == true)
  }

  @Test func `- is standard input, and files that it names lie in the working directory`() async throws {
    let good = try await BuiltProgram.run(
      ["config", "check", "--config", "-"], input: "log: { level: debug }\n")
    #expect(good.status == 0 && good.output.isEmpty)
    let bad = try await BuiltProgram.run(
      ["config", "check", "--config", "-"], input: "mqqt: {}\nmqtt: { password_file: no-such }\n")
    #expect(bad.status == 78)
    #expect(
      bad.output.hasPrefix("standard input:1:1: error: ") && bad.output.contains("/no-such does not exist"))
  }

  @Test func `nothing in the usual places is nothing`() {
    #expect(ConfigurationFile.find(.usual(["/nowhere/a.yaml", "/nowhere/b.yaml"])) == nil)
  }

  @Test func `F101 files are looked at with their mode`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let secret = directory.appending(path: "secret").path
    try Data("geheim".utf8).write(to: URL(fileURLWithPath: secret))
    try Data("mqtt: { password_file: secret }".utf8).write(to: directory.appending(path: "c.yaml"))
    let file = ConfigurationFile(path: directory.appending(path: "c.yaml").path)

    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    #expect(file.read(environment: [:]).problems == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
    let text = file.read(environment: [:]).problems.map(\.text).joined()
    #expect(text.contains("chmod o-rwx"))
    #expect(!text.contains("geheim"))
  }

  @Test(
    arguments: [("boards: []\n", false), ("boards: []", true), ("boards: []\r\n", false), ("", false)])
  func `F190 a last line without an end is noticed`(text: String, isNoticed: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "metafleet-\(UUID()).yaml").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = ConfigurationFile(path: path)
    #expect(file.read().checked(file).endsMidLine == isNoticed)
  }

  @Test func `a file that is not text is an error`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "metafleet-\(UUID()).yaml").path
    try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(ConfigurationFile(path: path).read().problems.hasErrors)
  }
}
