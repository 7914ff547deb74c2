import FleetModel

/// Fleets for pages: everything known of every board.
enum SampleFleet {
  static let now = Timestamp(milliseconds: 1_763_671_234_000)

  static func snapshot(boards: Int, name: (Int) -> String = { "Board \($0)" }) -> FleetSnapshot {
    var snapshot = FleetSnapshot(gateway: "floor-3", at: now)
    for (index, metric) in Metric.allCases.enumerated() { snapshot.numbers[metric] = Double(index) }
    for distribution in Distribution.allCases {
      snapshot.distributions[distribution] = Histogram(bounds: distribution.bounds)
    }
    snapshot.take((0..<boards).flatMap { events(of: $0, name: name($0)) })
    return snapshot
  }

  /// Part of a name that no other test has.
  static var unique: UInt64 { UInt64.random(in: .min ... .max) }

  static func id(_ number: Int) -> BoardID {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + UInt64(number)))
  }

  private static func events(of number: Int, name: String) -> [FleetEvent] {
    let id = id(number)
    var state = BoardState(board: id, link: .streaming, time: now)
    state.rssi = -60
    (state.battery.percent, state.battery.millivolts) = (80, 4_000)
    (state.log.usedPercent, state.clock.error, state.isInSync) = (12.5, 0.8, true)
    (state.contact.lastSeen, state.contact.next) = (now, now)
    state.identity.firmware = "1.7.3"
    return [
      .info(
        BoardInfo(
          board: id, family: "metamotion", name: name, site: "roof", profile: nil, groups: [], labels: [:],
          verbs: [], description: nil, interviewed: nil, changed: now)),
      .availability(id, Availability(reason: .connected, since: now)), .state(state),
    ]
  }
}
