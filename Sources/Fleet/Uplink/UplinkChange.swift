package import Dialects
package import FleetModel
package import Storage

/// What happened to an uplink's connection.
package enum UplinkChange: Sendable {
  /// The broker has us; `outage` is nil for the first time.
  case connected(mqttProtocol: String, lostAt: Timestamp?, outage: Duration?, reason: String?)
  /// It holds documents of these adapters, which a run of this gateway told of.
  case foundAdapters([EarlierDocuments.Adapter])
  /// It has us no longer.
  case lost(reason: String, isTakenOver: Bool)
  /// Rows were refused for good.
  case refused(topic: String, kind: String, reasonCode: Int, rows: Int)
  /// Topics whose latest messages the broker refused are others now; the first few, and why it refused the last.
  case refusing([String], reason: String?)
  /// Somebody else cleared or altered retained documents; so many were published again, `topic` among them.
  case repaired(topic: String, isCleared: Bool, count: Int)
  /// Topics of ours that the broker does not let us hear are others now.
  case notGranted([String])
  /// Samples of a board were dropped here.
  case dropped(BoardID, samples: Int)
  /// The disk takes nothing more, or takes again.
  case storage(StoreFailure?)
  /// Commits take long, or are quick again.
  case slow(Bool)
}
