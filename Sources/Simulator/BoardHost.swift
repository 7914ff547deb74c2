import BoardKit
import FleetModel

/// The boards of a simulated world: changes them in place, and knows which of them has something to do when. What a
/// board does to the world is for whoever simulates that. A value.
struct BoardHost: Sendable {
  private var boards: [BluetoothAddress: any SimulatedBoard]
  private var agenda = Agenda<BluetoothAddress>()
  private let ledger: LedgerSink?

  /// `ledger` hears what boards with a ledger write down.
  init(_ boards: [any SimulatedBoard], ledger: LedgerSink? = nil) {
    self.boards = Dictionary(uniqueKeysWithValues: boards.map { ($0.address, $0) })
    self.ledger = ledger
  }

  var addresses: [BluetoothAddress] { boards.keys.sorted() }

  subscript(address: BluetoothAddress) -> (any SimulatedBoard)? { boards[address] }

  /// What a central may do with a characteristic; nil where the board has none such.
  func properties(of characteristic: Characteristic, of address: BluetoothAddress) -> AttributeProperties? {
    boards[address]?.services.first { $0.uuid == characteristic.service }?
      .characteristics.first { $0.uuid == characteristic.uuid }?.properties
  }

  /// Time begins, or goes on after a while without anybody to look after the boards.
  mutating func start() {
    for address in addresses { agenda.set(address, at: boards[address]?.nextEvent) }
  }

  /// When the first board has something to do by itself.
  mutating func next() -> Duration? { agenda.next() }

  /// Takes the board that is due first; nil when none is.
  mutating func popDue(at now: Duration) -> BluetoothAddress? { agenda.popDue(at: now) }

  /// Does something to a board, which is left alone for `pause` then, and returns what it does to the world, in order.
  /// What it notes is in the ledger already.
  mutating func change(
    _ address: BluetoothAddress, at now: Duration, pausing pause: Duration = .zero,
    _ action: (inout any SimulatedBoard, Duration) -> [BoardEffect]
  ) -> [BoardEffect] {
    // In place: a copy of the board would copy all of its registers.
    guard let index = boards.index(forKey: address) else { return [] }
    let effects = action(&boards.values[index], now)
    let next = boards.values[index].nextEvent
    agenda.set(address, at: pause > .zero ? next.map { max($0, now + pause) } : next)
    if let ledger {
      for case .noted(let entry, let time) in effects { ledger(address, entry, time) }
    }
    return effects
  }

  /// The same to a board of a known kind; nothing to one of another.
  mutating func change<Board: SimulatedBoard>(
    _ address: BluetoothAddress, at now: Duration, pausing pause: Duration = .zero, as type: Board.Type,
    _ action: (inout Board, Duration) -> [BoardEffect]
  ) -> [BoardEffect] {
    change(address, at: now, pausing: pause) { any, now in
      guard var board = any as? Board else { return [] }
      defer { any = board }
      return action(&board, now)
    }
  }

  /// A central reads a value.
  mutating func read(
    _ characteristic: Characteristic, of address: BluetoothAddress, at now: Duration,
    pausing pause: Duration = .zero
  ) -> Result<[UInt8], AttributeError> {
    var outcome: Result<[UInt8], AttributeError> = .failure(.attributeNotFound)
    _ = change(address, at: now, pausing: pause) { board, now in
      outcome = Result { () throws(AttributeError) in try board.read(characteristic, at: now) }
      return []
    }
    return outcome
  }

  /// A central writes a value: what the board does because of it.
  mutating func write(
    _ value: [UInt8], to characteristic: Characteristic, of address: BluetoothAddress, as kind: WriteKind,
    at now: Duration, pausing pause: Duration = .zero
  ) -> Result<[BoardEffect], AttributeError> {
    var refusal: AttributeError?
    let effects = change(address, at: now, pausing: pause) { board, now in
      do throws(AttributeError) {
        return try board.write(value, to: characteristic, as: kind, at: now)
      } catch {
        refusal = error
        return []
      }
    }
    return refusal.map { .failure($0) } ?? .success(effects)
  }
}
