/// How many packets a second streams make a link carry, as far as their configurations tell: those with a rate of their
/// own, and what fusion yields at the rate of its mode.
public struct LinkLoad: Hashable, Sendable {
  /// Packets a second that a link carries: four in each connection event, one every 15 ms (protocol reference, section
  /// 36: what a central allows that lets four packets into an event).
  public static let carried = 266.0
  /// Below this rate packets are not filled with three samples by themselves; `packed: on` fills them all the same.
  private static let slowestPacked = 12.5

  /// Packets a second, by streams; of a sensor's components only one carries.
  public let packets: [String: Double]

  /// Counts what `streams` ask for.
  public init(of streams: some Collection<StreamRequest>) {
    var packets: [String: Double] = [:]
    for request in streams {
      guard let stream = StreamCatalogue.find(request.name)?.stream, stream.isNotified,
        let rate = Self.rate(of: stream, request.configuration)
      else { continue }
      packets[stream.name] = rate / Double(Self.samples(in: request.configuration, rate))
    }
    self.packets = packets
  }

  /// All together.
  public var total: Double { packets.values.reduce(0, +) }

  /// What to say where a link does not carry it; nil where it does.
  public var warning: String? {
    guard total > Self.carried else { return nil }
    let parts = packets.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map {
      "\($0.key) \(Int($0.value.rounded()))"
    }
    return
      "asks for \(Int(total.rounded())) packets a second (\(parts.joined(separator: ", "))); a connection carries about "
      + "\(Int(Self.carried)), so samples will be lost: lower rate_hz, set packed: on, or log it"
  }

  private static func rate(of stream: StreamDefinition, _ configuration: JSONObject) -> Double? {
    if let rate = configuration["rate_hz"]?.number { return rate }
    // Protocol reference, section 26.2.
    switch configuration["mode"]?.string {
    case "ndof", "imuplus": return 100
    case "m4g": return 50
    case "compass": return 25
    default: return nil
    }
  }

  private static func samples(in configuration: JSONObject, _ rate: Double) -> Int {
    switch configuration["packed"]?.string {
    case "on": 3
    case "auto": rate >= slowestPacked ? 3 : 1
    default: 1
    }
  }
}
