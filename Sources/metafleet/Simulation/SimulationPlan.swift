import BoardKit
import DBus
import FleetModel
import Simulator

/// Which boards to simulate, as the options of `demo` and `simulate` say it (MQTT contract 8).
struct SimulationPlan: Sendable {
  /// Boards are told apart by four hex digits.
  static let most = 65_535

  /// Model of each board, in the order of their numbers.
  let models: [BoardModel]
  private var plan: SimulatedFleet.Plan

  /// Addresses of the boards, in the order of their numbers.
  var addresses: [BluetoothAddress] { (1...models.count).map { plan.identity(of: $0).address } }

  /// What is to go wrong, and when.
  var faults: [FaultOrder] {
    get { plan.faults }
    set { plan.faults = newValue }
  }

  /// `count` boards, their models taken in turn from a list such as `s,rl`. With `hasRandomFaults` they reset, run low
  /// and lose their links by themselves.
  init(count: Int, models list: String, seed: UInt64, hasRandomFaults: Bool = false)
    throws(CommandLineFailure)
  {
    guard (1...Self.most).contains(count) else {
      throw CommandLineFailure(.usage, "there can be 1 to \(Self.most) boards, not \(count)")
    }
    var dealt: [BoardModel] = []
    for key in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = key.filter { $0 != " " }.lowercased()
      guard let model = BoardModel(key: name) else {
        throw CommandLineFailure(
          .usage, Suggestion.missing("model", String(key), among: BoardModel.offered.map(\.key)))
      }
      dealt.append(model)
    }
    models = (0..<count).map { dealt[$0 % dealt.count] }
    plan = SimulatedFleet.Plan(boards: count, models: dealt, seed: seed, hasRandomFaults: hasRandomFaults)
  }

  /// Several adapters, each of which receives boards as it stands.
  mutating func use(adapters count: Int) throws(CommandLineFailure) {
    guard (1...SimulatedAdapters.greatestCount).contains(count) else {
      throw CommandLineFailure(
        .usage, "there can be 1 to \(SimulatedAdapters.greatestCount) adapters, not \(count)")
    }
    plan.adapters = count
  }

  /// Chooses how good the air is, by its name.
  mutating func choose(radio name: String) throws(CommandLineFailure) {
    guard let quality = RadioQuality(rawValue: name) else {
      throw CommandLineFailure(
        .usage, Suggestion.missing("radio quality", name, among: RadioQuality.allCases.map(\.rawValue)))
    }
    plan.conditions = quality.conditions
  }

  /// Names and meanings of what can be chosen for the boards' logs, a line each.
  static var logHelp: String {
    LogAssumptions.choices.map { choice in
      "  \(choice.name)" + String(repeating: " ", count: max(1, 14 - choice.name.count)) + choice.meaning
    }.joined(separator: "\n")
  }

  /// Chooses what the boards' logs do where nobody knows, by a list of names.
  mutating func choose(logs list: String) throws(CommandLineFailure) {
    for name in list.split(separator: ",").map({ $0.filter { $0 != " " } }) where !plan.logs.choose(name) {
      throw CommandLineFailure(
        .usage, Suggestion.missing("log assumption", name, among: LogAssumptions.choices.map(\.name)))
    }
  }

  /// Names and meanings of what can be chosen for the boards' bootloaders, a line each.
  static var bootloaderHelp: String {
    BootloaderTraits.choices.map { choice in
      "  \(choice.name)" + String(repeating: " ", count: max(1, 22 - choice.name.count)) + choice.meaning
    }.joined(separator: "\n")
  }

  /// Chooses what the boards' bootloaders are like, by a list of names, some with values.
  mutating func choose(bootloader list: String) throws(CommandLineFailure) {
    for text in list.split(separator: ",").map({ $0.filter { $0 != " " } })
    where !plan.bootloaders.choose(text) {
      let name = String(text.prefix { $0 != "=" })
      guard let form = BootloaderTraits.choices.map(\.name).first(where: { $0.prefix { $0 != "=" } == name })
      else {
        let names = BootloaderTraits.choices.map { String($0.name.prefix { $0 != "=" }) }
        throw CommandLineFailure(.usage, Suggestion.missing("bootloader trait", name, among: names))
      }
      throw CommandLineFailure(.usage, "expected of --bootloader: \(form), not \"\(text)\"")
    }
    guard plan.bootloaders.place == .sameAddress || models.count <= Self.most / 2 else {
      throw CommandLineFailure(
        .usage, "with next-address there can be 1 to \(Self.most / 2) boards, not \(models.count)")
    }
  }

  /// Has what becomes of the boards' logs written down, and in a recording all that they do and all that is done to
  /// them, which `orders` hears as well.
  mutating func keep(
    ledger: LedgerFile? = nil, recording: LedgerFile? = nil, telling orders: @escaping OrderSink
  ) {
    if ledger != nil || recording != nil {
      plan.ledgerScope = recording == nil ? .log : [.log, .actions]
      plan.ledger = { board, entry, time in
        if entry.isOfLog { ledger?.note(board, entry, at: time) }
        guard let recording, let object = SimulationRecord.object(board, entry, at: time) else { return }
        recording.add(JSONText.of(.object(object)))
      }
    }
    plan.orders = { order, time in
      recording?.add(JSONText.of(.object(SimulationRecord.object(order, at: time))))
      orders(order, time)
    }
  }

  /// What there is, for programs.
  func object(bus: String) -> JSONObject {
    [
      "bus": .string(bus),
      "adapters": .array(
        SimulatedAdapters.all(plan.adapters).map {
          ["adapter": .string("\($0.id)"), "name": .string($0.name)]
        }),
      "boards": .array(
        zip(addresses, models).map { address, model in
          [
            "board": .string(BoardID(address).description), "address": .string(address.colonSeparated),
            "model": .string(model.key),
          ]
        }),
    ]
  }

  /// The address of board `number`, from 1.
  static func address(of number: Int) -> BluetoothAddress {
    BoardIdentity(number: UInt16(clamping: number)).address
  }

  /// The boards behind an `org.bluez` on a bus. `onEnd` is called when the bus goes away.
  func serve(
    on bus: DBusAddress, onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(CommandLineFailure) -> SimulatedFleet {
    do throws(DBusFailure) { return try await SimulatedFleet.start(plan, on: bus, onEnd: onEnd) } catch {
      throw BusFailure.explain(error, bus: bus)
    }
  }
}

extension SimulatedFleet: Temporary {}
