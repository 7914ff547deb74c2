import BoardKit
import FleetModel

/// The links of a simulated radio, by number: each from the moment it is up until its owner has learnt of its end. A
/// value.
struct RadioLinks: Sendable {
  struct Link: Sendable {
    let address: BluetoothAddress
    let adapter: AdapterID
    /// Who has it, of all that came one after the other.
    var owner: Int
    var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
    var ended: (@Sendable (LinkFailure) -> Void)?
    /// Why it ended; the owner may not have opened it yet.
    var failure: LinkFailure?
    var subscriptions: Set<Characteristic> = []
    /// On their way, in order.
    fileprivate(set) var packets: [Packet] = []

    /// Gives the owner a packet that has arrived.
    func hand(_ packet: Packet, at time: Timestamp) {
      received?(packet.characteristic, packet.value.span.bytes, time)
    }
  }

  struct Packet: Hashable, Sendable {
    let due: Duration
    let characteristic: Characteristic
    let value: [UInt8]
  }

  private var links: [UInt64: Link] = [:]
  private var last: UInt64 = 0
  /// Grows whenever the owner of the links dies; a link of an earlier owner is nobody's.
  private(set) var owner = 0

  subscript(number: UInt64) -> Link? { links[number] }

  /// All of them, in the order in which they came up.
  var numbers: [UInt64] { links.keys.sorted() }

  /// The link to a board, while it is up.
  func number(of address: BluetoothAddress) -> UInt64? {
    links.first { $0.value.address == address && $0.value.failure == nil }?.key
  }

  /// Those that are up, in the order in which they came.
  var up: [(number: UInt64, link: Link)] {
    links.sorted { $0.key < $1.key }.filter { $0.value.failure == nil }.map { ($0.key, $0.value) }
  }

  /// Throws what BlueZ says where a board cannot have another link, or an adapter, which holds `slots` of them.
  func requireRoom(
    for board: BluetoothAddress, on adapter: AdapterID, slots: Int?
  ) throws(LinkFailure) {
    guard number(of: board) == nil else { throw LinkFailure(.busyElsewhere, "already connected") }
    if let slots, up.count(where: { $0.link.adapter == adapter }) >= slots {
      throw LinkFailure(.noSlots, "the adapter has \(CountText.of(slots, "connection")) already")
    }
  }

  /// What somebody finds who comes now.
  var events: [RadioEvent] {
    up.map { .connection(BoardID($0.link.address), $0.link.adapter, isConnected: true) }
  }

  mutating func add(_ address: BluetoothAddress, via adapter: AdapterID, of owner: Int) -> UInt64 {
    last += 1
    links[last] = Link(address: address, adapter: adapter, owner: owner)
    return last
  }

  /// Gives the link of somebody who is no more to whoever is there now; nil where there is none.
  mutating func takeOver(_ address: BluetoothAddress, via adapter: AdapterID) -> UInt64? {
    guard let number = number(of: address), let link = links[number], link.owner != owner,
      link.adapter == adapter
    else { return nil }
    links[number]?.owner = owner
    return number
  }

  /// The owner wants to hear of it from now on. Returns why it has ended, where it has: then there is nothing to hear.
  mutating func open(
    _ number: UInt64, received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) -> LinkFailure? {
    if let failure = takeFailure(of: number) { return failure }
    links[number]?.received = received
    links[number]?.ended = ended
    return nil
  }

  /// Why a link has ended; with that its owner knows.
  mutating func takeFailure(of number: UInt64) -> LinkFailure? {
    guard let failure = links[number]?.failure else { return nil }
    links[number] = nil
    return failure
  }

  mutating func subscribe(_ number: UInt64, to characteristic: Characteristic) {
    links[number]?.subscriptions.insert(characteristic)
  }

  /// A link is over. It is forgotten once its owner is notified, now or when it opens it. Returns it as it was; nil
  /// where it was over already.
  mutating func end(_ number: UInt64, _ failure: LinkFailure) -> Link? {
    guard let link = links[number], link.failure == nil else { return nil }
    if link.ended == nil { links[number]?.failure = failure } else { links[number] = nil }
    return link
  }

  /// The owner of all links died without a word: they stay up, and whoever connects to their boards takes them over.
  mutating func abandon() {
    owner += 1
    for number in links.keys {
      links[number]?.received = nil
      links[number]?.ended = nil
      links[number]?.subscriptions = []
      links[number]?.packets = []
    }
  }

  /// A packet is on its way, behind those before it. Returns whether it is the only one.
  mutating func queue(_ packet: Packet, on number: UInt64) -> Bool {
    links[number]?.packets.append(packet)
    return links[number]?.packets.count == 1
  }

  /// Takes the first packet of a link if it has arrived.
  mutating func popDue(on number: UInt64, at now: Duration) -> Packet? {
    guard let packet = links[number]?.packets.first, packet.due <= now else { return nil }
    links[number]?.packets.removeFirst()
    return packet
  }
}
