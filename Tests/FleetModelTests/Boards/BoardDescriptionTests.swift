import FleetModel
import Testing

@Suite struct BoardDescriptionTests {
  private static let full = BoardDescription(
    model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
    hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
    modules: [
      "accelerometer": .init(id: 3, isPresent: true, implementation: 4, revision: 0, extra: []),
      "settings": .init(id: 0x11, isPresent: true, implementation: 0, revision: 9, extra: [3]),
      "logging": .init(
        id: 0x0B, isPresent: true, implementation: 0, revision: 3, extra: [8, 0, 0x80, 0x2B, 0, 0]),
      "humidity": .init(id: 0x16, isPresent: false, implementation: nil, revision: nil, extra: []),
    ],
    slots: .init(loggers: 8, processors: 28, events: 28, timers: 8, macros: 8, logEntries: 66_781_184),
    streams: [
      .init(name: "acceleration", offers: ["rate_hz": [12.5, 25, 50, 100], "range_g": [2, 4, 8, 16]]),
      .init(name: "battery", offers: [:]),
    ])

  private static let bare = BoardDescription(
    model: "MetaMotion R", modelNumber: "5", manufacturer: "", serialNumber: "", hardwareRevision: "",
    firmwareRevision: "", imu: nil, modules: [:], slots: .init(), streams: [])

  @Test(arguments: [full, bare])
  func `comes back as it was`(description: BoardDescription) {
    #expect(BoardDescription(document: description.document) == description)
  }

  @Test func `what is not known is left out, never null`() {
    let document = Self.bare.document
    #expect(document["imu"] == nil)
    #expect(document["slots"]?.object?.isEmpty == true)
    #expect(!document.members.contains { $0.value == .null })
  }

  @Test(arguments: ["model", "model_id", "manufacturer", "serial", "hw", "fw", "modules", "streams"])
  func `is refused when something is missing`(key: String) {
    var document = Self.full.document
    document[key] = nil
    #expect(BoardDescription(document: document) == nil)
    document[key] = 5
    #expect(BoardDescription(document: document) == nil)
  }

  @Test func `damaged modules and streams are left out`() throws {
    var document = Self.full.document
    document["modules"] = ["switch": "01000", "led": "", "haptic": 5, "debug": "fe0002"]
    document["streams"] = [5, ["offers": [:]], ["name": "battery"]]
    let read = try #require(BoardDescription(document: document))
    #expect(read.modules.keys.sorted() == ["debug"])
    #expect(read.modules["debug"]?.revision == 2)
    #expect(read.streams == [.init(name: "battery", offers: [:])])
  }
}
