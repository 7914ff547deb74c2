import Testing

@testable import FleetModel

/// The declaration of the configuration file (MQTT contract 7).
@Suite struct ConfigurationKeysTests {
  private static let leaves = ConfigurationKeys.leaves

  private func key(_ path: String) -> Parameter? { Self.leaves.first { $0.path == path }?.key }

  @Test func `every key is declared once`() {
    #expect(Set(Self.leaves.map(\.path)).count == Self.leaves.count)
    #expect(Self.leaves.allSatisfy { $0.key.file != nil })
  }

  @Test func `defaults are those of the values`() {
    #expect(key("mqtt.keepalive")?.standard == "20s")
    #expect(key("storage.outbox.max_size")?.standard == "1GB")
    #expect(key("bluetooth.adapters")?.standard == "auto")
    #expect(key("profiles.<name>.visit.jitter")?.standard == "10%")
    #expect(key("mqtt.port")?.standard == nil && key("mqtt.port")?.file?.whenMissing != nil)
  }

  @Test func `every key has a default or says what counts when it is missing`() {
    for (path, key) in Self.leaves where key.file?.isInEffect == true && !key.isRequired {
      #expect((key.standard != nil) != (key.file?.whenMissing != nil), "\(path)")
    }
  }

  @Test func `every default is one that its type takes`() {
    for (path, key) in Self.leaves {
      guard let standard = key.standard else { continue }
      var check = ArgumentCheck()
      _ = check.value(standard, as: key.type, at: .file)
      #expect(check.faults == [], "\(path)")
    }
  }

  @Test func `what is in effect says when a change counts`() {
    for (path, key) in Self.leaves {
      #expect((key.file?.reload == nil) == (key.file?.isInEffect == false), "\(path)")
    }
  }
}
