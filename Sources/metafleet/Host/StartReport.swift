import FleetModel

/// What the log says first: which program runs, with which file, where its state is, and whom it speaks to.
struct StartReport: Equatable {
  let lines: [String]

  /// `admitted`: the boards that were admitted by commands or joined by themselves.
  init(
    _ configuration: FleetConfiguration, version: String, file: String, directory: String, admitted: [BoardID]
  ) {
    let (broker, listed) = (configuration.mqtt, Set(configuration.boards.map(\.board)))
    let tls = broker.tls == nil ? "" : ", with TLS"
    let user = broker.username.map { ", as \($0)" } ?? ""
    let adapters = configuration.bluetooth.adapters.map { $0.map { "\($0)" }.joined(separator: ", ") }
    let others = admitted.count { !listed.contains($0) }
    lines = [
      "MetaFleet \(version), gateway \(configuration.gateway.id)",
      "configuration file: \(file)",
      "state directory: \(directory)",
      "broker: \(broker.host):\(broker.effectivePort)\(tls)\(user)",
      "Bluetooth adapters: \(adapters ?? "all that BlueZ has")",
      "boards: \(listed.count) in the configuration file, \(others) admitted otherwise",
    ]
  }
}
