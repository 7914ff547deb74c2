import FleetModel
import Testing

@testable import Fleet

@Suite struct AlarmRuleTests {
  private static func found(_ changes: (inout AlarmFacts) -> Void) -> AlarmFindings {
    AlarmRule.findings(.example(changes))
  }

  @Test func `of a gateway that is well, and a board that is, nothing is found`() {
    let found = Self.found { _ in }
    #expect(found.all.isEmpty)
    #expect(found.subjects == [.gateway, .adapter(.number(1)), .board(.number(0))])
  }

  @Test func `F70 the alarm of a broker that is not connected says why`() {
    let found = Self.found {
      $0.gateway.isBrokerConnected = false
      $0.gateway.brokerTrouble = "another client has our client id"
    }
    guard case .present(let detail)? = found[Alarm.ID(.brokerLost, .gateway)] else {
      return #expect(found.present == ["broker-lost"])
    }
    #expect(detail.sentence.hasSuffix("another client has our client id"))
  }

  /// What makes things worse, and the alarm that comes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let change: @Sendable (inout AlarmFacts) -> Void

    init(_ id: String, _ change: @escaping @Sendable (inout AlarmFacts) -> Void) {
      (self.id, self.change) = (id, change)
    }

    var testDescription: String { id }
  }

  private static let ofGateway: [Case] = [
    Case("bluetooth-down") { $0.gateway.bluetoothTrouble = "BlueZ is not running" },
    Case("broker-lost") { $0.gateway.isBrokerConnected = false },
    Case("outbox-late") { $0.gateway.numbers[.outboxOldest] = 301 },
    Case("broker-refused") { $0.gateway.troubles.refusedTopics = ["a/b"] },
    Case("broker-refused") { $0.gateway.troubles.refusedSubscriptions = ["a/#"] },
    Case("storage-full") { $0.gateway.storage = .readOnly },
    Case("storage-full") { $0.gateway.storage = .locked },
    Case("storage-low") { $0.gateway.storage = .low }, Case("storage-slow") { $0.gateway.storage = .slow },
    Case("streams-not-kept") { $0.gateway.keptTrouble = .cut },
    Case("database-replaced") { $0.gateway.troubles.replacedDatabase = "/x" },
    Case("config-error") { $0.gateway.troubles.configurationError = "line 3" },
    Case("boards-withheld") { $0.gateway.troubles.withheld = [.number(7)] },
    Case("clock-unset") { $0.gateway.numbers[.clockSynced] = 0 },
    Case("samples-missing") { $0.gateway.recent = .init(samplesIn: 980, samplesMissing: 20) },
    Case("commands-failing") { $0.gateway.recent.commandsFailed = 6 },
    Case("slots-exhausted") {
      $0.gateway.numbers[.slotsUsed] = 8
      $0.gateway.numbers[.boardsTroubled] = 1
    },
    Case("firmware-old") { $0.gateway.numbers[.boardsOutdated] = 2 },
    Case("firmware-check-failing") { $0.gateway.firmwareTrouble = "no route" },
    Case("certificate-expired") { $0.gateway.certificates = [.init(file: "a.pem", expires: .at(-1))] },
    Case("certificate-expiring") {
      let now = $0.time
      $0.gateway.certificates = [
        .init(file: "b.pem", expires: now + .seconds(400 * 86_400)),
        .init(file: "a.pem", expires: now + .seconds(29 * 86_400)),
      ]
    },
    Case("adapter-down.001a7dda7101") { $0.adapters[0].state = "missing" },
    Case("adapter-deaf.001a7dda7101") { $0.adapters[0].scanTrouble = StatedReason(.scanSilent, "x") },
    Case("adapter-not-scanning.001a7dda7101") { $0.adapters[0].isScanning = false },
  ]

  @Test(arguments: ofGateway)
  func `what is the matter with the gateway or an adapter is one alarm`(
    _ worse: Case
  ) {
    #expect(Self.found(worse.change).present == [worse.id])
  }

  private static let ofBoard: [Case] = [
    Case("board-offline") { $0.boards[0].availability = Availability(reason: .silent, since: .at(0)) },
    Case("board-stranded") { $0.boards[0].availability = Availability(reason: .bootloader, since: .at(0)) },
    Case("board-troubled") { $0.state.reason = StatedReason(.noSlots, "x") },
    Case("board-troubled") {
      $0.state.troubles = [StreamTrouble("pressure", StatedReason(.streamSilent, "x"))]
    },
    Case("samples-lost") {
      $0.state.troubles = [StreamTrouble("pressure", StatedReason(.samplesMissing, "x"))]
    },
    Case("identity-changed") { $0.state.identity.doubt = StatedReason(.identityChanged, "x") },
    Case("battery-empty") { $0.state.battery.percent = 5 },
    Case("battery-low") { $0.state.battery.percent = 20 },
    Case("log-full") { $0.state.log.usedPercent = 100 },
    Case("log-nearly-full") { $0.state.log.usedPercent = 81 },
    Case("visit-missed") { $0.state.contact.next = .at(-601_000) },
    Case("not-in-sync") { $0.state.isInSync = false },
    Case("clock-uncertain") { $0.state.clock.error = 1_001 },
  ]

  @Test(arguments: ofBoard)
  func `what is the matter with a board is one alarm, with its name; in maintenance there is none`(
    _ worse: Case
  ) throws {
    let found = Self.found(worse.change)
    #expect(found.present == ["\(worse.id).c0ffee000000"])
    let id = try #require(Alarm.ID("\(worse.id).c0ffee000000"))
    guard case .present(let detail)? = found[id] else { return }
    #expect(detail.name == "Board 0" && !detail.sentence.isEmpty)
    let maintained = Self.found {
      worse.change(&$0)
      $0.state.orders.maintenance = Maintenance(until: .at(9))
    }
    #expect(maintained.all.isEmpty && !maintained.subjects.contains(.board(.number(0))))
  }

  @Test func `F268 while a board gets firmware nobody is alarmed that it is away, and nothing ends`() {
    for reason in [Availability.Reason.bootloader, .silent] {
      let found = Self.found {
        $0.state.link = .updating
        $0.state.contact.next = .at(-601_000)
        $0.boards[0].availability = Availability(reason: reason, since: .at(0))
      }
      #expect(found.present.isEmpty)
      #expect(
        Set(["board-offline", "board-stranded"].map { "\($0).c0ffee000000" }).isSubset(of: found.unclear))
    }
  }

  @Test func `F268 a board in its bootloader is one alarm, and not offline besides`() {
    let found = Self.found { $0.boards[0].availability = Availability(reason: .bootloader, since: .at(0)) }
    #expect(found.present == ["board-stranded.c0ffee000000"])
  }

  @Test func `every code can be found`() {
    let codes = (Self.ofGateway + Self.ofBoard).compactMap {
      $0.id.split(separator: ".").first.map(String.init)
    }
    #expect(Set(codes) == Set(AlarmCode.allCases.map(\.rawValue)))
  }

  @Test(arguments: [
    (25, [], ["battery-low"]), (26, [], []), (21, [], ["battery-low"]),
    (10, ["battery-low"], ["battery-empty"]), (11, ["battery-low"], []),
    (6, ["battery-low"], ["battery-empty"]),
  ])
  func `F178 between two thresholds nothing begins and nothing ends`(
    percent: Int, present: [String], unclear: [String]
  ) {
    let found = Self.found { $0.state.battery.percent = percent }
    #expect(found.present == present.map { "\($0).c0ffee000000" })
    #expect(found.unclear == unclear.map { "\($0).c0ffee000000" })
  }

  @Test(arguments: [(70.0, "log-nearly-full"), (80, "log-nearly-full")])
  func `F178 the same of a log`(percent: Double, unclear: String) {
    let found = Self.found { $0.state.log.usedPercent = percent }
    #expect(found.present.isEmpty && found.unclear == ["\(unclear).c0ffee000000"])
  }

  @Test func `F179 what nobody has read yet is neither said nor denied`() {
    let found = Self.found {
      $0.boards[0].availability = nil
      $0.state = BoardState(board: .number(0), link: .unseen, time: .at(0))
    }
    #expect(found.present.isEmpty)
    let codes = [
      "battery-empty", "battery-low", "board-offline", "board-stranded", "clock-uncertain", "log-full",
      "log-nearly-full", "not-in-sync",
    ]
    #expect(found.unclear == codes.map { "\($0).c0ffee000000" })
  }

  @Test(arguments: [ReasonCode.disabled, .held, .drained, .asleep])
  func `what somebody ordered is no alarm`(_ code: ReasonCode) {
    let found = Self.found {
      $0.boards[0].availability = Availability(reason: .silent, since: .at(0))
      $0.state.reason = StatedReason(code, "x")
    }
    #expect(found.present.isEmpty)
  }

  @Test func `while Bluetooth is gone it is one alarm, and not one of each board and adapter`() {
    let found = AlarmRule.findings(
      .example(boards: 20) {
        $0.gateway.bluetoothTrouble = "BlueZ is not running"
        $0.adapters[0].state = "missing"
        for index in $0.boards.indices {
          $0.boards[index].availability = Availability(reason: .busLost, since: .at(0))
        }
      })
    #expect(found.present == ["bluetooth-down"])
  }

  @Test func `a clock that is not set says nothing of a certificate`() {
    var facts = AlarmFacts.example { $0.gateway.certificates = [.init(file: "a.pem", expires: .at(-1))] }
    facts.time = Timestamp(milliseconds: 5)
    let found = AlarmRule.findings(facts)
    #expect(found.present.isEmpty && found.unclear == ["certificate-expired", "certificate-expiring"])
  }
}
