import BoardKit
import FleetModel
import Testing

@testable import Simulator

@Suite struct RadioLinksTests {
  private let board = BoardIdentity(number: 1).address
  private let other = BoardIdentity(number: 2).address
  private let adapter = SimulatedRadio.adapter.id
  private let word = Characteristic(service: AttributeUUID(assigned: 1), uuid: AttributeUUID(assigned: 2))
  private let lost = LinkFailure(.linkLost, "gone")

  @Test func `a link that nobody has opened yet keeps why it ended, until its owner asks`() {
    var links = RadioLinks()
    let number = links.add(board, via: adapter, of: 0)
    #expect(links.number(of: board) == number)
    let ended = links.end(number, lost)
    let again = links.end(number, lost)
    #expect(ended?.address == board && again == nil && links.number(of: board) == nil)
    let failure = links.open(number, received: { _, _, _ in }, ended: { _ in })
    let none = links.takeFailure(of: number)
    #expect(failure == lost && none == nil && links.numbers == [])
  }

  @Test func `an open link is forgotten at its end`() {
    var links = RadioLinks()
    let number = links.add(board, via: adapter, of: 0)
    let failure = links.open(number, received: { _, _, _ in }, ended: { _ in })
    let ended = links.end(number, lost)
    #expect(failure == nil && ended != nil && links[number] == nil)
  }

  @Test func `a board has one link and an adapter as many as it holds`() {
    var links = RadioLinks()
    func refusal(_ address: BluetoothAddress, slots: Int?) -> LinkFailure.Reason? {
      do throws(LinkFailure) {
        try links.requireRoom(for: address, on: adapter, slots: slots)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(refusal(board, slots: 1) == nil)
    let number = links.add(board, via: adapter, of: 0)
    #expect(refusal(board, slots: nil) == .busyElsewhere)
    #expect(refusal(other, slots: 1) == .noSlots && refusal(other, slots: 2) == nil)
    _ = links.end(number, lost)
    #expect(refusal(board, slots: 1) == nil)
  }

  @Test func `links of an owner that died are taken over once, by the adapter they go over`() {
    var links = RadioLinks()
    let number = links.add(board, via: adapter, of: links.owner)
    let early = links.takeOver(board, via: adapter)
    links.subscribe(number, to: word)
    links.abandon()
    let strange = links.takeOver(board, via: AdapterID(other))
    let taken = links.takeOver(board, via: adapter)
    let twice = links.takeOver(board, via: adapter)
    #expect(early == nil && strange == nil && taken == number && twice == nil)
    #expect(links[number]?.subscriptions == [])
  }

  @Test func `packets arrive in order, none before it is due`() {
    var links = RadioLinks()
    let number = links.add(board, via: adapter, of: 0)
    let packets = (1...2).map {
      RadioLinks.Packet(due: .seconds($0), characteristic: word, value: [UInt8($0)])
    }
    let isOnly = packets.map { links.queue($0, on: number) }
    #expect(isOnly == [true, false])
    let early = links.popDue(on: number, at: .milliseconds(999))
    let late = [links.popDue(on: number, at: .seconds(5)), links.popDue(on: number, at: .seconds(5))]
    let none = links.popDue(on: number, at: .seconds(5))
    #expect(early == nil && late == packets && none == nil)
  }

  @Test func `what is up is told in the order in which it came`() {
    var links = RadioLinks()
    let first = links.add(other, via: adapter, of: 0)
    _ = links.add(board, via: adapter, of: 0)
    #expect(links.up.map(\.link.address) == [other, board])
    _ = links.end(first, lost)
    #expect(links.events == [.connection(BoardID(board), adapter, isConnected: true)])
  }
}
