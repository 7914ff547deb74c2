import BoardKit
import FleetModel

/// The temperature channels of one board, in the order it lists them (protocol reference, section 10).
struct Temperature: Hashable, Sendable {
  /// Where a channel measures, by the number in the module's information.
  enum Source: UInt8, Sendable, CaseIterable {
    case die = 0
    case external = 1
    case bmp280 = 2
    case thermistor = 3

    /// The word in stream names and in the `source` argument.
    var name: String {
      switch self {
      case .die: "die"
      case .external: "external"
      case .bmp280: "bmp280"
      case .thermistor: "thermistor"
      }
    }

    /// The source of that name; nil when there is none.
    init?(named name: String) {
      guard let source = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = source
    }

    /// The source of a stream; nil for a stream of anything else.
    init?(ofStream name: String) {
      let prefix = "temperature-"
      guard name.hasPrefix(prefix) else { return nil }
      self.init(named: String(name.dropFirst(prefix.count)))
    }
  }

  /// One per channel; nil where the board names a source we do not know.
  let sources: [Source?]

  /// What is needed to read a thermistor on the board's pins.
  struct Thermistor: Hashable, Sendable {
    var dataPin: UInt8
    var pulldownPin: UInt8
    var isActiveHigh: Bool
  }

  static let channelMode = Register(.temperature, 0x02)

  /// Takes the channels from the module's information; nil for the single-channel generation.
  init?(_ info: BoardDescription.Module) {
    guard info.implementation == 1 else { return nil }
    sources = info.extra.map(Source.init(rawValue:))
  }

  /// The channel that measures at `source`; numbers differ from board to board.
  func channel(of source: Source) -> UInt8? {
    sources.firstIndex(of: source).flatMap { UInt8(exactly: $0) }
  }

  /// Makes `channel` read a thermistor.
  static func configure(_ thermistor: Thermistor, channel: UInt8) -> [UInt8] {
    channelMode.write(
      channel, thermistor.dataPin, thermistor.pulldownPin, thermistor.isActiveHigh ? 1 : 0)
  }
}
