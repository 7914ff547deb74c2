import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct RememberedTests {
  private func memory(_ change: (inout BoardMemory) -> Void) -> BoardMemory {
    var memory = BoardMemory(board: .number(1))
    change(&memory)
    return memory
  }

  @Test func nothingIsRememberedOfANewBoard() {
    let memory = memory { _ in }
    #expect(Remembered.overlay(memory).isEmpty)
    #expect(Remembered.led(memory) == nil)
    #expect(Remembered.description(memory) == nil)
  }

  @Test func theOverlayComesBack() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: .at(60_000), profile: [:])
    #expect(Remembered.overlay(memory { $0.overlay = Remembered.bytes(overlay) }) == overlay)
  }

  @Test func watchedPinsComeBack() {
    var pins = PinOverlay()
    pins.note(PinCommand(pin: 2, pull: .up, change: .any))
    #expect(Remembered.pins(memory { $0.overlay = Remembered.bytes(StreamOverlay(), pins: pins) }) == pins)
  }

  @Test("what is on a board comes back with the reset it belongs to")
  func programRecord() {
    for record in [ProgramRecord(), ProgramRecord(bytes: [1, 2], boot: 3), ProgramRecord(bytes: [1])] {
      let kept = memory { $0.overlay = Remembered.bytes(StreamOverlay(), programMemory: record) }
      #expect(Remembered.programMemory(kept) == record)
    }
  }

  private static let ledCases: [LEDState] = [
    LEDState(appearance: nil, until: nil, time: .at(0)),
    LEDState(
      appearance: LEDAppearance(
        color: LEDColor(red: 1, green: 2, blue: 255), brightness: 77, effect: "blink"),
      until: .at(1_500), time: .at(0)),
    LEDState(
      appearance: LEDAppearance(color: .white, brightness: 255, effect: "custom"), until: nil, time: .at(0)),
  ]

  @Test(arguments: ledCases)
  func theLEDComesBack(led: LEDState) {
    #expect(Remembered.led(memory { $0.led = Remembered.bytes(led) }) == led)
  }

  @Test func theDescriptionComesBack() throws {
    let description = BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
      hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
      modules: ["switch": .init(id: 1, isPresent: true, implementation: 0, revision: 0, extra: [])],
      slots: .init(loggers: 8), streams: [.init(name: "switch", offers: [:])])
    let kept = memory { $0.description = Remembered.bytes(description, interviewed: .at(5)) }
    let read = try #require(Remembered.description(kept))
    #expect(read.description == description && read.interviewed == .at(5))
  }

  @Test(
    "F93 what cannot be read any more counts as unknown",
    arguments: ["", "{", "[]", "null", "{}", "\u{0}", #"{"ts_ms":"x"}"#])
  func damaged(text: String) {
    let bytes = Array(text.utf8)
    let memory = memory {
      $0.overlay = bytes
      $0.led = bytes
      $0.description = bytes
    }
    #expect(Remembered.overlay(memory).isEmpty)
    #expect(Remembered.led(memory) == nil)
    #expect(Remembered.description(memory) == nil)
  }
}
