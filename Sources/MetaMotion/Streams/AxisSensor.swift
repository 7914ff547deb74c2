import FleetModel

/// What raw sensors with three axes have in common: samples come one or three to a packet, in different registers.
struct AxisSensor: Sendable {
  let signal: SensorSignal
  /// Where three samples come in one packet; nil where the firmware cannot.
  let packed: Register?
  /// Where they come one by one.
  var plain: Register { signal.register }

  init(_ signal: SensorSignal, packed: Register?) { (self.signal, self.packed) = (signal, packed) }

  /// Below this rate a packed stream is not worth waiting for: its first sample would be more than 160 ms late.
  private static let slowestPacked = 12.5

  var registers: [Register] { [plain] + [packed].compactMap(\.self) }

  /// What may be chosen: the lists of the catalogue, without packing where there is none.
  func offers(for stream: StreamDefinition) -> JSONObject {
    var offers = stream.listedOffers
    if packed == nil { offers["packed"] = ["auto", "off"] }
    return offers
  }

  /// Whether samples shall come three to a packet; nil where none shall come.
  func isPacked(_ order: StreamOrder, hertz: Double) throws(CommandFailure) -> Bool? {
    guard order.key != nil else { return nil }
    switch order.configuration["packed"]?.string {
    case "on":
      guard packed != nil else {
        throw CommandFailure(
          .unsupported,
          "the firmware of this board cannot pack \(order.definition.name); leave packed out or set it to off"
        )
      }
      return true
    case "off": return false
    default: return packed != nil && hertz >= Self.slowestPacked
    }
  }

  /// The register that delivers; none where nobody takes samples.
  func registers(isPacked: Bool?) -> [Register] { isPacked.map { [$0 ? packed ?? plain : plain] } ?? [] }

  /// How packets of both registers are read; those of the register that delivers go to `outputs`.
  func routes(
    isPacked: Bool? = nil, _ scales: SignalScales = SignalScales(), period: Duration = .zero,
    outputs: StreamOutputs
  ) -> [PacketRoute] {
    let isPacked = isPacked ?? false
    let layout = signal.packets(scales)
    let nobody = StreamOutputs()
    let plainRoute = PacketRoute(plain, layout, outputs: isPacked ? nobody : outputs)
    guard let packed else { return [plainRoute] }
    return [
      plainRoute,
      PacketRoute(packed, layout.packed, period: period, outputs: isPacked ? outputs : nobody),
    ]
  }
}

/// How a sensor with three axes runs. Where several want it, they agree: chains on the board do not care how samples
/// travel to the host.
struct AxisSettings<Configuration: Hashable & Sendable>: Hashable, Sendable {
  var configuration: Configuration
  /// nil while no samples come.
  var isPacked: Bool?

  /// What suits both; nil where nothing does.
  static func joining(_ one: AxisSettings, _ other: AxisSettings) -> AxisSettings? {
    guard one.configuration == other.configuration else { return nil }
    guard let isPacked = one.isPacked, let otherIsPacked = other.isPacked else {
      return one.isPacked == nil ? other : one
    }
    return isPacked == otherIsPacked ? one : nil
  }

  /// The packing as it is shown.
  var packing: JSONValue? { isPacked.map { $0 ? "on" : "off" } }
  /// The packing in words, behind others.
  var packingWords: String { isPacked.map { ", packed \($0 ? "on" : "off")" } ?? "" }
}

extension StreamDefinition {
  /// The allowed values of every key that has a list of them (MQTT contract 1.1).
  var listedOffers: JSONObject {
    var offers = JSONObject()
    for parameter in ownParameters {
      switch parameter.type {
      case .offered(let values):
        offers[parameter.name] = .array(values.map { Int64(exactly: $0).map { .integer($0) } ?? .number($0) })
      case .choice(let words): offers[parameter.name] = .array(words.map { .string($0) })
      case .integer(let range):
        offers[parameter.name] = [
          "min": .integer(range.lowerBound), "max": .integer(range.upperBound), "step": 1,
        ]
      default: break
      }
    }
    return offers
  }
}
