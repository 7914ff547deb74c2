import FleetModel
import Testing

@Suite struct AlarmTests {
  private static let board = BoardID("e5a1c2d3f4b6")!

  private static func subject(_ code: AlarmCode) -> Alarm.Subject {
    switch code.scope {
    case .gateway: .gateway
    case .adapter: .adapter(AdapterID("001a7dda7113")!)
    case .board: .board(board)
    }
  }

  private static func alarm(
    _ code: AlarmCode, _ board: BoardID = board, since: Int64 = 0, isSeen: Bool = false
  ) -> Alarm {
    var alarm = Alarm(
      .init(code, code.scope == .board ? .board(board) : .gateway), since: Timestamp(milliseconds: since),
      sentence: "x")
    if isSeen { alarm.acknowledgement = .init(at: Timestamp(milliseconds: 9), by: nil) }
    return alarm
  }

  @Test(arguments: AlarmCode.allCases)
  func `an id is read as it is written, and every code has a severity, a meaning and its own word`(
    _ code: AlarmCode
  ) {
    let id = Alarm.ID(code, Self.subject(code))
    #expect(Alarm.ID(id.description) == id)
    #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    #expect(code.meaning.hasSuffix(".") && code.delay >= .zero)
    #expect(id.description.utf8.count <= 64)
  }

  @Test(arguments: [
    "", "worry", "battery-low", "battery-low.", "battery-low.x", "bluetooth-down.e5a1c2d3f4b6",
    "adapter-down.x", ".e5a1c2d3f4b6",
  ])
  func `what is no id is none`(_ text: String) { #expect(Alarm.ID(text) == nil) }

  @Test func `the gravest come first, of those what nobody acknowledged, the oldest first`() {
    let alarms = [
      Self.alarm(.firmwareOld), Self.alarm(.batteryLow, since: 5), Self.alarm(.notInSync, since: 1),
      Self.alarm(.boardOffline, since: 0, isSeen: true), Self.alarm(.storageFull, since: 7),
    ]
    let report = AlarmReport(alarms, at: Timestamp(milliseconds: 10))
    #expect(
      report.alarms.map(\.id.code) == [.storageFull, .notInSync, .batteryLow, .boardOffline, .firmwareOld])
    #expect(report.count == 5 && report.unacknowledged == 4)
    #expect(report.counts == [.critical: 1, .warning: 3, .info: 1])
    #expect(
      report.numbers == [
        .alarmsCritical: 1, .alarmsWarning: 3, .alarmsInfo: 1, .alarmsUnacknowledged: 4,
      ])
  }

  @Test func `of five hundred boards that are offline all count, and the list stays bounded`() {
    let alarms = (0..<500).map { number in
      Self.alarm(
        .boardOffline, BoardID(BluetoothAddress(rawValue: UInt64(number))), since: Int64(number))
    }
    let report = AlarmReport(
      alarms.reversed() + [Self.alarm(.brokerLost, since: 900)], at: Timestamp(milliseconds: 999))
    #expect(report.alarms.count == AlarmReport.longest && report.count == 501)
    #expect(report.alarms.first?.id.code == .brokerLost && report.alarms.last?.since.milliseconds == 198)
  }

  @Test func `an acknowledgement names one alarm, or all of a board, a code, or both; and never everything`()
  {
    let (low, offline) = (
      Alarm.ID(.batteryLow, .board(Self.board)), Alarm.ID(.boardOffline, .board(Self.board))
    )
    let other = Alarm.ID(.batteryLow, .board(BoardID("c0ffee000001")!))
    func named(_ request: AlarmAcknowledgement) -> [Alarm.ID] { [low, offline, other].filter(request.names) }
    #expect(named(.init(alarm: low)) == [low])
    #expect(named(.init(board: Self.board)) == [low, offline])
    #expect(named(.init(code: .batteryLow)) == [low, other])
    #expect(named(.init(code: .batteryLow, board: Self.board)) == [low])
    #expect(named(.init()).isEmpty)
  }
}
