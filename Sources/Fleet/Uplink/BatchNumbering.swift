import FleetModel

/// Numbers the batches of the record lane as they are kept: what the gateway itself has to drop gets no number, and is
/// published as `gap_before` of the next batch and by an event (invariant I12). Pure.
struct BatchNumbering: Sendable {
  /// Samples of one stream that were dropped and not published as an event yet.
  struct Loss: Hashable, Sendable {
    var board: BoardID
    var stream: String
    var session: ULID
    var from, to: Timestamp
    var count: Int
    var reason: GapReason
  }

  private static let lossPeriod = Duration.seconds(30)

  private struct Key: Hashable {
    var board: BoardID
    var stream: String
  }

  private struct Lane {
    var session: ULID
    /// Samples of this session that were dropped: so much too high are the numbers that come in.
    var dropped = 0
    /// Samples that `gap_before` of the next batch tells; -1 when nobody knows how many.
    var gap = 0
    /// Of a first batch that was dropped.
    var configuration: JSONObject?
  }

  private var lanes: [Key: Lane] = [:]
  private var losses: [Loss] = []
  private var lossesReported = Duration.zero

  /// Whether nothing was ever dropped of a session that may still run: then all numbers are right as they come.
  var isEmpty: Bool { lanes.isEmpty }

  /// Takes a batch that will not be kept.
  mutating func drop(_ batch: SampleBatch, because reason: GapReason) {
    guard let first = batch.times.first, let last = batch.times.last else { return }
    var lane = lane(of: batch)
    lane.dropped += batch.count
    lane.gap = LogLaneState.sum(LogLaneState.sum(lane.gap, batch.gapBefore), batch.count)
    lane.configuration = lane.configuration ?? batch.configuration
    lanes[Key(board: batch.board, stream: batch.stream)] = lane
    let latest = losses.lastIndex { $0.board == batch.board && $0.stream == batch.stream }
    if let latest, losses[latest].session == batch.session, losses[latest].reason == reason {
      losses[latest].to = last
      losses[latest].count += batch.count
    } else {
      losses.append(
        Loss(
          board: batch.board, stream: batch.stream, session: batch.session, from: first, to: last,
          count: batch.count, reason: reason))
    }
  }

  /// A batch that is kept, as it is to be published.
  mutating func number(_ batch: SampleBatch) -> SampleBatch {
    let key = Key(board: batch.board, stream: batch.stream)
    guard lanes[key] != nil else { return batch }
    var lane = lane(of: batch)
    var numbered = batch
    numbered.sequence -= lane.dropped
    numbered.gapBefore = LogLaneState.sum(batch.gapBefore, lane.gap)
    numbered.configuration = batch.configuration ?? lane.configuration
    (lane.gap, lane.configuration) = (0, nil)
    lanes[key] = lane.dropped > 0 ? lane : nil
    return numbered
  }

  /// A live sample bears the number that its like bears on the record lane.
  func number(_ sample: LiveSample) -> LiveSample {
    guard let lane = lanes[Key(board: sample.board, stream: sample.stream)], sample.sequence >= lane.dropped
    else { return sample }
    var numbered = sample
    numbered.sequence -= lane.dropped
    return numbered
  }

  /// What no event has published, to be published now: once nothing is dropped any more, and twice a minute meanwhile.
  mutating func takeLosses(isOver: Bool, at uptime: Duration) -> [Loss] {
    guard !losses.isEmpty, isOver || uptime - lossesReported >= Self.lossPeriod else { return [] }
    lossesReported = uptime
    defer { losses = [] }
    return losses
  }

  /// A new session numbers from 0; what was lost before it is still to be published.
  private func lane(of batch: SampleBatch) -> Lane {
    let known = lanes[Key(board: batch.board, stream: batch.stream)]
    guard let known, known.session != batch.session else { return known ?? Lane(session: batch.session) }
    return Lane(session: batch.session, gap: known.gap)
  }
}
