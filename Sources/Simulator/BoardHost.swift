import BoardKit
import FleetModel

/// The boards of a simulated world: changes them in place, and knows which of them has something to do when. What a
/// board does to the world is for whoever simulates that. A value.
struct BoardHost: Sendable {
  private var boards: [BluetoothAddress: any SimulatedBoard]
  private var agenda = Agenda<BluetoothAddress>()
  /// Where those are that are not at their own addresses.
  private var moved: [BluetoothAddress: BluetoothAddress] = [:]
  private let ledger: LedgerSink?

  /// `ledger` hears what boards with a ledger write down.
  init(_ boards: [any SimulatedBoard], ledger: LedgerSink? = nil) {
    self.boards = Dictionary(uniqueKeysWithValues: boards.map { ($0.address, $0) })
    self.ledger = ledger
  }

  /// Where boards are now.
  var addresses: [BluetoothAddress] { boards.keys.sorted() }

  /// The board that is at this address now.
  subscript(address: BluetoothAddress) -> (any SimulatedBoard)? { boards[address] }

  /// Where a board is now, by its own address.
  func place(of board: BluetoothAddress) -> BluetoothAddress { moved[board] ?? board }

  /// The own address of the board that is at this one now.
  func own(of place: BluetoothAddress) -> BluetoothAddress { moved.first { $0.value == place }?.key ?? place }

  /// What is heard from an address; nothing of a board that would be at the address of another one.
  func advertisement(at address: BluetoothAddress) -> Advertisement? {
    guard let board = boards[address], board.address == address else { return nil }
    return board.advertisement
  }

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
    var effects = action(&boards.values[index], now)
    let place = boards.values[index].address
    let next = boards.values[index].nextEvent
    let isMoving = place != address && boards[place] == nil
    if isMoving {
      move(address, to: place)
      effects.append(.moved(to: place))
    }
    agenda.set(
      isMoving ? place : address, at: pause > .zero ? next.map { max($0, now + pause) } : next)
    if let ledger {
      for case .noted(let entry, let time) in effects { ledger(address, entry, time) }
    }
    return effects
  }

  private mutating func move(_ address: BluetoothAddress, to place: BluetoothAddress) {
    let own = own(of: address)
    moved[own] = place == own ? nil : place
    boards[place] = boards.removeValue(forKey: address)
    agenda.set(address, at: nil)
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
