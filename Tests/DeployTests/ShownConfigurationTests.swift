import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ShownConfigurationTests {
  private func document(_ path: String) throws -> String {
    try String(contentsOf: CommandContract.repository.appending(path: path), encoding: .utf8)
  }

  private func read(_ text: String) -> ConfigurationReader.Result {
    ConfigurationReader.read(
      text, hostName: "gateway",
      files: FileReferences(directory: "/etc/metafleet", credentials: "/run/credentials/metafleet") { _ in
        .readable(isWorldReadable: false)
      })
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
    let files = ShownConfiguration.written(in: try document("deploy/docs/operating.md"))
    #expect(files.count == 2)
    for file in files {
      let result = read(file)
      #expect(result.problems.isEmpty)
      #expect(result.configuration.mqtt.username != nil && result.configuration.mqtt.passwordFile != nil)
      #expect(result.configuration.mqtt.tls != nil)
    }
  }

  @Test func `an installer is told every package that the build needs`() throws {
    let told = ShownConfiguration.packages(in: try document("deploy/docs/operating.md"))
    let libraries = ShownConfiguration.needed(by: try document("deploy/demo")).filter {
      $0.hasSuffix("-dev") || $0 == "pkg-config"
    }
    let toolchain = ShownConfiguration.needed(by: try document("deploy/setup"))
    #expect(libraries.count == 6 && toolchain.count > 5)
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
      cat > ~/metafleet.yaml <<'END'
      mqtt: { host: b }
      END
      ```
      """
    #expect(ShownConfiguration.together(in: text) == "profiles:\n  a: {}\n  b: {}\n")
    #expect(ShownConfiguration.written(in: text) == ["mqtt: { host: a }\n", "mqtt: { host: b }\n"])
    #expect(ShownConfiguration.packages(in: text) == ["one", "two"])
    let script =
      "install_packages() {\n  for a; do :; done\n}\n  install_packages git gcc\ninstall_packages \"$@\"\n"
    #expect(ShownConfiguration.needed(by: script) == ["git", "gcc"])
  }
}
