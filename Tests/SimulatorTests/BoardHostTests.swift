import BoardKit
import FleetModel
import Testing

@testable import Simulator

@Suite struct BoardHostTests {
  /// Says hello every ten seconds, and holds what was written.
  private struct Parrot: SimulatedBoard {
    static let word = Characteristic(service: AttributeUUID(assigned: 1), uuid: AttributeUUID(assigned: 2))

    var address: BluetoothAddress
    var next: Duration? = .seconds(10)
    var value: [UInt8] = []

    init(_ number: UInt16) { address = BoardIdentity(number: number).address }

    var advertisement: Advertisement? {
      Advertisement(localName: "Parrot", service: Self.word.service, manufacturerData: [:])
    }
    var services: [AttributeService] {
      [AttributeService(Self.word.service, [(Self.word.uuid, [.read, .notify])])]
    }
    var nextEvent: Duration? { next }

    mutating func advance(to now: Duration) -> [BoardEffect] {
      next = now + .seconds(10)
      return [.notify(Self.word, value)]
    }

    mutating func connected(at now: Duration) -> [BoardEffect] { [] }
    mutating func disconnected(at now: Duration) -> [BoardEffect] { [] }

    mutating func write(
      _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind, at now: Duration
    ) throws(AttributeError) -> [BoardEffect] {
      guard characteristic == Self.word else { throw .attributeNotFound }
      self.value = value
      return [.dropLink]
    }

    mutating func read(_ characteristic: Characteristic, at now: Duration) throws(AttributeError) -> [UInt8] {
      guard characteristic == Self.word else { throw .attributeNotFound }
      return value
    }

    /// Goes to the address behind its own, and with the next fault back.
    mutating func apply(_ fault: BoardFault, at now: Duration) -> [BoardEffect] {
      address = BluetoothAddress(rawValue: address.rawValue ^ 3)
      return [.advertisementChanged]
    }
  }

  private let other = Characteristic(service: AttributeUUID(assigned: 1), uuid: AttributeUUID(assigned: 9))

  @Test func `boards are due when they say so, the first first, and not before time begins`() {
    var (first, second) = (Parrot(1), Parrot(2))
    (first.next, second.next) = (.seconds(7), .seconds(5))
    var host = BoardHost([first, second])
    let idle = host.next()
    #expect(idle == nil)
    host.start()
    let due = [host.popDue(at: .seconds(4)), host.popDue(at: .seconds(9)), host.popDue(at: .seconds(9))]
    #expect(due == [nil, second.address, first.address])
  }

  @Test func `a change says what it does to the world, and when the board is due again`() {
    let board = Parrot(1)
    var host = BoardHost([board])
    let effects = host.change(board.address, at: .seconds(10)) { $0.advance(to: $1) }
    #expect(effects == [.notify(Parrot.word, [])])
    let next = host.next()
    #expect(next == .seconds(20))
    _ = host.change(board.address, at: .seconds(10), pausing: .seconds(30)) { $0.advance(to: $1) }
    let paused = host.next()
    #expect(paused == .seconds(40))
    let nobody = host.change(BoardIdentity(number: 9).address, at: .zero) { _, _ in [.dropLink] }
    #expect(nobody == [])
  }

  @Test func `a board that goes to another address is found there, and under its own`() {
    let (board, there) = (Parrot(1), BoardIdentity(number: 2).address)
    var host = BoardHost([board])
    host.start()
    let effects = host.change(board.address, at: .zero) { $0.apply(.reset, at: $1) }
    #expect(effects == [.advertisementChanged, .moved(to: there)])
    #expect(host.addresses == [there] && host[board.address] == nil)
    #expect(host.place(of: board.address) == there && host.own(of: there) == board.address)
    #expect(host.advertisement(at: there) != nil && host.advertisement(at: board.address) == nil)
    let due = host.popDue(at: .seconds(10))
    #expect(due == there)
    let back = host.change(there, at: .seconds(10)) { $0.apply(.reset, at: $1) }
    #expect(back == [.advertisementChanged, .moved(to: board.address)])
    #expect(host.place(of: board.address) == board.address)
  }

  @Test func `F293 a board that would be at the address of another is not heard, and comes back`() {
    let (board, neighbour) = (Parrot(1), Parrot(2))
    var host = BoardHost([board, neighbour])
    let effects = host.change(board.address, at: .zero) { $0.apply(.reset, at: $1) }
    #expect(effects == [.advertisementChanged] && host.addresses == [board.address, neighbour.address])
    #expect(host.advertisement(at: board.address) == nil && host.advertisement(at: neighbour.address) != nil)
    _ = host.change(board.address, at: .zero) { $0.apply(.reset, at: $1) }
    #expect(host.advertisement(at: board.address) != nil)
  }

  @Test func `a board of another kind is left alone`() {
    let board = Parrot(1)
    var host = BoardHost([board])
    let none = host.change(board.address, at: .zero, as: MetaMotionBoard.self) { _, _ in [.dropLink] }
    let some = host.change(board.address, at: .zero, as: Parrot.self) { parrot, _ in
      parrot.value = [5]
      return [.dropLink]
    }
    #expect(none == [] && some == [.dropLink])
    #expect((host[board.address] as? Parrot)?.value == [5])
  }

  @Test func `a central reads what was written, and learns what a board refuses`() {
    let board = Parrot(1)
    var host = BoardHost([board])
    let written = host.write([1, 2], to: Parrot.word, of: board.address, as: .request, at: .zero)
    let refused = host.write([1], to: other, of: board.address, as: .request, at: .zero)
    #expect(written == .success([.dropLink]) && refused == .failure(.attributeNotFound))
    let values = [
      host.read(Parrot.word, of: board.address, at: .zero), host.read(other, of: board.address, at: .zero),
    ]
    #expect(values == [.success([1, 2]), .failure(.attributeNotFound)])
    #expect(host.properties(of: Parrot.word, of: board.address) == [.read, .notify])
    #expect(host.properties(of: other, of: board.address) == nil)
  }
}
