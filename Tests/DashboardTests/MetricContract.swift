import FleetModel

@testable import Web

/// Which series `/metrics` has and which labels they bear, from the page itself.
struct MetricContract {
  /// Labels by the name of their series.
  var labels: [String: Set<String>]
  /// What the label `condition` may say.
  let conditions: Set<String>

  /// What Prometheus adds to every series.
  static let own: Set<String> = ["job", "instance"]

  /// The series of a gateway with a board and an adapter, and `up`, which Prometheus makes.
  static let ours: MetricContract = {
    let text = String(decoding: MetricsPage.content(snapshot, showsNames: true).bytes, as: UTF8.self)
    var labels: [String: Set<String>] = ["up": []]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let name = String(line.prefix { $0 != "{" && $0 != " " })
      labels[name, default: []].formUnion(line.matches(of: /[{,](\w+)="/).map { String($0.1) })
    }
    return MetricContract(labels: labels, conditions: Set(StorageCondition.allCases.map(\.rawValue)))
  }()

  private static var snapshot: FleetSnapshot {
    let now = Timestamp(milliseconds: 1)
    let board = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001))
    let adapter = AdapterID(BluetoothAddress(rawValue: 1))
    var snapshot = FleetSnapshot(gateway: "demo", at: now)
    snapshot.info = GatewayInfo(
      site: "hq", version: "1", host: "host", operatingSystem: "os", configurationHash: "", started: now,
      adapters: [adapter], boards: [board], admissionMode: "", verbs: [], mqttProtocol: "5", changed: now)
    for metric in Metric.allCases { snapshot.numbers[metric] = 1 }
    for distribution in Distribution.allCases {
      snapshot.distributions[distribution] = Histogram(bounds: distribution.bounds)
    }
    snapshot.adapters = [AdapterReport(id: adapter, name: "hci0", state: "up", slotsTotal: 5)]
    let info = BoardInfo(
      board: board, family: "metamotion", name: "Demo 1", site: nil, profile: nil, groups: [], labels: [:],
      verbs: [], description: nil, interviewed: nil, changed: now)
    snapshot.take([
      .info(info), .availability(board, Availability(reason: .connected, since: now)),
      .state(TopicContract.fullState(of: board, at: now)),
    ])
    return snapshot
  }
}
