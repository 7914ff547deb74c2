import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationExampleTests {
  @Test func `the example is valid and changes nothing but its profile`() {
    let result = read(ConfigurationExample.text())
    #expect(result.problems == [])
    var expected = FleetConfiguration()
    expected.gateway.id = "floor-3"
    expected.hash = result.configuration.hash
    expected.profiles = result.configuration.profiles
    #expect(result.configuration == expected)
    #expect(
      result.configuration.profiles["vibration"]?.streams["acceleration"]?.configuration["rate_hz"] == 50)
  }

  @Test func `every key that is taken out can be put back`() {
    let lines = ConfigurationExample.text().split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { line in
      let body = line.drop { $0 == " " }
      guard body.hasPrefix("#"), !body.hasPrefix("# ") else { return String(line) }
      return String(line.prefix { $0 == " " }) + String(body.dropFirst())
    }.joined(separator: "\n").replacing("extends: climate", with: "")
    let result = read(text)
    #expect(result.problems.filter { $0.severity == .error } == [])
    #expect(result.configuration.boards.first?.name == "Pump 3")
    #expect(result.configuration.mqtt.passwordFile == "/run/credentials/mqtt-password")
  }

  @Test func `it names every key of the schema`() {
    let text = ConfigurationExample.text()
    func expect(_ keys: [Parameter]) {
      for key in keys {
        #expect(text.contains("\(key.name):"), "\(key.name)")
        if case .object(let members) = key.type { expect(members) }
      }
    }
    expect(ConfigurationKeys.file)
  }
}
