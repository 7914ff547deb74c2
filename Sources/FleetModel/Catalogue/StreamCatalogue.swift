/// Every stream there is. Topics, payload fields, validation, `info.streams` and documentation follow from here
/// (MQTT contract 2.2 and 2.4).
public enum StreamCatalogue {
  /// All streams with a name of their own, in the order people see them; those of pins and of buses are families
  /// more.
  public static let all: [StreamDefinition] =
    MotionStreams.all + FusionStreams.all + EnvironmentStreams.all + StateStreams.all + DetectorStreams.all

  /// The stream of that name, or the vector stream a component name such as `acceleration-y` belongs to with the
  /// field's position.
  public static func find(_ name: String) -> (stream: StreamDefinition, component: Int?)? {
    if let stream = byName[name] ?? PinStreams.stream(named: name) ?? BusStreams.stream(named: name) {
      return (stream, nil)
    }
    for stream in all {
      if let index = stream.components.firstIndex(where: { name == "\(stream.name)-\($0)" }) {
        return (stream, index)
      }
    }
    return nil
  }

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Output data rates of both accelerometers, in Hz (protocol reference, section 7).
  public static let accelerationRates: [Double] = [
    0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600,
  ]
}
