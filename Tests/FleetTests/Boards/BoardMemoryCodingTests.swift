import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct BoardMemoryCodingTests {
  private func memory(_ change: (inout BoardMemory) -> Void) -> BoardMemory {
    var memory = BoardMemory(board: .number(1))
    change(&memory)
    return memory
  }

  @Test func `nothing is remembered of a new board`() {
    let memory = memory { _ in }
    #expect(BoardMemoryCoding.led(memory) == nil)
    #expect(BoardMemoryCoding.description(memory) == nil)
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
  func `the LED comes back`(led: LEDState) {
    #expect(BoardMemoryCoding.led(memory { $0.led = BoardMemoryCoding.bytes(led) }) == led)
  }

  @Test func `the description comes back`() throws {
    let description = BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
      hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
      modules: ["switch": .init(id: 1, isPresent: true, implementation: 0, revision: 0, extra: [])],
      slots: .init(loggers: 8), streams: [.init(name: "switch", offers: [:])])
    func kept(_ earlier: HardwareIdentity?, _ firmware: JSONObject) -> BoardMemory {
      let interview = BoardMemoryCoding.Interview(
        description: description, interviewed: .at(5), earlier: earlier,
        firmware: BoardFirmware(document: firmware))
      return memory { $0.description = BoardMemoryCoding.bytes(interview) }
    }
    let read = try #require(BoardMemoryCoding.description(kept(nil, [:])))
    #expect(read.description == description && read.interviewed == .at(5) && read.earlier == nil)
    let earlier = HardwareIdentity(serial: "055B9D", model: "MetaMotion S", imu: "")
    #expect(BoardMemoryCoding.description(kept(earlier, [:]))?.earlier == earlier)
    let firmware: JSONObject = ["announced": ["1.7.4"], "hardware_listed": true]
    #expect(BoardMemoryCoding.description(kept(nil, firmware))?.firmware.document == firmware)
  }

  @Test(
    arguments: ["", "{", "[]", "null", "{}", "\u{0}", #"{"ts_ms":"x"}"#])
  func `F93 what cannot be read any more counts as unknown`(text: String) {
    let bytes = Array(text.utf8)
    let memory = memory {
      $0.led = bytes
      $0.description = bytes
    }
    #expect(BoardMemoryCoding.led(memory) == nil)
    #expect(BoardMemoryCoding.description(memory) == nil)
  }
}
