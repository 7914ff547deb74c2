import BoardKit
import FleetModel

@testable import MetaMotion

/// Does with our codecs what a vector case tells in words, and says what it wrote and heard.
struct VectorPlayer {
  /// One line per area. Programs come first, because a recovery takes the answers it asked for; else the order does
  /// not matter.
  private static let areas: [any VectorArea.Type] = [
    ProgramPhrases.self,
    AccelerationPhrases.self,
    BMI160Phrases.self,
    BMI270Phrases.self,
    BeaconPhrases.self,
    BusPhrases.self,
    DebugPhrases.self,
    EnvironmentPhrases.self,
    FusionPhrases.self,
    GyroscopePhrases.self,
    HapticPhrases.self,
    IdentityPhrases.self,
    LEDPhrases.self,
    MagnetometerPhrases.self,
    PinReadingPhrases.self,
    LogPhrases.self,
    PowerPhrases.self,
    RadioPhrases.self,
    SettingsPhrases.self,
    SwitchPhrases.self,
    TemperaturePhrases.self,
  ]

  /// What is there to be heard of, or written by, without any doing.
  private static let remarks: Set = [
    "deliver the notification with nothing subscribed", "parse a module-info reply",
  ]

  private(set) var stage = VectorStage()
  private var areas: [any VectorArea]

  init(_ vector: VectorCase) throws {
    let inventory = try Inventory(
      device: DeviceInformation(
        firmwareRevision: Array(vector.firmware.utf8), modelNumber: Array(vector.model.utf8),
        hardwareRevision: [], manufacturer: [], serialNumber: []),
      modules: vector.replies.compactMapValues(ModuleInfo.decode))
    areas = Self.areas.map { $0.init(on: inventory) }
    stage.answers = vector.inject
  }

  /// Carries out one phrase of a case.
  mutating func perform(_ phrase: String) throws {
    var isUnderstood = Self.remarks.contains(phrase)
    for index in areas.indices where try areas[index].perform(phrase, on: &stage) { isUnderstood = true }
    guard isUnderstood else { throw NotUnderstood(description: "the player does not know: \(phrase)") }
  }

  /// What our codecs make of a packet from the board.
  mutating func hear(_ packet: [UInt8]) throws -> [Heard] {
    for index in areas.indices {
      if let heard = try areas[index].hear(packet) { return heard }
    }
    return [.unwanted]
  }
}
