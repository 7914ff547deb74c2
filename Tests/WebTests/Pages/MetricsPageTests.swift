import FleetModel
import Testing

@testable import Web

@Suite struct MetricsPageTests {
  private static func lines(_ snapshot: FleetSnapshot, showsNames: Bool = true) -> [Substring] {
    let content = MetricsPage.content(snapshot, showsNames: showsNames)
    return String(decoding: content.bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test func `every number of health is there, once, with the type that its declaration says`() {
    let lines = Self.lines(SampleFleet.snapshot(boards: 1))
    for (index, metric) in Metric.allCases.enumerated() {
      let value = ParameterType.plain(metric.exposed(Double(index)))
      #expect(lines.count { $0 == "metafleet_\(metric.exposedName) \(value)" } == 1, "\(metric)")
      let kind = metric.isCounter ? "counter" : "gauge"
      #expect(lines.contains("# TYPE metafleet_\(metric.exposedName) \(kind)"), "\(metric)")
    }
  }

  @Test func `every board has its series, and names where they may be seen`() {
    let snapshot = SampleFleet.snapshot(boards: 2)
    let lines = Self.lines(snapshot)
    for gauge in BoardGauge.allCases {
      let prefix = "metafleet_board_\(gauge.rawValue){board=\"\(SampleFleet.id(1))\"} "
      #expect(lines.count { $0.hasPrefix(prefix) } == 1, "\(gauge)")
    }
    let info = lines.first { $0.hasPrefix("metafleet_board_info{board=\"\(SampleFleet.id(0))\"") }
    #expect(
      info
        == "metafleet_board_info{board=\"c0ffee000000\",name=\"Board 0\",model=\"\",fw=\"1.7.3\",site=\"roof\",gateway=\"floor-3\"} 1"
    )
    let text = Self.lines(snapshot, showsNames: false).joined()
    #expect(!text.contains("Board 0") && !text.contains("roof") && text.contains("c0ffee000000"))
  }

  @Test func `F228 the page is bounded, and boards above the limit are counted`() {
    let snapshot = SampleFleet.snapshot(boards: 2_000) { "A board with a long name, number \($0)" }
    let content = MetricsPage.content(snapshot, showsNames: true)
    #expect(content.bytes.count < 2_000_000)
    let lines = Self.lines(snapshot)
    #expect(lines.contains("metafleet_boards_not_listed 1000"))
    #expect(lines.count { $0.hasPrefix("metafleet_board_info{") } == 1_000)
    #expect(Self.lines(SampleFleet.snapshot(boards: 3)).contains("metafleet_boards_not_listed 0"))
  }

  @Test func `no name is there twice`() {
    var snapshot = SampleFleet.snapshot(boards: 1)
    snapshot.adapters = [
      AdapterReport(id: AdapterID(BluetoothAddress(rawValue: 1)), name: "hci0", state: "up", slotsTotal: 5)
    ]
    let names = Self.lines(snapshot).filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(Set(names).count == names.count && names.count > 50)
  }

  @Test func `adapters have theirs`() {
    var snapshot = SampleFleet.snapshot(boards: 0)
    var report = AdapterReport(
      id: AdapterID(BluetoothAddress(rawValue: 0x1A7D_DA71_13)), name: "hci0", state: "up", slotsTotal: 5)
    report.connectsFailed = 3
    snapshot.adapters = [report]
    let lines = Self.lines(snapshot)
    #expect(lines.contains("metafleet_bluetooth_adapter_slots{adapter=\"001a7dda7113\",name=\"hci0\"} 5"))
    #expect(
      lines.contains(
        "metafleet_bluetooth_adapter_connects_failed_total{adapter=\"001a7dda7113\",name=\"hci0\"} 3"))
  }
}
