import BoardKit
import FleetModel

/// The light sensor, an LTR-329 (protocol reference, section 23).
enum AmbientLight {
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
  static let illuminance = Register(.ambientLight, 0x03)

  static let powerOn = power.write(1)
  static let powerOff = power.write(0)
  /// Thousandths of a lux.
  /// Milli-lux on the wire.
  static let countsPerLux = 1_000.0
  static let layout = PacketLayout(.uint32, scale: 1 / countsPerLux)

  static func configure(_ configuration: Configuration) -> [UInt8] { settings.write(configuration.bytes) }
}

/// Illuminance as a stream.
struct AmbientLightSource: StreamSource {
  private var shared = SharedSettings<AmbientLight.Configuration>()
  private var outputs = StreamOutputs()

  init?(on board: Inventory) {
    guard board.has(.ambientLight) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "illuminance" ? stream.listedOffers : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    let keys = order.configuration
    let wanted = AmbientLight.Configuration(
      gain: keys["gain"]?.number ?? 1, integration: keys["integration_ms"]?.number ?? 100,
      period: keys["period_ms"]?.number ?? 500)
    guard wanted.period >= wanted.integration else {
      throw .invalid(
        """
        period_ms \(ParameterType.plain(wanted.period)) of \(order.name) is shorter than integration_ms \
        \(ParameterType.plain(wanted.integration))
        """)
    }
    try shared.agree(on: wanted, for: order.title, sensor: "illuminance") {
      "gain \(ParameterType.plain($0.gain)), integration \(ParameterType.plain($0.integration)) ms, "
        + "period \(ParameterType.plain($0.period)) ms"
    }
    outputs.add(order.key, component: order.component)
    return StreamTaken(keys, period: .milliseconds(Int64(wanted.period)), unit: .ambientLight)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard let configuration = shared.value else { return [] }
    return [
      SensorRun(
        unit: .ambientLight, configure: [.write(AmbientLight.configure(configuration))],
        registers: [AmbientLight.illuminance], start: [AmbientLight.powerOn], stop: [AmbientLight.powerOff])
    ]
  }

  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .ambientLight, registers: [AmbientLight.illuminance], stop: [AmbientLight.powerOff])
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    [PacketRoute(AmbientLight.illuminance, AmbientLight.layout, outputs: outputs)]
  }
}
