public import FleetModel

/// A link to one board that is up. It ends once and never comes back: a new connection is a new link.
public protocol BoardLink: Sendable {
  /// Whose link.
  var board: BoardID { get }
  /// Over which adapter.
  var adapter: AdapterID { get }

  /// Takes what comes in. Both closures are called on the radio's executor; `received` in the order of arrival,
  /// `ended` exactly once and last, at once when the link has ended already. Call before `subscribe`.
  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) async

  /// Has the board's notifications of `characteristic` delivered to `received`.
  func subscribe(to characteristic: Characteristic) async throws(LinkFailure)

  /// Ends that, on the board, too, as far as it still can be; returns when it was asked to. What is not asked for any
  /// more must not be asked of a bootloader that answers at the same address.
  func unsubscribe(from characteristic: Characteristic) async

  /// Reads a value once.
  func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8]

  /// Writes a value. Writes of one link keep their order.
  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind)
    async throws(LinkFailure)

  /// Ends the link; returns when the system says it is down, or after a bounded wait.
  func disconnect() async
}

extension BoardLink {
  /// For links whose subscriptions end with them.
  public func unsubscribe(from characteristic: Characteristic) async {}
}
