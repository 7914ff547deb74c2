import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ShownConfigurationTests {
  private func document(_ path: String) throws -> String {
    try String(contentsOf: CommandContract.repository.appending(path: path), encoding: .utf8)
  }

  private let files = FileReferences(directory: "/etc/metafleet", credentials: "/run/credentials/metafleet") {
    _ in .readable(isWorldReadable: false)
  }

  private func read(_ text: String) -> ConfigurationReader.Result {
    ConfigurationReader.read(text, hostName: "gateway", files: files)
  }

  @Test(arguments: ["README.md", "deploy/docs/profiles.md"])
  func `what a document shows of the file is together a valid one, and its boards do something`(path: String)
    throws
  {
    let result = read(ShownConfiguration.together(in: try document(path)))
    #expect(result.problems.isEmpty)
    #expect(!result.configuration.boards.isEmpty)
    for board in result.configuration.boards {
      let profile = board.profile.flatMap { result.configuration.profiles[$0] }
      #expect(profile.map { $0.streams.isEmpty && $0.logs.isEmpty } == false)
    }
  }

  @Test func `the example of the contract is valid`() throws {
    let text = ShownConfiguration.together(in: try document("deploy/docs/configuration.md"))
    #expect(!text.isEmpty)
    #expect(read(text).problems.isEmpty)
  }

  @Test func `the files that an installer writes are valid, and name a user with a password`() throws {
    let document = try document("deploy/docs/operating.md")
    let gateways = ShownConfiguration.written(to: "metafleet.yaml", in: document).map(read)
    let clients = ShownConfiguration.written(to: "client.yaml", in: document).map {
      ConfigurationReader.readClient($0, files: files)
    }
    #expect(gateways.count == 1 && clients.count == 1)
    #expect(gateways.flatMap(\.problems).isEmpty && clients.flatMap(\.problems).isEmpty)
    for broker in gateways.map(\.configuration.mqtt) + clients.map(\.uplink) {
      #expect(broker.username != nil && broker.passwordFile != nil && broker.tls != nil)
    }
  }

  @Test func `the file that comes with the package is valid, and names a user with a password`() throws {
    let packaged = ShownConfiguration.example(
      ConfigurationExample.text(), packagedBy: try document("deploy/package"))
    let result = read(try #require(packaged))
    #expect(!result.problems.contains { $0.severity == .error })
    #expect(result.configuration.mqtt.username != nil)
    #expect(result.configuration.mqtt.passwordFile == "/etc/metafleet/mqtt-password")
  }

  @Test func `an installer is told every package that the build needs`() throws {
    let told = ShownConfiguration.packages(in: try document("deploy/docs/operating.md"))
    let libraries = ShownConfiguration.needed(by: try document("deploy/demo")).filter {
      $0.hasSuffix("-dev") || $0 == "pkg-config"
    }
    let toolchain = ShownConfiguration.needed(by: try document("deploy/setup"))
    #expect(libraries.count == 8 && toolchain.count > 5)
    #expect(libraries.union(toolchain).subtracting(told) == [])
  }

  @Test func `pieces are put together, and what a shell writes is found`() {
    let text = """
      ```yaml
      profiles:
        a: {}
      ```
      Then
      ```yaml
        b: {}
      ```
      ```sh
      sudo apt-get install --yes one two
      sudo tee /etc/metafleet/metafleet.yaml <<'END'
      mqtt: { host: a }
      END
      cat > ~/client.yaml <<'END'
      mqtt: { host: b }
      END
      ```
      """
    #expect(ShownConfiguration.together(in: text) == "profiles:\n  a: {}\n  b: {}\n")
    #expect(ShownConfiguration.written(to: "metafleet.yaml", in: text) == ["mqtt: { host: a }\n"])
    #expect(ShownConfiguration.written(to: "client.yaml", in: text) == ["mqtt: { host: b }\n"])
    #expect(ShownConfiguration.packages(in: text) == ["one", "two"])
    let sed = #"sed -e 's|^  #user: .*|  user: a|'"#
    #expect(
      ShownConfiguration.example("mqtt:\n  #user: x\n", packagedBy: sed) == "mqtt:\n  user: a\n")
    #expect(ShownConfiguration.example("mqtt:\n", packagedBy: sed) == nil)
    let script =
      "install_packages() {\n  for a; do :; done\n}\n  install_packages git gcc\ninstall_packages \"$@\"\n"
    #expect(ShownConfiguration.needed(by: script) == ["git", "gcc"])
  }
}
