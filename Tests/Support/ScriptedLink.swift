package import BoardKit
package import FleetModel

/// The other side of a link, played by a test: a dialogue of expected writes and given answers.
///
/// Runs on an executor of its own, which a session adopts, as it adopts a radio's.
package actor ScriptedLink: BoardLink {
  /// One write as it went out.
  package struct Written: Hashable, Sendable {
    package var value: [UInt8]
    package var characteristic: Characteristic
    package var kind: WriteKind
  }

  /// The dialogue went differently from the script.
  package struct Surprise: Error, CustomStringConvertible {
    package let description: String
  }

  package nonisolated let board: BoardID
  package nonisolated let adapter: AdapterID
  /// Where packets are delivered; sessions run here.
  package nonisolated let executor: SerialQueue
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let timekeeper: any Timekeeper
  private let notifications: Characteristic
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private var ended: (@Sendable (LinkFailure) -> Void)?
  private var ending: LinkFailure?
  private var values: [Characteristic: [UInt8]] = [:]
  private var writeFailure: LinkFailure?
  private var unseen: [Written] = []
  private var expecter: CheckedContinuation<Written?, Never>?
  private var holdsWrites = false
  private var held: [CheckedContinuation<Void, Never>] = []
  /// Everything written, in order.
  package private(set) var written: [Written] = []
  /// Characteristics subscribed to, in order.
  package private(set) var subscribed: [Characteristic] = []

  /// A link that is up. Packets given by the test arrive as notifications of `notifications`.
  package init(
    notifications: Characteristic, timekeeper: any Timekeeper,
    board: BoardID = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6)),
    adapter: AdapterID = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113)),
    executor: SerialQueue = SerialQueue()
  ) {
    self.notifications = notifications
    self.timekeeper = timekeeper
    self.board = board
    self.adapter = adapter
    self.executor = executor
  }

  // What the product calls.

  package func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    self.received = received
    self.ended = ended
    if let ending { ended(ending) }
  }

  package func subscribe(to characteristic: Characteristic) throws(LinkFailure) {
    if let ending { throw ending }
    subscribed.append(characteristic)
  }

  package func read(_ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    if let ending { throw ending }
    guard let value = values[characteristic] else {
      throw LinkFailure(.other, "the script has no value for \(characteristic.uuid)")
    }
    return value
  }

  package func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async throws(LinkFailure) {
    if let ending { throw ending }
    if let writeFailure { throw writeFailure }
    let write = Written(value: value, characteristic: characteristic, kind: kind)
    written.append(write)
    if let expecter {
      self.expecter = nil
      expecter.resume(returning: write)
    } else {
      unseen.append(write)
    }
    if holdsWrites { await withCheckedContinuation { held.append($0) } }
    if let ending { throw ending }
  }

  package func disconnect() { end(because: LinkFailure(.closed, "the host closed the link")) }

  // What the test says.

  /// Sets what reads of `characteristic` give.
  package func set(_ value: [UInt8], for characteristic: Characteristic) { values[characteristic] = value }

  /// Makes writes fail from now on, or work again.
  package func failWrites(because failure: LinkFailure?) { writeFailure = failure }

  /// Keeps writes from finishing until they are released.
  package func holdWrites() { holdsWrites = true }

  /// Lets held writes finish.
  package func releaseWrites() {
    holdsWrites = false
    for write in held { write.resume() }
    held.removeAll()
  }

  /// Waits for the next write, which must be this one.
  @discardableResult
  package func expect(_ value: [UInt8]) async throws(Surprise) -> Written {
    guard let write = await nextWrite() else {
      throw surprise("expected the write \(Self.text(value)), but the link has ended")
    }
    guard write.value == value else {
      throw surprise("expected the write \(Self.text(value)), got \(Self.text(write.value))")
    }
    return write
  }

  /// Waits for these writes, one after the other.
  package func expect(each values: [[UInt8]]) async throws(Surprise) {
    for value in values { try await expect(value) }
  }

  /// Fails if anything was written that the script has not seen.
  package func expectNothing() throws(Surprise) {
    guard unseen.isEmpty else {
      let all = unseen.map { Self.text($0.value) }.joined(separator: ", ")
      throw surprise("expected no further write, got \(all)")
    }
  }

  /// Delivers a packet from the board.
  package func answer(_ packet: [UInt8]) {
    guard ending == nil else { return }
    received?(notifications, packet.span.bytes, timekeeper.now)
  }

  /// Waits for the write `question` and answers it.
  package func expect(_ question: [UInt8], answer packet: [UInt8]) async throws(Surprise) {
    try await expect(question)
    answer(packet)
  }

  /// Ends the link; nothing comes after that.
  package func end(because failure: LinkFailure) {
    guard ending == nil else { return }
    ending = failure
    ended?(failure)
    releaseWrites()
    expecter?.resume(returning: nil)
    expecter = nil
  }

  private func nextWrite() async -> Written? {
    if !unseen.isEmpty { return unseen.removeFirst() }
    if ending != nil { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { expecter = $0 }
    } onCancel: {
      Task { await end(because: LinkFailure(.closed, "the test was cancelled")) }
    }
  }

  /// A dialogue that went wrong is over: nobody shall wait for its rest.
  private func surprise(_ description: String) -> Surprise {
    end(because: LinkFailure(.closed, "the script failed"))
    return Surprise(description: description)
  }

  private static func text(_ value: [UInt8]) -> String {
    value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
