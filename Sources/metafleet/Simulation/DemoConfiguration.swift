import FleetModel
import Simulator

/// The demo's configuration file (MQTT contract 8): every simulated board is listed, so it is admitted.
enum DemoConfiguration {
  /// The text of the file. `index` is a directory with an index of firmware, so that nothing is asked over the network.
  /// `httpPort` is where the page is served, which `token` lets command the boards; nil: nowhere. Batches go out in
  /// `encodings`.
  static func text(
    fleet: SimulationPlan, port: Int, httpPort: Int?, token: String? = nil, directory: String, index: String,
    encodings: Set<SampleEncoding>
  ) -> String {
    let lanes = SampleEncoding.allCases.filter(encodings.contains).map(\.rawValue).joined(separator: ", ")
    var text = """
      gateway: { id: demo, site: Demo }
      mqtt: { host: 127.0.0.1, port: \(port), base: metafleet }
      lanes: { encodings: [\(lanes)] }
      storage: { directory: "\(directory)", min_free: 20MB }
      homeassistant: { discovery: true }
      schedules: { battery: 60s, firmware_check: 1h }
      firmware: { index: "\(index)" }
      http: { listen: \(httpPort.map { "\"127.0.0.1:\($0)\"" } ?? "none")\(token.map { ", token_file: \"\($0)\"" } ?? "") }
      profiles:
        demo:
          stream:
            acceleration: { rate_hz: 50, range_g: 4 }
            temperature-die: { every: 10s }
            power-status: {}
      \(detectors(of: fleet.models))
      boards:

      """
    for (index, model) in fleet.models.enumerated() {
      let address = SimulationPlan.address(of: index + 1).colonSeparated
      text += """
          - { address: "\(address)", name: Demo \(index + 1), profile: demo-\(model.key), groups: [demo, \(model.key)] }

        """
    }
    return text
  }

  /// A profile for each model: what its chip notices of what somebody does with the board, and not of its everyday
  /// motion.
  private static func detectors(of models: [BoardModel]) -> String {
    var profiles: [String: String] = [:]
    for model in models {
      let streams =
        model.isS
        ? "any-motion: { threshold_g: 0.9, duration_ms: 20 }, wrist-gesture: {}"
        : "any-motion: { threshold_g: 0.9 }, tap: {}, orientation: {}, low-g: {}"
      profiles[model.key] = "  demo-\(model.key): { extends: demo, stream: { \(streams) } }"
    }
    return profiles.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
  }
}
