/// Which alarms of a gateway somebody has seen (MQTT contract 4.1).
public struct AlarmAcknowledgement: Hashable, Sendable {
  /// The one alarm that is meant; nil where the others say it.
  public var alarm: Alarm.ID?
  /// All of that code; nil means any.
  public var code: AlarmCode?
  /// All of that board; nil means any.
  public var board: BoardID?

  /// Names alarms: one by its id, or all of a code, a board, or both.
  public init(alarm: Alarm.ID? = nil, code: AlarmCode? = nil, board: BoardID? = nil) {
    (self.alarm, self.code, self.board) = (alarm, code, board)
  }

  /// Whether it means an alarm.
  public func names(_ id: Alarm.ID) -> Bool {
    if let alarm { return id == alarm }
    guard code != nil || board != nil else { return false }
    return (code == nil || id.code == code) && (board == nil || id.subject == board.map { .board($0) })
  }
}
