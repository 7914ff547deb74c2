import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 7.2 and 7.3: what a reload applies, and what it must say needs a restart.
@Suite struct ConfigurationChangeTests {
  typealias Edit = @Sendable (inout FleetConfiguration) -> Void

  /// A name and an edit of that section.
  private static let edits: [(String, Edit)] = [
    ("gateway.id", { $0.gateway.id = "other" }), ("gateway.site", { $0.gateway.site = "roof" }),
    ("mqtt.host", { $0.mqtt.host = "broker" }), ("mqtt.base", { $0.mqtt.base = "plant" }),
    ("storage.directory", { $0.storage.directory = "/data" }),
    ("storage.outbox.max_age", { $0.storage.outboxMaximumAge = .seconds(3_600) }),
    ("lanes", { $0.lanes.liveRate = 1 }), ("bluetooth", { $0.bluetooth.adapters = [] }),
    ("schedules", { $0.schedules.battery = .never }), ("commands", { $0.commands.queuePerBoard = 1 }),
    ("log", { $0.log.level = .debug }), ("admission", { $0.admission.mode = .open }),
    ("profiles", { $0.profiles["new"] = Profile() }),
    ("boards", { $0.boards = [BoardConfiguration(board: .number(1))] }),
  ]

  private func edited(_ edits: [Edit]) -> FleetConfiguration {
    edits.reduce(into: FleetConfiguration()) { $1(&$0) }
  }

  @Test func `nothing changed is nothing to say`() {
    let change = ConfigurationChange(from: edited([]), to: edited([]))
    #expect(change.changed.isEmpty && change.needsRestart.isEmpty && change.applied == edited([]))
  }

  @Test(arguments: edits)
  func `each edit is told once`(name: String, edit: @escaping Edit) {
    let change = ConfigurationChange(from: edited([]), to: edited([edit]))
    #expect(change.changed + change.needsRestart == [name])
  }

  @Test func `the order of boards in the file means nothing`() {
    let boards = (1...3).map { BoardConfiguration(board: .number($0)) }
    let change = ConfigurationChange(
      from: edited([{ $0.boards = boards }]), to: edited([{ $0.boards = boards.reversed() }]))
    #expect(change.isEmpty && change.keys == [])
    #expect(change.applied.boards == boards.reversed())
  }

  @Test func `what a board is meant to do is live, who the gateway is is not`() {
    let change = ConfigurationChange(from: edited([]), to: edited(Self.edits.map(\.1)))
    let (changed, needsRestart) = (change.changed, change.needsRestart)
    #expect(
      Set(changed).isSuperset(of: [
        "gateway.site", "commands", "admission", "profiles", "boards", "lanes", "bluetooth", "schedules",
        "log", "mqtt.host",
      ]))
    #expect(needsRestart == ["gateway.id", "mqtt.base", "storage.directory"])
    #expect(
      Set(changed).isDisjoint(with: needsRestart) && changed.count + needsRestart.count == Self.edits.count)
  }

  @Test func `the gateway's picture of itself stays true: what needs a restart is put back, the rest is not`()
  {
    let old = edited([])
    let new = edited(Self.edits.map(\.1))
    let told = ConfigurationChange(from: old, to: new)
    let taken = ConfigurationChange(from: old, to: told.applied)
    #expect(taken.changed == told.changed && taken.needsRestart.isEmpty)
    let left = ConfigurationChange(from: told.applied, to: new)
    #expect(left.changed.isEmpty && left.needsRestart == told.needsRestart)
  }
}
