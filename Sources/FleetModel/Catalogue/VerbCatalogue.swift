/// Every verb there is (MQTT contract 3 and 4).
public enum VerbCatalogue {
  /// All verbs, in the order people see them.
  public static let all: [VerbDefinition] = [
    LEDVerbs.led, LEDVerbs.identify, ReadVerb.read, StreamVerbs.start, StreamVerbs.stop, SensorVerb.sensor,
    LifeVerbs.reset,
    LifeVerbs.disconnect, GatewayVerbs.admit, GatewayVerbs.forget, GatewayVerbs.scan, GatewayVerbs.reload,
  ]

  /// The verb of that name for boards or for gateways.
  public static func find(_ name: String, for addressee: VerbDefinition.Addressee) -> VerbDefinition? {
    all.first { $0.name == name && $0.addressee == addressee }
  }

  /// Names of the verbs for boards or for gateways, sorted.
  public static func names(for addressee: VerbDefinition.Addressee) -> [String] {
    all.filter { $0.addressee == addressee }.map(\.name).sorted()
  }
}
