import BoardKit
import FleetModel

/// The light sensor, an LTR-329 (protocol reference, section 23).
enum AmbientLight: Sendable {
  /// What can be chosen.
  struct Configuration: Hashable, Sendable {
    /// Amplification, one of `gains`.
    var gain: Double
    /// How long light is gathered, one of `integrations`, in milliseconds.
    var integration: Double
    /// Time between two values, one of `periods`, in milliseconds.
    var period: Double

    /// By their code; codes 4 and 5 are not used.
    static let gains: [Double?] = [1, 2, 4, 8, nil, nil, 48, 96]
    static let integrations: [Double] = [100, 50, 200, 400, 150, 250, 300, 350]
    static let periods: [Double] = [50, 100, 200, 500, 1000, 2000]

    /// The two bytes; values off the lists count as the first of theirs.
    var bytes: [UInt8] {
      [
        UInt8(Self.gains.firstIndex(of: gain) ?? 0) << 2,
        UInt8(Self.integrations.firstIndex(of: integration) ?? 0) << 3
          | UInt8(Self.periods.firstIndex(of: period) ?? 0),
      ]
    }

    init(gain: Double, integration: Double, period: Double) {
      self.gain = gain
      self.integration = integration
      self.period = period
    }

    /// Takes values of the catalogue, which are all there. Throws `invalid` for what excludes each other.
    init(_ keys: JSONObject, of stream: String) throws(CommandFailure) {
      guard let gain = keys["gain"]?.number, let integration = keys["integration_ms"]?.number,
        let period = keys["period_ms"]?.number
      else { throw .invalid("\(stream) needs gain, integration_ms and period_ms") }
      guard period >= integration else {
        throw .invalid(
          """
          period_ms \(ParameterType.plain(period)) of \(stream) is shorter than integration_ms \
          \(ParameterType.plain(integration))
          """)
      }
      self.init(gain: gain, integration: integration, period: period)
    }

    /// Reads what `bytes` say; nil when they are too short or say nothing known.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 2, let gain = Self.gains[Int(bytes[0] >> 2 & 0x07)],
        Self.periods.indices.contains(Int(bytes[1] & 0x07))
      else { return nil }
      self.init(
        gain: gain, integration: Self.integrations[Int(bytes[1] >> 3 & 0x07)],
        period: Self.periods[Int(bytes[1] & 0x07)])
    }
  }

  static let power = Register(.ambientLight, 0x01)
  static let settings = Register(.ambientLight, 0x02)

  static let powerOn = power.write(1)
  static let powerOff = power.write(0)
  static func configure(_ configuration: Configuration) -> [UInt8] { settings.write(configuration.bytes) }
}
